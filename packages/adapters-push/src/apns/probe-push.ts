import type { Instant } from '@almoner/domain'
import type { Push } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import { addMillis, MINUTE, type NotificationId } from '@almoner/domain/values'

/** Of the form of a device's, and no device's. */
const TOKEN = '0'.repeat(64)
const ID = '00000000-0000-7000-8000-000000000000'

/** A push that arrives nowhere, by which credentials are tried. */
export const probePush = (now: Instant): Push => ({
  notificationId: ID as NotificationId,
  deviceId: 0 as DeviceId,
  destination: { provider: 'apns', sandbox: false, token: TOKEN },
  message: {
    title: 'Almoner',
    subtitle: '',
    body: '',
    data: {
      notificationId: ID,
      lang: '',
      resourceType: '',
      resourceId: '',
      actionUrl: '',
      visualUrl: '',
      iconUrl: '',
      color: '',
    },
  },
  attachedAt: now,
  endsAt: addMillis(now, MINUTE),
})
