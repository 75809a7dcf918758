import * as O from 'fp-ts/lib/Option.js'
import type { Destination } from '../people/destinations.ts'
import type { DeviceId } from '../people/model.ts'
import type { NotificationId } from '../values/ids.ts'
import { type FieldError, fieldError } from '../values/parameters.ts'
import type { Instant } from '../values/time.ts'
import type { PushMessage } from './model.ts'

/** The most bytes that a provider takes in one push (G6). */
export const PAYLOAD_LIMIT = 4096

/** Push services that take less than {@link PAYLOAD_LIMIT}: their devices do not get a larger message, and others do (G6). */
export const SMALLER_SERVICES = ['firefox-android'] as const

/** The size of a message for a service that takes less than others. */
export interface SmallerLimit {
  readonly service: (typeof SMALLER_SERVICES)[number]
  readonly bytes: number
  /** The most bytes that the service takes. */
  readonly most: number
}

/** Returns the errors of a message of this number of bytes: each of its texts, if the payload exceeds the limit of all providers (G6). */
export const sizeFaults = (
  bytes: number,
  { title, subtitle, body }: Pick<PushMessage, 'title' | 'subtitle' | 'body'>,
): ReadonlyArray<FieldError> => {
  if (bytes <= PAYLOAD_LIMIT) return []
  const message = `makes the push larger than the ${PAYLOAD_LIMIT} bytes that a provider takes: ${bytes}`
  return Object.entries({ title, subtitle, description: body })
    .filter(([, text]) => text !== '')
    .map(([field]) => fieldError(field, message))
}

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
  /**
   * Trying again may help, because of the device or its push; because the origin asks us to wait; or because there was no answer (G15). `after` is
   * what the provider asked for, in milliseconds.
   */
  | {
      readonly _tag: 'Retry'
      readonly because: 'device' | 'origin' | 'silence'
      readonly after: O.Option<number>
      readonly reason: string
    }
  /** This push will never be taken. */
  | { readonly _tag: 'Refused'; readonly reason: string }
  /**
   * The provider refuses us, not the device: a key, a project, a topic. Or it takes pushes from us, but `for` a partner behind it lacks our
   * credentials: others of its devices are not affected.
   */
  | { readonly _tag: 'SenderError'; readonly for: 'all' | 'partner'; readonly reason: string }

/** The provider has taken it. */
export const DELIVERED: PushResult = { _tag: 'Delivered' }

/** The provider says that there is no such device any more: its token will be detached (G5). */
export const unregistered = (reason = ''): PushResult => ({ _tag: 'Unregistered', reason })

/** The provider will never take this push. */
export const refused = (reason = ''): PushResult => ({ _tag: 'Refused', reason })

/** The provider refuses us, not the device: if that goes on, its origin is probed, and its devices stay pending (G15). */
export const senderError = (reason: string): PushResult => ({ _tag: 'SenderError', for: 'all', reason })

/** The provider lacks our credentials for the service behind it that reaches this device (G15). */
export const partnerError = (reason: string): PushResult => ({ _tag: 'SenderError', for: 'partner', reason })

/** A retry of this device may succeed: after this number of milliseconds if the provider names one, else after the backoff (G5). */
export const retry = (after: O.Option<number> = O.none, reason = ''): PushResult => ({
  _tag: 'Retry',
  because: 'device',
  after,
  reason,
})

/** The origin asks us to wait, for this number of milliseconds if it names one (G15). */
export const holdBack = (after: O.Option<number> = O.none, reason = ''): PushResult => ({
  _tag: 'Retry',
  because: 'origin',
  after,
  reason,
})

/** There was no answer in time, or no connection (G15). */
export const UNANSWERED: PushResult = { _tag: 'Retry', because: 'silence', after: O.none, reason: '' }

/** {@link unregistered}, with nothing to say about why. */
export const UNREGISTERED: PushResult = unregistered()

/** {@link refused}, with nothing to say about why. */
export const REFUSED: PushResult = refused()
