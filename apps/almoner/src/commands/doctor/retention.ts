import { type Instant, isOverdue, toRfc3339 } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type Found, ok, warning } from './finding.ts'
import { onCurrent } from './opened.ts'

const FIX =
  'keep a server running on this database: it deletes them every hour; if one runs, look in its log for "chore failed"'

const overdue = (
  what: string,
  endedAt: O.Option<Instant>,
  {
    now,
    setting,
    days,
  }: { readonly now: Instant; readonly setting: string; readonly days: O.Option<number> },
): ReadonlyArray<Found> =>
  O.isSome(endedAt) && O.isSome(days) && isOverdue(endedAt.value, now, days.value)
    ? [
        warning(
          `${what} that ended ${toRfc3339(endedAt.value)} are stored, although ${setting} is ${days.value}`,
          FIX,
        ),
      ]
    : []

/** Whether more is stored of ended notifications than the settings say (G8). */
export const retentionCheck: Check = {
  name: 'retention',
  look: onCurrent(async ({ store, clock }, { deliveryDays, notificationDays }) => {
    const oldest = await store.retention.oldestEnded()()
    if (E.isLeft(oldest)) return []
    const now = clock.now()
    const { deliveryRows, notification } = oldest.right
    const found = [
      ...overdue('per-device rows of notifications', deliveryRows, {
        now,
        setting: 'ALMONER_DELIVERY_DAYS',
        days: O.some(deliveryDays),
      }),
      ...overdue('notifications', notification, {
        now,
        setting: 'ALMONER_NOTIFICATION_DAYS',
        days: notificationDays,
      }),
    ]
    return found.length === 0 ? [ok('no more is stored of ended notifications than the settings say')] : found
  }),
}
