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

/**
 * What came of one push. `reason` is a short word for operators, the provider's own where it has one, and holds nothing of the device;
 * empty where there is nothing to say.
 */
export type PushResult =
  /** The provider has taken it. */
  | { readonly _tag: 'Delivered' }
  /** The provider says that there is no such device any more. */
  | { readonly _tag: 'Unregistered'; readonly reason: string }
  /** Trying again may help; `after` is what the provider asked for, in milliseconds. */
  | { readonly _tag: 'Retry'; readonly after: O.Option<number>; readonly reason: string }
  /** This push will never be taken. */
  | { readonly _tag: 'Refused'; readonly reason: string }
  /** The provider refuses us, not the device: a key, a project, a topic. */
  | { readonly _tag: 'SenderError'; readonly reason: string }

/** The provider has taken it. */
export const DELIVERED: PushResult = { _tag: 'Delivered' }

/** The provider says that there is no such device any more: its token will be detached (G5). */
export const unregistered = (reason = ''): PushResult => ({ _tag: 'Unregistered', reason })

/** The provider will never take this push. */
export const refused = (reason = ''): PushResult => ({ _tag: 'Refused', reason })

/** The provider refuses us, not the device: it is paused, and its devices stay pending (G5). */
export const senderError = (reason: string): PushResult => ({ _tag: 'SenderError', reason })

/** A retry may succeed: after this number of milliseconds if the provider names one, else after the backoff (G5). */
export const retry = (after: O.Option<number> = O.none, reason = ''): PushResult => ({
  _tag: 'Retry',
  after,
  reason,
})

/** {@link unregistered}, with nothing to say about why. */
export const UNREGISTERED: PushResult = unregistered()

/** {@link refused}, with nothing to say about why. */
export const REFUSED: PushResult = refused()
