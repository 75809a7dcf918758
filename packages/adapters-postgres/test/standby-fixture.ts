import { type Database, makeStore } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import { type Cluster, startSmallCluster } from '@almoner/postgres-server'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { openPostgres, type PostgresDatabase } from '../src/index.ts'
import { migrate, placeOf } from './store-of.ts'

export const sample = sampleLibraryItem(1, { id: sampleId(1) })

/** A server, or what leads to one. */
type Reached = Pick<Cluster, 'url'>

interface ProcessOptions {
  /** Milliseconds that a standby may be behind. */
  readonly lag?: number
  /** The server that the process listens to, where its other connections lead elsewhere. */
  readonly listen?: Reached
}

/** A process on a primary, which counts the reads that standbys answered, and did not. */
export const openOn = async (
  primary: Reached,
  standbys: ReadonlyArray<Reached>,
  { lag = 60_000, listen }: ProcessOptions = {},
) => {
  const asked = { answered: 0, failed: 0 }
  const placeAt = ({ url }: Reached) => placeOf(url('almoner'))
  const onRead = (_: number, failed: boolean) => {
    asked[failed ? 'failed' : 'answered'] += 1
  }
  const reads = { places: standbys.map(placeAt), lag, onRead }
  const apart = listen && { listen: placeAt(listen) }
  const database = await done(openPostgres({ place: placeAt(primary), reads, ...apart }))
  return { database, asked, store: makeStore(database) }
}

/** Waits for a condition, which the test's own time limit bounds. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The number that writes of these tests raise. */
export const write = (database: Database, number: number, notify?: ReadonlyArray<DataPart>) =>
  done(
    database.write(
      async (db) => E.right(await db.updateTable('library_item').set({ revision: number }).execute()),
      notify && { notify },
    ),
  )

export const number = async ({ read }: Pick<Database, 'read'>): Promise<number> => {
  const rows = await done(read((db) => db.selectFrom('library_item').select('revision').execute()))
  return rows[0]?.revision ?? -1
}

export const shown = (database: PostgresDatabase): Promise<number> =>
  database.whileReading(() => number(database.shown ?? database))

/** Waits until a standby answers. */
export const untilAnswered = ({ database, asked }: Awaited<ReturnType<typeof openOn>>) => {
  const before = asked.answered
  return until(async () => {
    await shown(database)
    return asked.answered > before
  })
}

export const withItem = async (): Promise<Cluster> => {
  const primary = await startSmallCluster()
  await primary.createDatabase('almoner')
  await migrate(primary.url('almoner'))
  const database = await done(openPostgres({ place: placeOf(primary.url('almoner')) }))
  await done(makeStore(database).libraryItems.add({ item: sample, linksToImages: [] }))
  await database.close()
  return primary
}
