import { systemClock } from '@almoner/adapters-node'
import { byProvider, logGateway } from '@almoner/adapters-push'
import type { Policy } from '@almoner/domain'
import type { PushGateway } from '@almoner/domain/ports'
import type { OpenGateway } from './gateway.ts'
import { openPacedFcm } from './providers.ts'
import type { PushTarget } from './push-target.ts'

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
