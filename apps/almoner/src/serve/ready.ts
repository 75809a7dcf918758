import { pausesAmong } from '@almoner/domain/delivery'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { databaseFailure } from '../composition/database.ts'
import { type IdentityChanges, sharedRun, UNCHANGED, withinLimit } from '../composition/jobs.ts'
import { NotReady } from '../composition/readiness.ts'
import type { OpenService } from '../composition/server.ts'
import { fromDatabase, orFail } from '../failure.ts'
import { SWEEP_REFUSALS } from '../jobs/sweep-text.ts'

/** Reviews that may be missed before one is late: one that was due, one that was lost, and one that runs. */
const REVIEWS = 3

/** Milliseconds within which each part must answer. A mounted folder that is gone never does. */
const LIMIT = 5000

const LATE = 'review-late: a notification is due that no review has taken up'

/** The reason by which the doctor of another process finds out that the files of the database are gone (I10). */
export const DATABASE_FILES = 'database-files'
const FILES_GONE = 'the files of the database were moved, removed or replaced'

type Examined = Pick<OpenService, 'settings' | 'database' | 'media' | 'askSending'>

const databaseState = async ({ settings, database, askSending }: Examined) => {
  const { migrator, store, damage } = database
  const { isEmpty, pending } = await orFail(migrator.plan(), databaseFailure)
  if (isEmpty) throw new Error('the tables of the service are gone from the database')
  if (pending.length > 0) throw new Error('the schema is older than this program')
  const sending = await askSending()
  if (sending === undefined) throw new Error('the database is not available')
  const { now, queue, providers } = sending
  const late = REVIEWS * settings.reviewEvery * SECOND
  const isLate = O.isSome(queue.dueSince) && now - queue.dueSince.value > late
  const refusal = await fromDatabase(store.storageIdentity.lastRefusal())
  const damaged = damage?.()
  return [
    ...(damaged === undefined ? [] : [`database-damaged: ${damaged}; almoner doctor says more`]),
    ...pausesAmong(providers).map(({ origin }) => `push by ${origin} is paused`),
    ...(isLate ? [LATE] : []),
    ...(O.isNone(refusal) ? [] : [`image-sweep-stopped: ${SWEEP_REFUSALS[refusal.value].why}`]),
  ]
}

/**
 * Resolves when the database answers with the schema of this program, is the one of the start, and images can be stored, and rejects with the
 * reason otherwise. A part that does not answer is named, and is not asked again while it hangs. Names what takes no node out of rotation: paused
 * providers (G5), late reviews (G4), a stopped image sweep, another image storage (D6).
 */
export const readiness = (
  service: Examined,
  look: () => Promise<IdentityChanges> = async () => UNCHANGED,
  limit = LIMIT,
) => {
  const parts = {
    database: sharedRun(() => databaseState(service)),
    media: sharedRun(() => service.media.check()),
    identity: sharedRun(look),
  }
  return async (): Promise<ReadonlyArray<string>> => {
    const gone = service.database.filesFault?.()
    if (gone !== undefined) throw new NotReady(DATABASE_FILES, FILES_GONE, gone)
    const [degraded, { database, storage, connections }] = await Promise.all([
      withinLimit(parts.database(), limit, 'the database'),
      withinLimit(parts.identity(), limit, 'the database or the image storage'),
      withinLimit(parts.media(), limit, 'the image storage'),
    ])
    if (database !== undefined) throw new Error(database)
    return [...degraded, ...[storage, connections].filter((change) => change !== undefined)]
  }
}
