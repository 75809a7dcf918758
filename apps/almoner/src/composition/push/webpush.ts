import { systemClock } from '@almoner/adapters-node'
import * as E from 'fp-ts/lib/Either.js'
import type { Open } from './provider.ts'
import { readVapidKeys } from './vapid-keys.ts'

/** Web Push, by the keys and to the hosts of the settings. */
export const openWebPushProvider: Open = async (settings, ca) => {
  const { openWebPush, vapidFault } = await import('@almoner/adapters-push/webpush')
  const vapid = readVapidKeys(settings, vapidFault)
  if (E.isLeft(vapid)) return vapid
  const hosts = settings.webPushHosts
  const gateway = openWebPush({ vapid: vapid.right, hosts, clock: systemClock, ...(ca && { ca }) })
  return E.right({ provider: 'webpush', gateway, check: gateway.check, close: gateway.close })
}
