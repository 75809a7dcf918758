import { systemClock } from '@almoner/adapters-node'
import * as E from 'fp-ts/lib/Either.js'
import { readApnsKey } from './apns-key.ts'
import type { Open } from './provider.ts'

/** APNs, by the key of the settings. */
export const openApnsProvider: Open = async (settings, ca) => {
  const key = await readApnsKey(settings)
  if (E.isLeft(key)) return key
  const { openApns } = await import('@almoner/adapters-push/apns')
  const { apnsUrl: url, apnsSandboxUrl: sandboxUrl } = settings
  const gateway = openApns({ ...key.right, url, sandboxUrl, clock: systemClock, ...(ca && { ca }) })
  return E.right({ provider: 'apns', gateway, check: gateway.check, close: gateway.close })
}
