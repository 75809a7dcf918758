// Every origin of a process: FCM, both servers of APNs, two services of Web Push, and a provider that a host has added.
import { randomBytes } from 'node:crypto'
import {
  DELIVERED,
  holdBack,
  type PushResult,
  partnerError,
  retry,
  senderError,
  UNANSWERED,
  UNREGISTERED,
} from '@almoner/domain/notifications'
import type { Destination, DeviceCodec, DeviceKind, DeviceToken, Provider } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import {
  apnsError,
  apnsGone,
  cut,
  fcmError,
  type Loopback,
  makeApnsKey,
  makeAuthority,
  makeVapidKeys,
  oauthError,
  openApns as openApnsServer,
  openFcm as openFcmServer,
  openWebPush as openService,
  permissionDenied,
  type Read,
  reply,
  reset,
  type Script,
  type ScriptedResponse,
  unauthenticated,
  webPushFault,
  webPushGone,
  webPushTooMany,
} from '@almoner/push-providers'
import { SAMPLE_MOMENT } from '@almoner/testkit/contracts'
import { type PushScript, setClock } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import { openApns } from '../src/apns/index.ts'
import { byProvider } from '../src/by-provider.ts'
import { openFcm } from '../src/fcm/index.ts'
import { openWebPush } from '../src/webpush/index.ts'
import { PATIENT } from './time.ts'

/** What ends the wait of devices once their origin accepts: a probe, its back-off, the time that it has asked for, or their own back-off. */
export type Until = 'probe' | 'backoff' | 'asked' | 'device'

/** A way in which an origin fails for all of its devices. */
export interface Way {
  readonly name: string
  readonly until: Until
  readonly begin: () => unknown
}

/** An answer that some devices get while their origin accepts others. */
export interface Refusal {
  readonly name: string
  /** What becomes of the others: they are reached in the first review, or with the first accepted probe. */
  readonly others: 'at once' | 'probe'
  /** The devices' own end; undefined: they are tried again. */
  readonly end: 'failed' | 'dead' | undefined
  readonly give: (target: string) => void
}

export interface FailingOrigin {
  readonly name: string
  readonly ways: ReadonlyArray<Way>
  readonly refusals: ReadonlyArray<Refusal>
  readonly accept: () => Promise<void>
  readonly newDevice: () => {
    readonly token: DeviceToken
    readonly kind: DeviceKind
    readonly target: string
  }
}

/** Seconds that an origin asks us to wait where it names a time. */
export const RETRY_AFTER = 20

/** The clock of the whole file. Time goes on from test to test, as it does for the servers. */
export const clock = setClock(SAMPLE_MOMENT)

let untilTimeOut = async (): Promise<void> => {}
/** Sets how long pushes without an answer stay without one. */
export const setSilence = (wait: () => Promise<void>): void => {
  untilTimeOut = wait
}

const authority = await makeAuthority()
const [key, vapid, TOPIC] = [makeApnsKey(), makeVapidKeys(), 'org.example.app']
const options = { certificate: await authority.leaf(), now: clock.now }
const fcm = await openFcmServer(options)
const apns = await openApnsServer({ ...options, key, topic: TOPIC })
const sandbox = await openApnsServer({ ...options, key, topic: TOPIC, environment: 'sandbox' })
const services = [await openService(options), await openService(options)]
const servers: ReadonlyArray<Loopback> = [fcm, apns, sandbox, ...services]

/** Ends all servers. */
export const stopServers = () => Promise.all(servers.map(({ stop }) => stop()))

const waysOf = (
  server: Loopback & Script<Read>,
  answers: Readonly<Record<string, readonly [ScriptedResponse, Until]>>,
): ReadonlyArray<Way> => [
  ...Object.entries(answers).map(([name, [answer, until]]) => ({
    ...{ name, until },
    begin: () => server.otherwise(answer),
  })),
  {
    ...{ name: 'no answer', until: 'probe' },
    begin: () =>
      server.otherwise(async () => {
        await untilTimeOut()
        return reset()
      }),
  },
  { name: 'cut connections', until: 'probe', begin: () => server.otherwise(cut()) },
  { name: 'refused connections', until: 'probe', begin: server.stop },
]

type Refusals = Readonly<Record<string, readonly [ScriptedResponse, Refusal['others'], Refusal['end']]>>

const refusalsOf = (server: Script<Read>, answers: Refusals): ReadonlyArray<Refusal> =>
  Object.entries(answers).map(([name, [answer, others, end]]) => ({
    ...{ name, others, end },
    give: (target) => server.always(target, answer),
  }))

const acceptBy = (server: Loopback & Script<Read>) => async (): Promise<void> => {
  server.otherwise(undefined)
  await server.start()
}

const newTarget = (): string => randomBytes(32).toString('hex')

const google: FailingOrigin = {
  name: 'fcm',
  ways: [
    ...waysOf(fcm, {
      SENDER_ID_MISMATCH: [fcmError('SENDER_ID_MISMATCH'), 'probe'],
      'a bare 404': [reply(404), 'probe'],
      'a refused access token': [unauthenticated(), 'probe'],
      'a refused project': [permissionDenied('loopback-project'), 'probe'],
      THIRD_PARTY_AUTH_ERROR: [fcmError('THIRD_PARTY_AUTH_ERROR'), 'device'],
      '429': [fcmError('QUOTA_EXCEEDED'), 'backoff'],
      '429 with Retry-After': [fcmError('QUOTA_EXCEEDED', RETRY_AFTER), 'asked'],
      '500': [fcmError('INTERNAL'), 'device'],
      '503': [fcmError('UNAVAILABLE'), 'backoff'],
      '503 with Retry-After': [fcmError('UNAVAILABLE', RETRY_AFTER), 'asked'],
    }),
    {
      ...{ name: 'refused credentials', until: 'probe' },
      begin: () => fcm.oauth.otherwise(oauthError('invalid_grant', 'Invalid JWT Signature.')),
    },
  ],
  refusals: refusalsOf(fcm, {
    SENDER_ID_MISMATCH: [fcmError('SENDER_ID_MISMATCH'), 'probe', 'failed'],
    'a bare 404': [reply(404), 'probe', 'failed'],
    THIRD_PARTY_AUTH_ERROR: [fcmError('THIRD_PARTY_AUTH_ERROR'), 'at once', 'failed'],
    UNREGISTERED: [fcmError('UNREGISTERED'), 'at once', 'dead'],
    '500': [fcmError('INTERNAL'), 'at once', undefined],
  }),
  accept: async () => {
    fcm.oauth.otherwise(undefined)
    await acceptBy(fcm)()
  },
  newDevice: () => {
    const target = newTarget()
    return { token: `fcm:${target}` as DeviceToken, kind: 'fcm', target }
  },
}

const apple = (name: string, server: typeof apns, prefix: string): FailingOrigin => ({
  name,
  ways: waysOf(server, {
    InvalidProviderToken: [apnsError('InvalidProviderToken'), 'probe'],
    TopicDisallowed: [apnsError('TopicDisallowed'), 'probe'],
    TooManyProviderTokenUpdates: [apnsError('TooManyProviderTokenUpdates'), 'backoff'],
    '429 for each device': [apnsError('TooManyRequests'), 'device'],
    '500': [apnsError('InternalServerError'), 'device'],
    '503': [apnsError('ServiceUnavailable'), 'backoff'],
    '503 with Retry-After': [apnsError('ServiceUnavailable', RETRY_AFTER), 'asked'],
  }),
  refusals: refusalsOf(server, {
    TopicDisallowed: [apnsError('TopicDisallowed'), 'probe', 'failed'],
    DeviceTokenNotForTopic: [apnsError('DeviceTokenNotForTopic'), 'at once', 'failed'],
    BadDeviceToken: [apnsError('BadDeviceToken'), 'at once', 'dead'],
    Unregistered: [apnsGone(new Date(SAMPLE_MOMENT + 365 * 86_400_000)), 'at once', 'dead'],
    TooManyRequests: [apnsError('TooManyRequests', RETRY_AFTER), 'at once', undefined],
  }),
  accept: acceptBy(server),
  newDevice: () => {
    const target = newTarget()
    return { token: `${prefix}${target}` as DeviceToken, kind: 'apns', target }
  },
})

const browsers = (service: (typeof services)[number], n: number): FailingOrigin => ({
  name: `webpush, service ${n + 1}`,
  ways: waysOf(service, {
    'a refused key (401)': [reply(401), 'probe'],
    'a refused key (403)': [reply(403, {}, '{"reason":"BadJwtToken"}'), 'probe'],
    '406 of Windows': [webPushTooMany(undefined, 406), 'backoff'],
    '429': [webPushTooMany(), 'backoff'],
    '429 with Retry-After': [webPushTooMany(RETRY_AFTER), 'asked'],
    '500': [webPushFault(500), 'device'],
    '503': [webPushFault(503), 'backoff'],
    '503 with Retry-After': [webPushFault(503, RETRY_AFTER), 'asked'],
  }),
  refusals: refusalsOf(service, {
    'a refused key (403)': [reply(403), 'probe', 'failed'],
    'another key': [reply(403, {}, '{"reason":"VapidPkHashMismatch"}'), 'at once', 'failed'],
    '404': [webPushGone(404), 'at once', 'dead'],
    '410': [webPushGone(410), 'at once', 'dead'],
  }),
  accept: acceptBy(service),
  newDevice: () => {
    const subscription = service.subscribe(vapid.publicKey)
    const token = JSON.stringify(subscription) as DeviceToken
    return { token, kind: 'webpush', target: subscription.endpoint }
  },
})

// In a host's program this name is in the type, by declaration merging.
const ADDED = 'added' as Provider
export const codec: DeviceCodec = {
  provider: ADDED,
  recognise: (token) =>
    token.startsWith('Added') ? ({ provider: ADDED, token } as unknown as Destination) : undefined,
}
const NEW_SCRIPT: PushScript = () => DELIVERED
let script = NEW_SCRIPT
const refusedTokens = new Map<string, PushResult>()
const sendToAdded: PushScript = (push) => {
  const { token } = push.destination as unknown as { readonly token: string }
  return refusedTokens.get(token) ?? script(push)
}

const addedWay = ([name, result, until]: readonly [string, PushResult, Until]): Way => ({
  ...{ name, until },
  begin: () => {
    script = () => result
  },
})

const added: FailingOrigin = {
  name: 'a provider that a host has added',
  ways: [
    ...(
      [
        ['a refused sender', senderError('no'), 'probe'],
        ['a refused partner', partnerError('no'), 'device'],
        ['a wait', holdBack(), 'backoff'],
        ['a wait with Retry-After', holdBack(O.some(RETRY_AFTER * SECOND)), 'asked'],
        ['a fault', retry(), 'device'],
      ] as const
    ).map(addedWay),
    {
      ...{ name: 'no answer', until: 'probe' },
      begin: () => {
        script = async () => {
          await untilTimeOut()
          return UNANSWERED
        }
      },
    },
  ],
  refusals: (
    [
      ['a refused sender', senderError('no'), 'probe', 'failed'],
      ['a refused partner', partnerError('no'), 'at once', 'failed'],
      ['unregistered', UNREGISTERED, 'at once', 'dead'],
      ['a fault', retry(), 'at once', undefined],
    ] as const
  ).map(([name, result, others, end]) => ({
    ...{ name, others, end },
    give: (target) => refusedTokens.set(target, result),
  })),
  accept: async () => {
    script = NEW_SCRIPT
  },
  newDevice: () => {
    const target = `Added ${newTarget()}`
    return { token: target as DeviceToken, kind: ADDED, target }
  },
}

/** All origins. */
export const ORIGINS: ReadonlyArray<FailingOrigin> = [
  google,
  apple('apns', apns, ''),
  apple('apns sandbox', sandbox, 'apns-sandbox:'),
  ...services.map(browsers),
  added,
]

/** Opens gateways to all of them, as a new process does. */
export const openGateways = (): { readonly gateway: PushGateway; readonly close: () => Promise<unknown> } => {
  const ca = authority.ca
  const toApple = { key: key.p8, keyId: key.keyId, teamId: key.teamId, topic: TOPIC }
  const opened = {
    fcm: openFcm({ credentials: fcm.account, url: fcm.origin, ca, clock, limit: PATIENT }),
    apns: openApns({ ...toApple, url: apns.origin, sandboxUrl: sandbox.origin, ca, clock, limit: PATIENT }),
    webpush: openWebPush({
      vapid: { ...vapid, subject: 'mailto:push@example.org' },
      hosts: services.map(({ origin }) => new URL(origin).host),
      ...{ ca, clock, threads: 0, limit: PATIENT },
    }),
  }
  const known = byProvider(opened)
  return {
    gateway: {
      ...known,
      providers: new Set([...(known.providers ?? []), ADDED]),
      send: (push) =>
        push.destination.provider === ADDED ? async () => sendToAdded(push) : known.send(push),
    },
    close: () => Promise.all(Object.values(opened).map(({ close }) => close())),
  }
}
