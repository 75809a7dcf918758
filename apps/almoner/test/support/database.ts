import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Database,
  MIGRATIONS,
  type Migration,
  makeMigrator,
  makeStore,
  type Store,
} from '@almoner/adapters-kysely'
import { nodeSecrets, systemClock } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import { makeCheckCredentials, memoryFailedAttempts } from '@almoner/domain/access'
import { done } from '@almoner/testkit/contracts'
import { ownFolder } from './own-folder.ts'

/** The database that a command makes in its folder, without settings. */
export const DEFAULT_DATABASE = 'data/almoner.db'

/** Works on the database in a folder as it is, beside the program. */
export const onStore = async <A>(folder: string, work: (store: Store) => Promise<A>): Promise<A> => {
  const engine = await done(openSqlite({ file: join(folder, DEFAULT_DATABASE) }))
  try {
    return await work(makeStore(engine))
  } finally {
    await engine.close()
  }
}

/** A migration by another process, which stops before its end. */
export interface StalledMigration {
  /** Lets it go on to its end. */
  readonly finish: () => Promise<void>
}

/** Begins the last migrations of a database, from one on, and stops within their transaction. */
export const stallMigration = async (engine: Database, from: number): Promise<StalledMigration> => {
  await done(makeMigrator(engine, systemClock, MIGRATIONS.slice(0, from)).migrate())
  const [begun, finishing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stalling = MIGRATIONS.map((migration, n) => ({
    ...migration,
    fill: async (...place: Parameters<NonNullable<Migration['fill']>>) => {
      await migration.fill?.(...place)
      if (n < MIGRATIONS.length - 1) return
      begun.resolve()
      await finishing.promise
    },
  }))
  const migrated = done(makeMigrator(engine, systemClock, stalling).migrate())
  await begun.promise
  return {
    finish: async () => {
      finishing.resolve()
      await migrated
    },
  }
}

/** Makes a database in a folder as a program with fewer migrations would have left it. */
export const makeOlder = async (folder: string, migrations: number): Promise<void> => {
  const engine = await done(openSqlite({ file: join(folder, DEFAULT_DATABASE) }))
  await done(makeMigrator(engine, systemClock, MIGRATIONS.slice(0, migrations)).migrate())
  await engine.close()
}

let template: Promise<string> | undefined

const makeTemplate = async (): Promise<string> => {
  const folder = ownFolder()
  await makeOlder(folder, MIGRATIONS.length)
  return join(folder, DEFAULT_DATABASE)
}

/** Makes a database in a folder whose schema is current: a copy, because making a schema takes longer than most commands. */
export const makeCurrent = async (folder: string): Promise<void> => {
  template ??= makeTemplate()
  const file = join(folder, DEFAULT_DATABASE)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(await template, file)
}

/** Checks credentials: returns the client's id, or the tag of the failure. */
export const credentialsCheck = (folder: string, clientId: string, secret: string): Promise<string> =>
  onStore(folder, async (store) => {
    const check = makeCheckCredentials({
      clients: store.clients,
      clock: systemClock,
      failedAttempts: memoryFailedAttempts(),
      secrets: nodeSecrets(),
    })
    const result = await check({ clientId, secret, address: '127.0.0.1' })()
    return result._tag === 'Right' ? result.right.id : result.left._tag
  })
