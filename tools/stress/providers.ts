import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
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

/** Milliseconds until a provider answers. */
const LATENCY = 30
const TOPIC = 'org.example.almoner'

/** A push as a provider received it. */
export interface Push {
  readonly notificationId: string
  /** The name by which the provider knows the device. */
  readonly target: string
  readonly lang: string
  readonly collapseKey: string
  /** Each process has its own for each provider. */
  readonly credentials: string
  readonly refusal: string | undefined
}

const match = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? ''

/** Opens FCM, APNs and Web Push on loopback. Calls `received` with each push. */
export const openProviders = async (folder: string, received: (push: Push) => void) => {
  const authority = await makeAuthority()
  const options = { certificate: await authority.leaf(), counting: { latency: LATENCY } }
  const [key, vapid] = [makeApnsKey(), makeVapidKeys()]
  const fcm = await openFcm(options)
  const apns = await openApns({ ...options, key, topic: TOPIC })
  const webpush = await openWebPush(options)

  /** The messages of all three providers use the same names for the fields that are read here. */
  const take = (
    { token, headers, refusal }: Read,
    message: unknown,
    accepted: ScriptedResponse,
  ): ScriptedResponse => {
    const text = JSON.stringify(message)
    const collapseKey = headers['apns-collapse-id'] ?? headers['topic']
    received({
      notificationId: match(/"notificationId":"([^"]+)"/, text),
      target: token,
      lang: match(/"lang":"([^"]+)"/, text),
      collapseKey: String(collapseKey ?? match(/"collapse_key":"([^"]+)"/, text)),
      credentials: String(headers.authorization),
      refusal: refusal && JSON.stringify(refusal),
    })
    return refusal ?? accepted
  }
  const name = 'projects/loopback-project/messages/0:1'
  fcm.otherwise((request) => take(request, request.body, replyJson(200, { name })))
  apns.otherwise((request) => take(request, request.body, reply(200)))
  webpush.otherwise((request) => {
    const accepted = reply(201, { location: `${request.token}/1`, ttl: '0' })
    return take(request, JSON.parse(request.text ?? '{}'), accepted)
  })

  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  return {
    settings: {
      ALMONER_PUSH: 'fcm,apns,webpush',
      ALMONER_PUSH_CA: file('ca.pem', authority.ca),
      ALMONER_FCM_CREDENTIALS: file('fcm.json', JSON.stringify(fcm.account)),
      ALMONER_FCM_URL: fcm.origin,
      ALMONER_APNS_KEY: file('key.p8', key.p8),
      ALMONER_APNS_KEY_ID: key.keyId,
      ALMONER_APNS_TEAM_ID: key.teamId,
      ALMONER_APNS_TOPIC: TOPIC,
      ALMONER_APNS_URL: apns.origin,
      ALMONER_VAPID_PUBLIC_KEY: vapid.publicKey,
      ALMONER_VAPID_PRIVATE_KEY: vapid.privateKey,
      ALMONER_VAPID_SUBJECT: 'mailto:push@example.org',
      ALMONER_WEBPUSH_HOSTS: new URL(webpush.origin).host,
    },
    /** Makes the n-th device. */
    newDevice: (n: number): Kind & { readonly target: string } => {
      const target = randomBytes(32).toString('hex')
      if (n % 3 === 0) return { kind: 'fcm', token: `fcm:${target}`, target }
      if (n % 3 === 1) return { kind: 'apns', token: target, target }
      const subscription = webpush.subscribe(vapid.publicKey)
      return { kind: 'webpush', token: JSON.stringify(subscription), target: subscription.endpoint }
    },
  }
}
