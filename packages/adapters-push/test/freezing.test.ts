// G15: connections that die silently, of each protocol. The limits are shortened; the last check of each first test names the default one.
// The limits of connections end the pushes here, which have no own: those of undici go by the machine. A busy one may miss them with a good
// connection too, so that the pushes count which a dead one swallows.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import { DELIVERED, type PushResult, UNANSWERED } from '@almoner/domain/notifications'
import { instant } from '@almoner/domain/values'
import { openFront } from '@almoner/push-providers'
import t, { type Test } from 'tap'
import { openWebPush } from '../src/webpush/open-web-push.ts'
import { DEVICE, pushTo as toApple, withApns } from './apns.ts'
import { pushTo as toGoogle, withFcm } from './fcm.ts'
import { manualTimers } from './time.ts'
import { authority, certificate, subscriptionAt, pushTo as toBrowser, vapid } from './webpush.ts'

/** Milliseconds that a connection is given. */
const LIMIT = 1000
const { startTimer } = manualTimers()

/** A gateway to a provider behind a proxy that can freeze. */
interface Frozen {
  readonly send: () => Promise<PushResult>
  readonly freeze: () => void
  readonly freezeNew: (isFrozen: boolean) => void
}

const clock = { now: () => instant(Date.now()) }

/** Opens a push service that speaks only HTTP/1.1, or HTTP/2 too, behind a proxy. */
const browsers = async (t: Test, isHttp2: boolean): Promise<Frozen> => {
  const answer = (_request: unknown, response: { writeHead(status: number): void; end(): void }) => {
    response.writeHead(201)
    response.end()
  }
  const server = isHttp2 ? createSecureServer(certificate, answer) : createServer(certificate, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const front = await openFront(() => port, 0)
  const host = `127.0.0.1:${front.port}`
  const given = { vapid, hosts: [host], clock, ca: authority.ca, limit: LIMIT, startTimer, threads: 0 }
  const gateway = openWebPush(given)
  t.teardown(async () => {
    await gateway.close()
    front.close()
    server.close()
  })
  const push = toBrowser(subscriptionAt(`https://${host}/push`))
  return { ...front, send: () => gateway.send(push)() }
}

const PROTOCOLS: Readonly<Record<string, (t: Test) => Promise<Frozen>>> = {
  'FCM, HTTP/2': async (t) => {
    const { fcm, gateway } = await withFcm(t, { limit: LIMIT, startTimer }, { isFreezable: true })
    const push = toGoogle({ provider: 'fcm', form: 'token', token: 'a' })
    t.teardown(fcm.front.close)
    return { ...fcm.front, send: () => gateway.send(push)() }
  },
  'APNs, HTTP/2': async (t) => {
    const { apns, gateway } = await withApns(t, { limit: LIMIT, startTimer }, { isFreezable: true })
    t.teardown(apns.front.close)
    return { ...apns.front, send: () => gateway.send(toApple(DEVICE))() }
  },
  'Web Push, HTTP/2': (t) => browsers(t, true),
  'Web Push, HTTP/1.1': (t) => browsers(t, false),
}

/** Sends until a push is accepted. Returns the results before the first attempt at another connection. */
const untilAccepted = async ({ send }: Pick<Frozen, 'send'>): Promise<ReadonlyArray<PushResult>> => {
  const swallowed: Array<PushResult> = []
  let isElsewhere = false
  const onConnect = (): void => {
    isElsewhere = true
  }
  subscribe('undici:client:beforeConnect', onConnect)
  let result = await send()
  while (result === UNANSWERED) {
    if (!isElsewhere) swallowed.push(result)
    result = await send()
  }
  unsubscribe('undici:client:beforeConnect', onConnect)
  t.strictSame(result, DELIVERED)
  return swallowed
}

for (const [name, open] of Object.entries(PROTOCOLS)) {
  t.test(`G15: ${name}: a connection that has died silently is given up within two limits`, async (t) => {
    const frozen = await open(t)
    // Over HTTP/1.1 the third push finds a connection of the first two.
    for (const _push of [1, 2]) await untilAccepted(frozen)
    frozen.freeze()
    const { length } = await untilAccepted(frozen)
    t.ok(length >= 1 && length <= 2, `${length} pushes without an answer`)
    t.ok(2 * 0.9 * ANSWER_WITHIN < 15_000, 'with the default limit that is 15 s')
  })

  t.test(`G15: ${name}: many pushes on a frozen connection end, and later ones are accepted`, async (t) => {
    const frozen = await open(t)
    for (const _push of [1, 2]) await untilAccepted(frozen)
    frozen.freeze()
    const results = await Promise.all(Array.from({ length: 40 }, () => frozen.send()))
    t.ok(results.includes(UNANSWERED))
    t.ok((await untilAccepted(frozen)).length <= 1)
  })

  t.test(`G15: ${name}: a connection that freezes before TLS is given up within the limit`, async (t) => {
    const frozen = await open(t)
    frozen.freezeNew(true)
    t.strictSame(await frozen.send(), UNANSWERED)
    frozen.freezeNew(false)
    t.ok((await untilAccepted(frozen)).length <= 1)
  })
}
