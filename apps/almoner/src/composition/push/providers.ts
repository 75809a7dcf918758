import { nodeTimer, systemClock } from '@almoner/adapters-node'
import { longestWait, rateLimited } from '@almoner/adapters-push'
import type { FcmOptions } from '@almoner/adapters-push/fcm'
import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import type { PushResult } from '@almoner/domain/notifications'
import type { Provider } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Settings } from '../../config/definitions.ts'
import { readApnsKey, readAuthority, readServiceAccount, readVapidKeys } from './credentials.ts'
import type { Validated } from './validated.ts'

/** A provider with the credentials of the settings. It is not connected before the first push. */
export interface OpenProvider {
  readonly provider: Provider
  readonly gateway: PushGateway
  /** Asks the provider, as far as possible, whether it accepts our pushes. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits for the results of pushes under way, then disconnects. */
  readonly close: () => Promise<void>
}

/** Opens a provider. Its client is large, and loaded only here. `ca` holds further trusted certificates, PEM. */
type Open = (
  settings: Settings,
  route: { readonly ca?: string; readonly proxy: Settings['proxy'] },
) => Promise<Validated<Omit<OpenProvider, 'provider'>>>

/** Milliseconds of the time limit of a push that are used neither for waiting nor by FCM. */
const MARGIN = 0.5 * SECOND

const clock = systemClock

/** FCM with a quota. */
export interface PacedFcm extends Omit<FcmOptions, 'clock' | 'limit'> {
  /** Most pushes in any minute. */
  readonly perMinute: number
  /** Most pushes in flight. */
  readonly window: number
}

/** Opens FCM with its rate limited to the quota, and its time limit shortened by the longest wait for that. */
export const openPacedFcm = async ({ perMinute, window, ...options }: PacedFcm) => {
  const { openFcm } = await import('@almoner/adapters-push/fcm')
  const maxWait = longestWait(perMinute, window)
  const fcm = openFcm({ ...options, clock, limit: ANSWER_WITHIN - MARGIN - maxWait })
  const gateway = rateLimited(fcm, { perMinute, maxWait, clock, timer: nodeTimer })
  return { gateway, check: fcm.check, close: fcm.close }
}

const openFcmProvider: Open = async (settings, route) => {
  const account = await readServiceAccount(settings)
  if (E.isLeft(account)) return account
  const { fcmUrl: url, fcmQuota: perMinute, pushWindow: window } = settings
  return E.right(await openPacedFcm({ credentials: account.right, url, perMinute, window, ...route }))
}

const openApnsProvider: Open = async (settings, route) => {
  const key = await readApnsKey(settings)
  if (E.isLeft(key)) return key
  const { openApns } = await import('@almoner/adapters-push/apns')
  const { apnsUrl: url, apnsSandboxUrl: sandboxUrl } = settings
  const gateway = openApns({ ...key.right, url, sandboxUrl, clock, ...route })
  return E.right({ gateway, check: gateway.check, close: gateway.close })
}

const openWebPushProvider: Open = async (settings, route) => {
  const { openWebPush, vapidFault } = await import('@almoner/adapters-push/webpush')
  const vapid = readVapidKeys(settings, vapidFault)
  if (E.isLeft(vapid)) return vapid
  const gateway = openWebPush({ vapid: vapid.right, hosts: settings.webPushHosts, clock, ...route })
  return E.right({ gateway, check: gateway.check, close: gateway.close })
}

const OPEN: Readonly<Record<Provider, Open>> = {
  fcm: openFcmProvider,
  apns: openApnsProvider,
  webpush: openWebPushProvider,
}

/** The providers that the settings name, each open or with the errors of its settings. */
export interface OpenProviders {
  /** Further trusted certificates. While they cannot be read, no provider should be asked anything. */
  readonly authority: Validated<string | undefined>
  readonly providers: ReadonlyArray<{ readonly provider: Provider; readonly opened: Validated<OpenProvider> }>
  readonly close: () => Promise<void>
}

/** Opens the providers that the settings name. Reads files and settings, and connects to nothing. */
export const openProviders = async (settings: Settings): Promise<OpenProviders> => {
  const names = settings.push.kind === 'providers' ? settings.push.providers : []
  const authority = names.length === 0 ? E.right(undefined) : await readAuthority(settings)
  const ca = E.isRight(authority) && authority.right !== undefined ? { ca: authority.right } : {}
  const open = async (provider: Provider) => {
    const opened = await OPEN[provider](settings, { ...ca, proxy: settings.proxy })
    return { provider, opened: E.isLeft(opened) ? opened : E.right({ provider, ...opened.right }) }
  }
  const providers = await Promise.all(names.map(open))
  const close = async (): Promise<void> => {
    await Promise.all(providers.map(({ opened }) => E.isRight(opened) && opened.right.close()))
  }
  return { authority, providers, close }
}
