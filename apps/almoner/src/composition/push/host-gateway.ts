import { systemClock } from '@almoner/adapters-node'
import { byProvider, type Gateways, logGateway, type PushLine } from '@almoner/adapters-push'
import type { ApnsOptions } from '@almoner/adapters-push/apns'
import type { FcmCredentials } from '@almoner/adapters-push/fcm'
import type { VapidKeys } from '@almoner/adapters-push/webpush'
import type { Policy } from '@almoner/domain'
import type { PushGateway } from '@almoner/domain/ports'
import { openPacedFcm } from './providers.ts'

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

/** The gateway of the settings. */
export interface OpenGateway {
  readonly gateway: PushGateway
  readonly close: () => Promise<void>
}

/** FCM's default quota, and the pushes in flight that it is divided among. */
const FCM_QUOTA = { perMinute: 600_000, window: 100 }

type OpenGateways = Partial<
  Record<'fcm' | 'apns' | 'webpush', PushGateway & { readonly close: () => Promise<void> }>
>

/** Opens the gateway of a host. Loads only the providers that it names. */
export const openHostGateway = async (
  push: PushTarget,
  { webPushHosts: hosts }: Pick<Policy, 'webPushHosts'>,
): Promise<OpenGateway> => {
  if ('log' in push) return { gateway: logGateway(push.log), close: async () => {} }
  const clock = systemClock
  const { fcm, apns, webpush, gateways } = push
  const opened: OpenGateways = {}
  if (fcm !== undefined) {
    const { gateway, close } = await openPacedFcm({ credentials: fcm, ...FCM_QUOTA })
    opened.fcm = { ...gateway, close }
  }
  if (apns !== undefined) {
    const { openApns } = await import('@almoner/adapters-push/apns')
    opened.apns = openApns({ ...apns, clock })
  }
  if (webpush !== undefined) {
    const { openWebPush } = await import('@almoner/adapters-push/webpush')
    opened.webpush = openWebPush({ vapid: webpush, hosts, clock })
  }
  const close = async () => {
    await Promise.all(Object.values(opened).map((one) => one.close()))
  }
  return { gateway: byProvider({ ...opened, ...gateways }), close }
}
