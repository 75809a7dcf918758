// The origins of outside.ts: each answers in one of its ways at a time, and remembers what it accepted when.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Endpoint,
  type Loopback,
  makeApnsKey,
  makeAuthority,
  makeVapidKeys,
  openApns,
  openFcm,
  openWebPush,
  type Read,
  reply,
  replyJson,
  type ScriptedResponse,
} from '../../testing/push-providers/src/index.ts'
import type { Kind } from './fill-devices.ts'
import { FAULTS, type Way } from './outside-ways.ts'

/** A time in which an origin answered in one way. */
export interface Phase {
  readonly way: Way
  readonly from: number
}

/** A push that an origin accepted. */
export interface Accepted {
  readonly notificationId: string
  readonly target: string
  readonly collapseKey: string
  readonly at: number
}

/** An origin, its devices' names, and its history. Times are those of `performance.now()`. */
export interface Origin {
  readonly name: string
  readonly phases: Array<Phase>
  readonly accepted: Array<Accepted>
  /** How often the origin refused us for each push, by notification and device. */
  readonly refused: Map<string, number>
  readonly become: (way: Way) => void
  readonly newDevice: () => Kind & { readonly target: string }
}

const match = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? ''

const makeOrigin = <R extends Read>(
  name: string,
  kind: keyof typeof FAULTS,
  server: Loopback & Endpoint<R>,
  { textOf, accept }: { readonly textOf: (request: R) => string; readonly accept: () => ScriptedResponse },
  newDevice: Origin['newDevice'],
): Origin => {
  const phases: Array<Phase> = []
  const accepted: Array<Accepted> = []
  const refused = new Map<string, number>()
  const answer = (request: R): ScriptedResponse | Promise<ScriptedResponse> => {
    const way = phases.at(-1)?.way ?? 'accepts'
    if (request.refusal !== undefined) return request.refusal
    if (way === 'is silent') return new Promise(() => {})
    const { token: target, headers } = request
    const text = textOf(request)
    const notificationId = match(/"notificationId":"([^"]+)"/, text)
    const push = `${notificationId} ${target}`
    if (way === 'refuses us') refused.set(push, (refused.get(push) ?? 0) + 1)
    if (way !== 'accepts' && way !== 'freezes') return FAULTS[kind][way]()
    const key = headers['apns-collapse-id'] ?? headers['topic'] ?? match(/"collapse_key":"([^"]+)"/, text)
    accepted.push({ notificationId, target, collapseKey: String(key), at: performance.now() })
    return accept()
  }
  server.otherwise(answer)
  const become = (way: Way) => {
    if (way === 'freezes') server.front.freeze()
    phases.push({ way, from: performance.now() })
  }
  return { name, phases, accepted, refused, become, newDevice }
}

/** Opens FCM, APNs and three services of Web Push, and returns the settings of a server that sends to them. */
export const openOrigins = async (folder: string) => {
  const authority = await makeAuthority()
  const options = { certificate: await authority.leaf(), counting: { latency: 20 }, isFreezable: true }
  const [key, vapid, topic] = [makeApnsKey(), makeVapidKeys(), 'org.example.almoner']
  const fcm = await openFcm(options)
  const apns = await openApns({ ...options, key, topic })
  const services = [await openWebPush(options), await openWebPush(options), await openWebPush(options)]
  const newTarget = () => randomBytes(32).toString('hex')
  const body = ({ body }: { readonly body?: unknown }) => JSON.stringify(body)
  const message = { name: 'projects/loopback-project/messages/0:1' }
  const origins: ReadonlyArray<Origin> = [
    makeOrigin('fcm', 'fcm', fcm, { textOf: body, accept: () => replyJson(200, message) }, () => {
      const target = newTarget()
      return { kind: 'fcm', token: `fcm:${target}`, target }
    }),
    makeOrigin('apns', 'apns', apns, { textOf: body, accept: () => reply(200) }, () => {
      const target = newTarget()
      return { kind: 'apns', token: target, target }
    }),
    ...services.map((service) => {
      const accept = () => reply(201, { location: `${service.origin}/1`, ttl: '0' })
      return makeOrigin(
        service.origin,
        'webpush',
        service,
        { textOf: ({ text = '' }) => text, accept },
        () => {
          const subscription = service.subscribe(vapid.publicKey)
          return { kind: 'webpush', token: JSON.stringify(subscription), target: subscription.endpoint }
        },
      )
    }),
  ]
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const settings = {
    ALMONER_PUSH: 'fcm,apns,webpush',
    ALMONER_PUSH_CA: file('ca.pem', authority.ca),
    ALMONER_FCM_CREDENTIALS: file('fcm.json', JSON.stringify(fcm.account)),
    ALMONER_FCM_URL: fcm.origin,
    ALMONER_APNS_KEY: file('key.p8', key.p8),
    ALMONER_APNS_KEY_ID: key.keyId,
    ALMONER_APNS_TEAM_ID: key.teamId,
    ALMONER_APNS_TOPIC: topic,
    ALMONER_APNS_URL: apns.origin,
    ALMONER_VAPID_PUBLIC_KEY: vapid.publicKey,
    ALMONER_VAPID_PRIVATE_KEY: vapid.privateKey,
    ALMONER_VAPID_SUBJECT: 'mailto:push@example.org',
    ALMONER_WEBPUSH_HOSTS: services.map(({ origin }) => new URL(origin).host).join(','),
  }
  return { origins, settings }
}
