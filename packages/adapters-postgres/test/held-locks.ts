import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import type { Opened } from './store-of.ts'

/** Resolves when this number of transactions waits for a lock, or when a task has ended that should wait. */
export const areWaiting = async (
  { database }: Opened,
  count: number,
  task?: Promise<unknown>,
): Promise<void> => {
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  const found = () => done(database.read(async (db) => (await sql.raw(waiting).execute(db)).rows.length))
  let hasEnded = false
  task?.finally(() => {
    hasEnded = true
  })
  while (!hasEnded && (await found()) < count);
}

/** Runs a statement and keeps its locks until the function that it gives is called. */
export const holding = async ({ database }: Opened, statement: string) => {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const transaction = database.write(async (db) => {
    await sql.raw(statement).execute(db)
    held.resolve()
    await release.promise
    return E.right(undefined)
  })()
  await held.promise
  return async () => {
    release.resolve()
    await transaction
  }
}

/** All rows of all tables as text, as a dump has them. The tests' server has no pg_dump. */
export const dumpOf = ({ database }: Opened): Promise<string> =>
  done(
    database.read(async (db) => {
      const { rows } = await sql<{ name: string }>`${sql.raw(database.dialect.tableNames)}`.execute(db)
      const texts: Array<string> = []
      for (const { name } of rows) {
        const all = await sql<{
          row: string
        }>`select one::text as row from ${sql.table(name)} as one`.execute(db)
        texts.push(...all.rows.map(({ row }) => row))
      }
      return texts.join('\n')
    }),
  )
