import * as O from 'fp-ts/lib/Option.js'
import type { Destination } from '../people/destination.ts'
import type { DeviceId } from '../people/device.ts'
import type { NotificationId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { PushMessage } from './message.ts'

/** One message for one device. */
export interface Push {
  /** What makes a device show one notification when it gets two pushes of it (G5). */
  readonly notificationId: NotificationId
  readonly deviceId: DeviceId
  readonly destination: Destination
  readonly message: PushMessage
  /** When the device was last attached: a provider's word about an earlier time is out of date. */
  readonly attachedAt: Instant
  /** The provider need not keep it longer than this. */
  readonly endsAt: Instant
}

/** What came of one push. */
export type PushResult =
  /** The provider has taken it. */
  | { readonly _tag: 'Delivered' }
  /** The provider says that there is no such device any more. */
  | { readonly _tag: 'Dead' }
  /** Trying again may help; `after` is what the provider asked for, in milliseconds. */
  | { readonly _tag: 'Retry'; readonly after: O.Option<number> }
  /** This push will never be taken. */
  | { readonly _tag: 'Refused' }
  /** The provider refuses us, not the device: a key, a project, a topic. `reason` is its own short word, for operators. */
  | { readonly _tag: 'OurFault'; readonly reason: string }

export const DELIVERED: PushResult = { _tag: 'Delivered' }
export const DEAD: PushResult = { _tag: 'Dead' }
export const REFUSED: PushResult = { _tag: 'Refused' }
export const ourFault = (reason: string): PushResult => ({ _tag: 'OurFault', reason })
export const retry = (after: O.Option<number> = O.none): PushResult => ({ _tag: 'Retry', after })
