import type { ItemId } from '@almoner/domain'
import type { Ids } from '@almoner/domain/ports'
import type { NotificationId } from '@almoner/domain/values'
import { v7 } from 'uuid'

/** Makes UUIDv7 identifiers that grow within the process, even when the clock is set back (C3). */
export const uuidIds = (): Ids => ({
  nextItemId: () => v7() as ItemId,
  nextNotificationId: () => v7() as NotificationId,
})
