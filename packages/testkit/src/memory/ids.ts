import type { Ids } from '@almoner/domain/ports'
import type { ItemId, NotificationId } from '@almoner/domain/values'

/** Identifiers that count up, in the form of UUIDv7: text order is the order of creation. */
export const countingIds = (): Ids => {
  let made = 0
  const next = (): string => {
    made += 1
    return `01900000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`
  }
  return { nextItemId: () => next() as ItemId, nextNotificationId: () => next() as NotificationId }
}
