import type { Clock } from '@almoner/domain/ports'
import type { HttpsProxy, StartTimer } from '../connections.ts'

/** The options of the APNs gateway. Plain data: the caller reads the files. */
export interface ApnsOptions {
  /** The text of the `.p8` file. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
  /** The app's bundle id. */
  readonly topic: string
  /** For the provider token, and for a `Retry-After` that is a date. */
  readonly clock: Clock
  /** The origin for production; Apple's when left out. */
  readonly url?: string
  /** The origin for the sandbox; Apple's when left out. */
  readonly sandboxUrl?: string
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca?: string
  readonly proxy?: HttpsProxy | undefined
  /** Milliseconds after which a push counts as unanswered; a little less than the port allows when left out. */
  readonly limit?: number
  /** Ends the time of pushes; the machine's timers when left out. */
  readonly startTimer?: StartTimer
}

/** Apple's servers (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns). */
export const APPLE = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
} as const
