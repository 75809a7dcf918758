import type { Push } from '@almoner/domain/notifications'
import type { Destination } from '@almoner/domain/people'
import { toRfc3339 } from '@almoner/domain/values'

/** The device as its provider knows it. */
const deviceOf = (destination: Destination): Readonly<Record<string, unknown>> => {
  if (destination.provider === 'fcm') return { [destination.form]: destination.token }
  const { provider: _, ...device } = destination
  return device
}

/** A push as a line of NDJSON, with its end: all that a provider would be told, and the moments as RFC 3339. */
export const pushLine = ({
  notificationId,
  deviceId,
  destination,
  message,
  attachedAt,
  endsAt,
}: Push): string => {
  const line = {
    notificationId,
    deviceId,
    provider: destination.provider,
    ...deviceOf(destination),
    message,
    attachedAt: toRfc3339(attachedAt),
    endsAt: toRfc3339(endsAt),
  }
  return `${JSON.stringify(line)}\n`
}
