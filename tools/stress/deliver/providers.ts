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
} from '../../../packages/loopback-providers/src/index.ts'

/** A push as a provider got it. */
export interface Arrival {
  readonly provider: 'fcm' | 'apns' | 'webpush'
  readonly notificationId: string
  /** What the provider knows the device by. */
  readonly token: string
  readonly lang: string
  /** What makes the device show one of two. */
  readonly collapseKey: string
  /** Which credentials it came with: a process has its own for each provider. */
  readonly sender: string
  /** What the provider has against it, if anything. */
  readonly refusal: string | undefined
}

const TOPIC = 'org.example.almoner'

/** What a service's processes are told to find the providers by; the files lie in `folder`. */
const settingsIn = (
  folder: string,
  files: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name.toLowerCase())
    writeFileSync(path, text, { mode: 0o600 })
    return [name, path] as const
  })
  return { ...Object.fromEntries(paths), ...names }
}

/** A body as far as it tells which notification it is, in the forms of the three providers. */
interface Body {
  readonly message?: {
    readonly data: { readonly notificationId: string; readonly lang: string }
    readonly android: { readonly collapse_key: string }
  }
  readonly notificationId?: string
  readonly lang?: string
  readonly notification?: { readonly data: { readonly notificationId: string; readonly lang: string } }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textOfAnswer = (refusal: object | undefined): string | undefined =>
  refusal === undefined ? undefined : JSON.stringify(refusal)

/** The three providers on loopback, which answer after `latency` milliseconds and tell `arrived` of each push. */
export const openProviders = async (folder: string, latency: number, arrived: (push: Arrival) => void) => {
  const authority = await makeAuthority()
  const options = { certificate: await authority.leaf(), counting: { latency } }
  const key = makeApnsKey()
  const vapid = makeVapidKeys()
  const fcm = await openFcm(options)
  const apns = await openApns({ ...options, key, topic: TOPIC })
  const webpush = await openWebPush(options)

  fcm.otherwise(({ token, headers, body, refusal }) => {
    const { message } = body as Body
    arrived({
      provider: 'fcm',
      notificationId: textOf(message?.data.notificationId),
      token,
      lang: textOf(message?.data.lang),
      collapseKey: textOf(message?.android.collapse_key),
      sender: textOf(headers.authorization),
      refusal: textOfAnswer(refusal),
    })
    return (
      refusal ?? {
        kind: 'reply',
        status: 200,
        headers: {},
        body: '{"name":"projects/loopback-project/messages/0:1"}',
      }
    )
  })
  apns.otherwise(({ token, headers, body, refusal }) => {
    const { notificationId, lang } = body as Body
    arrived({
      provider: 'apns',
      notificationId: textOf(notificationId),
      token,
      lang: textOf(lang),
      collapseKey: textOf(headers['apns-collapse-id']),
      sender: textOf(headers.authorization),
      refusal: textOfAnswer(refusal),
    })
    return refusal ?? { kind: 'reply', status: 200, headers: {}, body: '' }
  })
  webpush.otherwise(({ token, headers, text, topic, refusal }) => {
    const { notification } = JSON.parse(text ?? '{}') as Body
    arrived({
      provider: 'webpush',
      notificationId: textOf(notification?.data.notificationId),
      token,
      lang: textOf(notification?.data.lang),
      collapseKey: textOf(topic),
      sender: textOf(headers.authorization),
      refusal: textOfAnswer(refusal),
    })
    return refusal ?? { kind: 'reply', status: 201, headers: { location: `${token}/1`, ttl: '0' }, body: '' }
  })

  const settings = settingsIn(
    folder,
    {
      ALMONER_PUSH_CA: authority.ca,
      ALMONER_FCM_CREDENTIALS: JSON.stringify(fcm.account),
      ALMONER_APNS_KEY: key.p8,
    },
    {
      ALMONER_PUSH: 'fcm,apns,webpush',
      ALMONER_FCM_URL: fcm.origin,
      ALMONER_APNS_URL: apns.origin,
      ALMONER_APNS_KEY_ID: key.keyId,
      ALMONER_APNS_TEAM_ID: key.teamId,
      ALMONER_APNS_TOPIC: TOPIC,
      ALMONER_VAPID_PUBLIC_KEY: vapid.publicKey,
      ALMONER_VAPID_PRIVATE_KEY: vapid.privateKey,
      ALMONER_VAPID_SUBJECT: 'mailto:push@example.org',
      ALMONER_WEBPUSH_HOSTS: new URL(webpush.origin).host,
    },
  )

  return {
    settings,
    /** The n-th device: its token as it is attached, and what its provider knows it by. */
    device: (n: number) => {
      const token = `token-${n}:${randomBytes(60).toString('base64url')}`
      const hex = randomBytes(32).toString('hex')
      switch (n % 3) {
        case 0:
          return { kind: 'fcm', token: `fcm:${token}`, known: token } as const
        case 1:
          return { kind: 'apns', token: hex, known: hex } as const
        default: {
          const subscription = webpush.subscribe(vapid.publicKey)
          return {
            kind: 'webpush',
            token: JSON.stringify(subscription),
            known: subscription.endpoint,
          } as const
        }
      }
    },
    close: () => Promise.all([fcm.stop(), apns.stop(), webpush.stop()]),
  }
}
