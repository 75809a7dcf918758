import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, MIGRATIONS, makeMigrator, makeStore, type Store } from '@almoner/adapters-kysely'
import { nodeSecrets, systemClock } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import { makeCheckCredentials, memoryFailedAttempts } from '@almoner/domain/access'
import { done } from '@almoner/testkit/contracts'
import { makeUnreleased } from '../../../../packages/adapters-sqlite/test/fixtures/unreleased.ts'
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

/** Migrates a database, and stops before its transaction ends. */
export const stallMigration = async (engine: Database): Promise<StalledMigration> => {
  const [begun, finishing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const write: Database['write'] = (work, options) =>
    engine.write(async (db) => {
      const result = await work(db)
      begun.resolve()
      await finishing.promise
      return result
    }, options)
  const migrated = done(makeMigrator({ ...engine, write }, systemClock, MIGRATIONS).migrate())
  await begun.promise
  return {
    finish: async () => {
      finishing.resolve()
      await migrated
    },
  }
}

let template: Promise<string> | undefined

const makeTemplate = async (): Promise<string> => {
  const file = join(ownFolder(), DEFAULT_DATABASE)
  const engine = await done(openSqlite({ file }))
  await done(makeMigrator(engine, systemClock, MIGRATIONS).migrate())
  await engine.close()
  return file
}

/** Makes a database in a folder whose schema is current: a copy, because making a schema takes longer than most commands. */
export const makeCurrent = async (folder: string): Promise<void> => {
  template ??= makeTemplate()
  const file = join(folder, DEFAULT_DATABASE)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(await template, file)
}

/** Makes a database in a folder as a program before the first release has left it (ADR 53). */
export const makeOlder = async (folder: string): Promise<void> => {
  await makeCurrent(folder)
  const engine = await done(openSqlite({ file: join(folder, DEFAULT_DATABASE) }))
  await makeUnreleased(engine)
  await engine.close()
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
