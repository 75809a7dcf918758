import type { AskSending } from '@almoner/adapters-http'
import type { Store } from '@almoner/adapters-kysely'
import { pausesAmong, SECOND } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { whySweepStops } from '../commands/sweep-text.ts'
import type { Media } from '../composition/media.ts'
import { type Database, databaseFailure } from '../composition/store.ts'
import type { Settings } from '../config/definitions.ts'

/** Reviews that may pass by before one is late: the one that was due, one that was lost, and one that runs. */
const REVIEWS = 3

/** Why a service is not as it should be, although it answers. */
const LATE = 'review-late: a notification is due that no review has taken up'

/** A stopped sweep deletes nothing and takes no node out of rotation (D6). */
const sweepWarnings = async ({
  storageIdentity,
}: Pick<Store, 'storageIdentity'>): Promise<ReadonlyArray<string>> => {
  const refusal = await storageIdentity.lastRefusal()()
  if (E.isLeft(refusal)) throw new Error('the database is not available')
  return O.isNone(refusal.right) ? [] : [`image-sweep-stopped: ${whySweepStops(refusal.right.value)}`]
}

/** What tells how sending goes. */
export interface SendingWatched extends Pick<Settings, 'reviewEvery'> {
  readonly ask: AskSending
}

/**
 * Resolves when the database answers with the schema of this program and images can be stored, with what does not work meanwhile: the
 * providers that pushes do not go out by (G5), and reviews that are late (G4). Neither is a reason to ask this process no more. Else
 * rejects with the reason.
 */
export const readiness =
  (
    { migrator, store }: Pick<Database, 'migrator' | 'store'>,
    media: Pick<Media, 'check'>,
    { ask, reviewEvery }: SendingWatched,
  ) =>
  async (): Promise<ReadonlyArray<string>> => {
    const plan = await migrator.plan()()
    if (E.isLeft(plan)) throw new Error(databaseFailure(plan.left).lines.join('; '))
    if (plan.right.pending.length > 0) throw new Error('the schema is older than this program')
    await media.check()
    const sending = await ask()
    if (sending === undefined) throw new Error('the database is not available')
    const { now, queue, providers } = sending
    const isLate = O.isSome(queue.dueSince) && now - queue.dueSince.value > REVIEWS * reviewEvery * SECOND
    const pauses = pausesAmong(providers).map(({ provider }) => `push by ${provider} is paused`)
    return [...pauses, ...(isLate ? [LATE] : []), ...(await sweepWarnings(store))]
  }
