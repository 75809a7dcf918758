import type { Gateways, PushLine } from '@almoner/adapters-push'
import type { ApnsOptions } from '@almoner/adapters-push/apns'
import type { FcmCredentials } from '@almoner/adapters-push/fcm'
import type { VapidKeys } from '@almoner/adapters-push/webpush'

/** The push providers of a host. Devices of a provider that is missing get no pushes, which count as failed (G7). */
export interface PushOptions {
  /** A service account of Firebase. */
  readonly fcm?: FcmCredentials
  /** A key of Apple. */
  readonly apns?: Pick<ApnsOptions, 'key' | 'keyId' | 'teamId' | 'topic'>
  /** The keys of the sender for Web Push. The policy has the allowed hosts. */
  readonly webpush?: VapidKeys
  /** Gateways of the host's own, by provider. They are not closed with the service. */
  readonly gateways?: Gateways
}

/** A log in place of the providers. */
export interface PushLog {
  /** Writes a line for a push that is not sent. */
  readonly log: (line: PushLine) => void
}

/** Where pushes of a host go: to providers, or to a log. */
export type PushTarget = PushOptions | PushLog
