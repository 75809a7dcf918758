import type { Retention } from '@almoner/domain/ports'
import type { Instant, NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { progressOf, type Sending } from './sending.ts'
import type { Tables } from './tables.ts'

type Ended = readonly [id: NotificationId, sending: Sending, at: Instant]

/** Retention in memory: recipients are replaced by their totals. */
export const memoryRetention = ({ notifications, sendings }: Tables): Retention => {
  const ended = (): ReadonlyArray<Ended> =>
    [...sendings].flatMap(
      ([id, sending]): ReadonlyArray<Ended> =>
        notifications.has(id) && O.isSome(sending.finishedAt)
          ? [[id, sending, sending.finishedAt.value]]
          : [],
    )
  const withRows = () => ended().filter(([, { recipients }]) => recipients.length > 0)
  const first = (all: ReadonlyArray<Ended>): O.Option<Instant> =>
    O.fromNullable(all.map(([, , at]) => at).sort((a, b) => a - b)[0])
  return {
    purgeDeliveries: (endedBy) =>
      TE.fromIO(() => {
        const over = withRows().filter(([, , at]) => at <= endedBy)
        for (const [id, sending] of over)
          sendings.set(id, { ...sending, recipients: [], batches: [], summary: progressOf(sending) })
        return over.reduce((count, [, { recipients }]) => count + recipients.length, 0)
      }),
    purgeNotifications: (endedBy) =>
      TE.fromIO(() => {
        const over = ended().filter(([, , at]) => at <= endedBy)
        for (const [id] of over) notifications.delete(id)
        return over.length
      }),
    oldestEnded: () => TE.fromIO(() => ({ deliveryRows: first(withRows()), notification: first(ended()) })),
  }
}
