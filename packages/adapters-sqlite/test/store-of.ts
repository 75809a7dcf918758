import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import { openSqlite } from '../src/index.ts'

export const clock: Clock = { now: () => instant(1_700_000_000_000) }

/** The repositories on a file that is made if it is not there, the database, and how to close it. */
export const openStore = async (file: string, prefix = '') => {
  const database = await done(openSqlite({ file, prefix }))
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  return { ...makeStore(database), database, close: database.close }
}

export type Opened = Awaited<ReturnType<typeof openStore>>

/** A new file with a schema and what `fill` puts into it. It goes when this process ends. */
const filledFile = async (fill: (store: Opened) => Promise<void>, prefix: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'almoner-sqlite-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'filled.db')
  const store = await openStore(file, prefix)
  await fill(store)
  await store.close()
  return file
}

/**
 * As {@link openStore}, but that a file that is not there is one that `fill` has filled: made once a process and copied, as making a
 * schema takes longer than most tests.
 */
export const filledStores = (
  fill: (store: Opened) => Promise<void>,
  prefix = '',
): ((file: string) => Promise<Opened>) => {
  let filled: Promise<string> | undefined
  return async (file) => {
    if (!existsSync(file)) {
      filled ??= filledFile(fill, prefix)
      copyFileSync(await filled, file)
    }
    return openStore(file, prefix)
  }
}

/** As {@link openStore}; a file that is not there is a copy of an empty database. */
export const storeOf = filledStores(async () => {})

/** The database of such a file. */
export const databaseOf = async (file: string) => (await storeOf(file)).database
