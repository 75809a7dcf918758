import type { ItemDescription } from '@almoner/domain/values'
import type { Database } from '../../packages/adapters-kysely/src/index.ts'
import { libraryTable } from '../../packages/adapters-kysely/src/content/tables.ts'
import { done, sampleDay, sampleId, sampleLibraryItem } from '../../packages/testkit/src/contracts/index.ts'
import { openStore } from './store.ts'

/** Rows in one statement and in one transaction: under the engine's limits, large enough to be quick. */
const STATEMENT = 250
const TRANSACTION = 50_000

const sample = libraryTable.toRow(sampleLibraryItem(0))
const description = 'What was given, to whom, and what came of it. '.repeat(8) as ItemDescription

/** Row n: one in five unpublished, one in four restricted, two in three English, 270 to a day. */
const row = (n: number) => ({
  ...sample,
  id: sampleId(n),
  status: n % 5 === 0 ? ('Draft' as const) : ('Live' as const),
  restricted: n % 4 === 0 ? (1 as const) : (0 as const),
  lang: n % 3 === 0 ? ('fr' as const) : ('en' as const),
  description,
  publication_date: sampleDay(Math.floor(n / 270)),
  cover_url: sample.link,
  notification_url: sample.link,
})

/** Fills a database whose schema is current with library items. */
export const fillItemsIn = async (engine: Pick<Database, 'write'>, count: number): Promise<void> => {
  for (let begin = 0; begin < count; begin += TRANSACTION)
    await done(
      engine.write(async (db) => {
        const end = Math.min(count, begin + TRANSACTION)
        for (let at = begin; at < end; at += STATEMENT) {
          const rows = Array.from({ length: Math.min(STATEMENT, end - at) }, (_, n) => row(at + n))
          await db.insertInto('library_item').values(rows).execute()
        }
        return { _tag: 'Right', right: undefined }
      }),
    )
}

/** Fills a SQLite file with library items, through the service's own schema. */
export const fill = async (file: string, count: number): Promise<void> => {
  const { engine } = await openStore(file)
  await fillItemsIn(engine, count)
  await engine.close()
}
