import type { Ids, ItemId, NotificationId } from '@almoner/domain'
import { v7 } from 'uuid'

/** Makes UUIDv7 identifiers that grow within the process, even when the clock is set back (C3). */
export const uuidIds = (): Ids => ({
  nextItemId: () => v7() as ItemId,
  nextNotificationId: () => v7() as NotificationId,
})
