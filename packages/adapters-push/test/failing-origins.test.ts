// G15: each origin × each of its ways of failing: who else must get a notification, and when. The gateways are real, and the clock is the test's.

import { setImmediate } from 'node:timers/promises'
import { DEFAULT_POLICY, mediaAddressesBelow } from '@almoner/domain'
import { ANSWER_WITHIN, makeReview, nextReview } from '@almoner/domain/delivery'
import { deliveryOf, type Tally } from '@almoner/domain/notifications'
import type { Destination } from '@almoner/domain/people'
import type { PushGateway, Timer } from '@almoner/domain/ports'
import { addMillis, type Instant, MINUTE, SECOND } from '@almoner/domain/values'
import { done, sampleEmail, sampleNotification, seeded } from '@almoner/testkit/contracts'
import { memoryStore } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import {
  clock,
  codec,
  type FailingOrigin,
  ORIGINS,
  openGateways,
  RETRY_AFTER,
  setSilence,
  stopServers,
  type Until,
} from './origins.ts'

t.teardown(stopServers)

/** Places for pushes in flight: fewer than an origin that fails could take. */
const WINDOW = 10

/** Devices of an origin that fails, of one that refuses some and accepts others, and of each other origin. */
const DEVICES = { failing: 16, refused: 8, accepted: 12, others: 3 }

/** Seconds for which an origin fails. */
const FAILS = 100

/** Milliseconds from the first push of an origin that is accepted again to all others. */
const ALL_WITHIN = 10 * SECOND

/** Milliseconds after an origin accepts again within which its devices must be reached. */
const WITHIN: Readonly<Record<Until, number>> = {
  probe: 60 * SECOND + ALL_WITHIN,
  backoff: 60 * SECOND + ALL_WITHIN,
  asked: RETRY_AFTER * SECOND + ALL_WITHIN,
  // The longest delay between two tries of a device (G5).
  device: 60 * MINUTE,
}

/** More reviews than any case takes. */
const MOST_REVIEWS = 300

/** Milliseconds for which results are collected: shorter waits take no time by the clock, as pushes on loopback do not. */
const GATHERING = 5

const timer: Timer = {
  wait: (milliseconds) => async () => {
    if (milliseconds > GATHERING) clock.advance(milliseconds)
    await setImmediate()
  },
}

const targetOf = (destination: Destination): string =>
  destination.provider === 'webpush' ? destination.subscription.endpoint : destination.token

/** A notification to devices of all origins; those of one origin were attached before all others. */
const begin = async (
  t: Test,
  first: FailingOrigin,
  { count, restarts = false }: { readonly count: number; readonly restarts?: boolean },
) => {
  const store = memoryStore()
  const random = seeded(7)
  const times = new Map<string, Array<Instant>>()
  const closing: Array<() => Promise<unknown>> = []
  t.teardown(async () => {
    await first.accept()
    for (const close of closing) await close()
  })
  let n = 0
  const attach = async (origin: FailingOrigin, devices: number): Promise<ReadonlyArray<string>> => {
    const targets: Array<string> = []
    for (const end = n + devices; n < end; n += 1) {
      const { token, kind, target } = origin.newDevice()
      targets.push(target)
      await done(store.devices.attach({ token, kind, email: sampleEmail(n), attachedAt: clock.now() }))
    }
    return targets
  }
  const own = await attach(first, count)
  const others: Array<string> = []
  for (const origin of ORIGINS) if (origin !== first) others.push(...(await attach(origin, DEVICES.others)))
  const notification = sampleNotification(1, { date: O.some(clock.now()) })
  await done(store.notifications.add(notification))

  const served = Promise.withResolvers<void>()
  setSilence(async () => {
    const until = addMillis(clock.now(), ANSWER_WITHIN)
    await served.promise
    if (clock.now() < until) clock.set(until)
  })
  const timed = (gateway: PushGateway): PushGateway => ({
    ...gateway,
    send: (push) => async () => {
      const result = await gateway.send(push)()
      const target = targetOf(push.destination)
      if (result._tag === 'Delivered') times.set(target, [...(times.get(target) ?? []), clock.now()])
      if (others.every((one) => times.has(one))) served.resolve()
      return result
    },
  })
  const newProcess = () => {
    const { gateway, close } = openGateways()
    closing.push(close)
    const ports = {
      ...store,
      clock,
      random: { fraction: () => random(1000) / 1000 },
      timer,
      pushGateway: timed(gateway),
      mediaAddresses: mediaAddressesBelow('https://api.example.org'),
    }
    return makeReview(ports, { ...DEFAULT_POLICY, deviceCodecs: [codec] })
  }
  let review = newProcess()
  const begun = clock.now()
  return {
    own,
    begun,
    review: () => done(review({ window: WINDOW })),
    /** Reviews whenever there is something to do, as a process does, until a condition holds or nothing is left. */
    reviewUntil: async (holds: () => boolean, before: () => unknown = () => {}): Promise<void> => {
      for (let reviews = 0; reviews < MOST_REVIEWS && !holds(); reviews += 1) {
        const next = nextReview(await done(store.deliveries.upcoming()))
        if (O.isNone(next)) return
        if (next.value.at > clock.now()) clock.set(next.value.at)
        if (restarts) review = newProcess()
        await before()
        await done(review({ window: WINDOW }))
      }
    },
    /** When devices got the notification, in milliseconds since a moment; infinite for a device that did not get it. */
    delays: (targets: ReadonlyArray<string>, since = begun): ReadonlyArray<number> =>
      targets.map((target) => (times.get(target)?.[0] ?? Number.POSITIVE_INFINITY) - since),
    seeOthers: (t: Test) => {
      t.equal(others.filter((one) => times.has(one)).length, others.length, 'all others, in the first review')
    },
    seeOnce: (t: Test) => {
      const twice = [...times.values()].filter(({ length }) => length > 1)
      t.equal(twice.length, 0, 'none gets it twice')
    },
    tally: async (): Promise<Tally> => {
      const found = await done(store.notifications.find(notification.id))
      return deliveryOf(notification, O.isSome(found) ? found.value.progress : O.none).tally
    },
    others,
  }
}

for (const origin of ORIGINS)
  for (const way of origin.ways)
    t.test(
      `G15: ${origin.name}: ${way.name}: others get theirs at once, its devices once it accepts`,
      async (t) => {
        const run = await begin(t, origin, { count: DEVICES.failing })
        await way.begin()
        await run.review()
        run.seeOthers(t)
        t.ok(Math.max(...run.delays(run.others)) < SECOND, 'before the first push without an answer ends')
        t.same(new Set(run.delays(run.own)), new Set([Number.POSITIVE_INFINITY]))

        const accepts = addMillis(run.begun, FAILS * SECOND)
        let isBack = false
        await run.reviewUntil(
          () => run.delays(run.own).every(Number.isFinite),
          async () => {
            if (isBack || clock.now() < accepts) return
            isBack = true
            await origin.accept()
          },
        )
        const delays = run.delays(run.own, accepts)
        const [fastest, slowest] = [Math.min(...delays), Math.max(...delays)]
        t.ok(fastest >= 0, `the first after ${fastest} ms`)
        t.ok(slowest <= WITHIN[way.until], `the last after ${slowest} ms`)
        if (way.until !== 'device') t.ok(slowest - fastest <= ALL_WITHIN, `${slowest - fastest} ms apart`)
        run.seeOnce(t)
        const delivered = run.own.length + run.others.length
        t.strictSame(await run.tally(), { delivered, failed: 0, dead: 0, skipped: 0 })
      },
    )

for (const origin of ORIGINS)
  for (const refusal of origin.refusals)
    for (const restarts of refusal.others === 'probe' ? [false, true] : [false])
      t.test(
        `G15: ${origin.name}: ${refusal.name} for its oldest devices${restarts ? ', a restart before each review' : ''}`,
        async (t) => {
          const { refused, accepted } = DEVICES
          const run = await begin(t, origin, { count: refused + accepted, restarts })
          for (const target of run.own.slice(0, refused)) refusal.give(target)
          const good = run.own.slice(refused)
          await run.review()
          run.seeOthers(t)
          if (refusal.others === 'at once')
            t.ok(Math.max(...run.delays(good)) < SECOND, 'in the first review')
          await run.reviewUntil(() => run.delays(good).every(Number.isFinite))
          const delays = run.delays(good)
          t.ok(Math.max(...delays) <= WITHIN.probe, `the last after ${Math.max(...delays)} ms`)
          t.same(new Set(run.delays(run.own.slice(0, refused))), new Set([Number.POSITIVE_INFINITY]))
          run.seeOnce(t)
          if (refusal.end === undefined) return
          await run.reviewUntil(() => false)
          const ends = { failed: 0, dead: 0, skipped: 0, [refusal.end]: refused }
          t.strictSame(await run.tally(), { delivered: good.length + run.others.length, ...ends })
        },
      )
