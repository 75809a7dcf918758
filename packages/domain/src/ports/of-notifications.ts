import type { Look } from '../notifications/message.ts'
import type { PeoplePolicy, PeoplePorts } from '../people/ports.ts'
import type { Notifications } from './notifications.ts'
import type { PayloadLimits } from './payload-limits.ts'

/** What notifications and the areas before it ask of the world. */
export interface NotificationPorts extends PeoplePorts {
  readonly notifications: Notifications
  readonly pushGateway: PayloadLimits
}

/** What a deployment decides for notifications and the areas before it. */
export interface NotificationPolicy extends PeoplePolicy {
  /** The icon and colour of every notification (G1). */
  readonly look: Look
  /** How long a notification may be on its way, in seconds (G5). */
  readonly notificationLife: number
}
