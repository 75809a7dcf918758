import type { PushMessage } from '../notifications/message.ts'
import type { SmallerLimit } from '../notifications/payload-size.ts'

/** Measures messages before they are sent, as the providers of the deployment will (G6). */
export interface PayloadLimits {
  /** The bytes that a message takes with the provider where it takes most, of those it may be sent by (G6). Never fails. */
  bytesOf(message: PushMessage): number
  /** Returns the sizes of a message for services that take less than others; none where it is left out (G6). Never fails. */
  smallerLimits?(message: PushMessage): ReadonlyArray<SmallerLimit>
}
