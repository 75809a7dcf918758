// G5: the time that a push is given, for each provider. A test ends it, no clock does.
import { setImmediate } from 'node:timers/promises'
import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import { DELIVERED, type PushResult, UNANSWERED } from '@almoner/domain/notifications'
import { type Deferred, deferred, reply, type ScriptedResponse } from '@almoner/push-providers'
import t, { type Test } from 'tap'
import { openApns } from '../src/apns/index.ts'
import type { StartTimer } from '../src/connections.ts'
import { openFcm } from '../src/fcm/index.ts'
import { openWebPush } from '../src/webpush/index.ts'
import * as apns from './apns.ts'
import * as fcm from './fcm.ts'
import { manualTimers, PATIENT } from './time.ts'
import * as webpush from './webpush.ts'

/** The timers, and the limit where it is not the default. */
interface Given {
  readonly startTimer: StartTimer
  readonly limit?: number
}

interface Provider {
  readonly push: () => Promise<PushResult>
  /** Answers the next push in this way. */
  readonly next: (answer: Deferred['answer'] | ScriptedResponse) => void
  readonly received: () => number
}

/** Opens a provider and a gateway with its own time limit. */
const PROVIDERS: Readonly<Record<string, (t: Test, given: Given) => Promise<Provider>>> = {
  fcm: async (t, given) => {
    const { fcm: provider } = await fcm.withFcm(t)
    const { account: credentials, origin: url } = provider
    const gateway = openFcm({ credentials, url, ca: fcm.authority.ca, clock: fcm.clock, ...given })
    t.teardown(gateway.close)
    return {
      push: () => gateway.send(fcm.pushTo({ provider: 'fcm', form: 'token', token: 'a' }))(),
      next: (answer) => provider.next('a', answer),
      received: () => provider.requests.length,
    }
  },
  apns: async (t, given) => {
    const provider = await apns.openLoopback(t)
    const { limit: _, ...options } = apns.optionsFor(provider.origin)
    const gateway = openApns({ ...options, ...given })
    t.teardown(gateway.close)
    return {
      push: () => gateway.send(apns.pushTo(apns.DEVICE))(),
      next: (answer) => provider.next(apns.DEVICE, answer),
      received: () => provider.requests.length,
    }
  },
  webpush: async (t, given) => {
    const { service, subscription, host, clock } = await webpush.withWebPush(t)
    const { vapid, authority } = webpush
    const options = { vapid, hosts: [host], clock, ca: authority.ca, threads: 0, ...given }
    const gateway = openWebPush(options)
    t.teardown(gateway.close)
    return {
      push: () => gateway.send(webpush.pushTo(subscription))(),
      next: (answer) => service.next(subscription.endpoint, answer),
      received: () => service.requests.length,
    }
  },
}

for (const [name, open] of Object.entries(PROVIDERS)) {
  t.test(`G5: ${name}: a push is given less time than a review waits for it`, async (t) => {
    const timers = manualTimers()
    const { push } = await open(t, timers)
    const pushed = push()
    t.equal(timers.running().length, 1)
    t.ok(timers.running().every((milliseconds) => milliseconds > 0 && milliseconds < ANSWER_WITHIN))
    timers.ring()
    await pushed
  })

  t.test(
    `G5: ${name}: when its time is over a push has no answer, and later ones are accepted`,
    async (t) => {
      const timers = manualTimers()
      const { push, next, received } = await open(t, { ...timers, limit: PATIENT })
      t.strictSame(await push(), DELIVERED)
      t.strictSame(timers.running(), [], 'no timer is left')
      const never = deferred(reply(200, {}, '{}'))
      next(never.answer)
      const slow = push()
      await never.arrived
      timers.ring()
      t.strictSame(await slow, UNANSWERED)
      t.strictSame(await push(), DELIVERED)
      t.equal(received(), 3, 'each was sent once')
      never.release()
    },
  )
}

t.test('G5: a slow token endpoint leaves pushes without an answer, and is asked again', async (t) => {
  const timers = manualTimers()
  const { fcm: provider, push } = await fcm.withFcm(t, timers)
  const noToken = deferred(reply(200, {}, '{}'))
  provider.oauth.next(provider.account.client_email, noToken.answer)
  const pushes = [push('a'), push('b')]
  await noToken.arrived
  timers.ring()
  t.strictSame(await Promise.all(pushes), [UNANSWERED, UNANSWERED])
  // The time of the token's request is over too, which those notice who come after this turn of the event loop.
  await setImmediate()
  t.strictSame(await push('a'), DELIVERED)
  t.equal(provider.oauth.requests.length, 2)
  noToken.release()
})
