import { pausesAmong } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { databaseFailure } from '../composition/database.ts'
import type { OpenService } from '../composition/server.ts'
import { fromDatabase, orFail } from '../failure.ts'
import { SWEEP_REFUSALS } from '../jobs/sweep-text.ts'

/** Reviews that may be missed before one is late: one that was due, one that was lost, and one that runs. */
const REVIEWS = 3

const LATE = 'review-late: a notification is due that no review has taken up'

/**
 * Resolves when the database answers with the schema of this program and images can be stored, and rejects with the reason otherwise. Names
 * what takes no node out of rotation: paused providers (G5), late reviews (G4), a stopped image sweep, which deletes nothing (D6).
 */
export const readiness =
  ({
    settings,
    database: { migrator, store },
    media,
    askSending,
  }: Pick<OpenService, 'settings' | 'database' | 'media' | 'askSending'>) =>
  async (): Promise<ReadonlyArray<string>> => {
    const { pending } = await orFail(migrator.plan(), databaseFailure)
    if (pending.length > 0) throw new Error('the schema is older than this program')
    await media.check()
    const sending = await askSending()
    if (sending === undefined) throw new Error('the database is not available')
    const { now, queue, providers } = sending
    const late = REVIEWS * settings.reviewEvery * SECOND
    const isLate = O.isSome(queue.dueSince) && now - queue.dueSince.value > late
    const refusal = await fromDatabase(store.storageIdentity.lastRefusal())
    return [
      ...pausesAmong(providers).map(({ provider }) => `push by ${provider} is paused`),
      ...(isLate ? [LATE] : []),
      ...(O.isNone(refusal) ? [] : [`image-sweep-stopped: ${SWEEP_REFUSALS[refusal.value].why}`]),
    ]
  }
