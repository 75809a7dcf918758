import type { Ids, ItemId, NotificationId } from '@almoner/domain'
import { v7 } from 'uuid'

/**
 * UUIDv7 identifiers (C3). Called without options, `v7` keeps one state for the whole process: within a millisecond, and while
 * the clock stands before the latest one used, it counts up the 32 bits behind the timestamp, and at their end the timestamp
 * itself. Options would switch that off, so none are given.
 */
export const uuidIds = (): Ids => ({
  nextItemId: () => v7() as ItemId,
  nextNotificationId: () => v7() as NotificationId,
})
