// G5, G15: what holds of reviews, however origins behave: no device is lost or gets a notification twice.

import { done, SAMPLE_MOMENT, sampleDevice, sampleNotification, seeded } from '@almoner/testkit/contracts'
import { memoryPushGateway } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { newFixture } from './fixtures/fixture.ts'

const { SECOND } = domain

const ADDED = 'added' as domain.Provider
const codec: domain.DeviceCodec = {
  provider: ADDED,
  recognise: (token) =>
    token.startsWith('added') ? ({ provider: ADDED, token } as unknown as domain.Destination) : undefined,
}

const KINDS = [
  { name: 'fcm', kind: 'fcm', prefix: 'fcm:' },
  { name: 'apns', kind: 'apns', prefix: 'apns:' },
  { name: 'apns sandbox', kind: 'apns', prefix: 'apns-sandbox:' },
  { name: 'added', kind: ADDED, prefix: 'added' },
] as const

const ANSWERS: Readonly<Record<string, domain.PushResult>> = {
  accepted: domain.DELIVERED,
  unanswered: domain.UNANSWERED,
  'held back': domain.holdBack(),
  'held back for a time': domain.holdBack(O.some(7 * SECOND)),
  'retry of the device': domain.retry(),
  'retry of the device after a time': domain.retry(O.some(3 * SECOND)),
  'sender refused': domain.senderError('no'),
  'partner refused': domain.partnerError('no'),
}

interface Conduct {
  readonly devices: number
  /** The answers to its next pushes, each with its number; then it accepts. */
  readonly phases: ReadonlyArray<{ readonly answer: string; readonly pushes: number }>
}

const conduct: fc.Arbitrary<Conduct> = fc.record({
  devices: fc.integer({ min: 0, max: 25 }),
  phases: fc.array(
    fc.record({ answer: fc.constantFrom(...Object.keys(ANSWERS)), pushes: fc.integer({ min: 1, max: 30 }) }),
    { maxLength: 6 },
  ),
})

type Answer = (push: domain.Push, now: domain.Instant) => domain.PushResult

/** A notification to devices of some origins, in a mixed order, and its reviews. */
const begin = async (
  origins: ReadonlyArray<{ readonly devices: number; readonly answer: Answer }>,
  { window, seed, restartEach = 0 }: { window: number; seed: number; restartEach?: number },
) => {
  const random = seeded(seed)
  const got = new Map<domain.DeviceId, Array<domain.PushResult>>()
  const gateway = memoryPushGateway((push) => {
    const n = KINDS.findIndex(({ name }) => name === domain.originOf(push.destination))
    const result = origins[n]?.answer(push, fixture.clock.now()) ?? domain.DELIVERED
    got.set(push.deviceId, [...(got.get(push.deviceId) ?? []), result])
    return result
  })
  const pushGateway = { ...gateway, providers: new Set([...domain.PROVIDERS, ADDED]) }
  const fixture = newFixture({}, () => ({
    pushGateway,
    random: { fraction: () => random(1000) / 1000 },
  }))
  fixture.clock.set(SAMPLE_MOMENT)
  const { ports } = fixture
  const waiting = origins.flatMap(({ devices }, n) => Array<number>(devices).fill(n))
  const total = waiting.length
  for (let n = 0; n < total; n += 1) {
    const [origin = 0] = waiting.splice(random(waiting.length), 1)
    const { kind, prefix } = KINDS[origin] ?? KINDS[0]
    const token = `${prefix}${n.toString(16).padStart(64, '0')}` as domain.DeviceToken
    await done(ports.devices.attach(sampleDevice(n, { token, kind })))
  }
  const notification = sampleNotification(1)
  await done(ports.notifications.add(notification))
  const newProcess = () => domain.makeReview(ports, { ...domain.DEFAULT_POLICY, deviceCodecs: [codec] })
  let review = newProcess()
  let reviews = 0
  for (; reviews < 1000; reviews += 1) {
    await done(review({ window }))
    const next = domain.nextReview(await done(ports.deliveries.upcoming()))
    if (O.isNone(next)) break
    if (next.value.at > fixture.clock.now()) fixture.clock.set(next.value.at)
    if (restartEach > 0 && reviews % restartEach === 0) review = newProcess()
  }
  const found = await done(ports.notifications.find(notification.id))
  const progress = O.isSome(found) ? found.value.progress : O.none
  return {
    ...{ total, reviews, got },
    report: domain.deliveryOf(notification, progress),
    milliseconds: fixture.clock.now() - SAMPLE_MOMENT,
  }
}

const answerIn = ({ phases }: Conduct): Answer => {
  const answers = phases.flatMap(({ answer, pushes }) => Array<string>(pushes).fill(answer))
  return () => ANSWERS[answers.shift() ?? 'accepted'] ?? domain.DELIVERED
}

const isRefusal = ({ _tag }: domain.PushResult): boolean => _tag === 'SenderError'
/** Whether a device need not have got it (G5, G15). */
const isUsedUp = (all: ReadonlyArray<domain.PushResult>): boolean =>
  all.filter(isRefusal).length >= 3 || all.length >= domain.MOST_ATTEMPTS
const isAccepted = ({ _tag }: domain.PushResult): boolean => _tag === 'Delivered'

t.test('G5, G15: each device gets it once, or its attempts are used up', async (t) => {
  const property = fc.asyncProperty(
    fc.array(conduct, { minLength: 1, maxLength: KINDS.length }),
    fc.integer({ min: 1, max: 60 }),
    fc.integer(),
    fc.integer({ min: 0, max: 3 }),
    async (conducts, window, seed, restartEach) => {
      const origins = conducts.map((one) => ({ devices: one.devices, answer: answerIn(one) }))
      const { total, got, report } = await begin(origins, { window, seed, restartEach })
      t.equal(report.recipients, total)
      t.equal(report.pending, 0, 'all have ended')
      const results = [...got.values()]
      t.equal(results.length, total, 'all were sent to')
      t.notOk(
        results.some((all) => all.filter(isAccepted).length > 1),
        'none was accepted twice',
      )
      t.notOk(
        results.some((all) => all.slice(0, -1).some(isAccepted)),
        'nothing follows an accepted push',
      )
      const without = results.filter((all) => !all.some(isAccepted))
      t.ok(without.every(isUsedUp), 'only devices that were refused, or tried fifty times, did not get it')
      t.strictSame(report.tally, {
        ...{ delivered: total - without.length, failed: without.length },
        ...{ dead: 0, skipped: 0 },
      })
    },
  )
  await fc.assert(property, { numRuns: 50 })
})

/** Takes this number of pushes in each second, and answers others with 429 and `Retry-After`. */
const limited = (each: number, after: number) => {
  let [second, taken, refused] = [0, 0, 0]
  const answer: Answer = (_push, now) => {
    const current = Math.floor(now / SECOND)
    if (current !== second) [second, taken] = [current, 0]
    taken += 1
    if (taken <= each) return domain.DELIVERED
    refused += 1
    return domain.holdBack(O.some(after * SECOND))
  }
  return { answer, refused: () => refused }
}

t.test('G15: an origin with a limit gets what it takes, with few answers of 429', async (t) => {
  for (const [each, after, devices] of [
    [12, 5, 600],
    [3, 30, 200],
    [50, 1, 1500],
  ] as const) {
    const { answer, refused } = limited(each, after)
    const { report, milliseconds } = await begin([{ devices, answer }], { window: 100, seed: 1 })
    t.equal(report.tally.delivered, devices)
    const best = (devices / each) * SECOND
    t.ok(milliseconds < 1.5 * best + 6 * after * SECOND, `${milliseconds} ms, of ${best} at best`)
    t.ok(refused() < devices / 4, `${refused()} of ${devices} were refused`)
  }
})
