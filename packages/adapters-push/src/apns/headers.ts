import type { Push } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import { pushIdOf } from './push-id.ts'

/**
 * What goes with a push (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns). The
 * collapse id is the notification's id, a UUID of 36 bytes where Apple takes 64: a device that gets two shows one (G5). Apple keeps it
 * until the notification's end, in seconds, and shows it at once.
 */
export const headersOf = (push: Push, topic: string): Readonly<Record<string, string>> => ({
  'apns-id': pushIdOf(push),
  'apns-collapse-id': push.notificationId,
  'apns-expiration': String(Math.floor(push.endsAt / SECOND)),
  'apns-priority': '10',
  'apns-push-type': 'alert',
  'apns-topic': topic,
})
