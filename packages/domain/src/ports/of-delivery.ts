import type * as O from 'fp-ts/lib/Option.js'
import type { NotificationPolicy, NotificationPorts } from '../notifications/ports.ts'
import type { Deliveries } from './deliveries.ts'
import type { Providers } from './providers.ts'
import type { PushGateway } from './push-gateway.ts'
import type { Retention } from './retention.ts'

/** What delivery and the areas before it ask of the world. */
export interface DeliveryPorts extends NotificationPorts {
  readonly deliveries: Deliveries
  readonly retention: Retention
  readonly providers: Providers
  readonly pushGateway: PushGateway
}

/** What a deployment decides for delivery and the areas before it. */
export interface DeliveryPolicy extends NotificationPolicy {
  /** How long the per-device rows of a notification are kept after its end, in days (G8). */
  readonly deliveryDays: number
  /** How long a notification is kept after its end, in days; none: for ever (G8). */
  readonly notificationDays: O.Option<number>
}
