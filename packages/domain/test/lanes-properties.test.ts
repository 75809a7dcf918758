// G15: what holds of lanes and pace after any sequence of sends and answers.

import { setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'

const { SECOND } = domain

/** Milliseconds without an answer after which an origin does not count as accepting. */
const SILENT = 2 * SECOND

const originOf = (n: number) => `webpush https://push-${n}.example.org` as domain.Origin

const RESULTS: Readonly<Record<string, domain.PushResult>> = {
  accepted: domain.DELIVERED,
  unanswered: domain.UNANSWERED,
  'held back': domain.holdBack(),
  'held back for a time': domain.holdBack(O.some(3 * SECOND)),
  'retry of the device': domain.retry(),
  refused: domain.REFUSED,
  'sender refused': domain.senderError('no'),
}

type Step =
  | { readonly kind: 'begin'; readonly origin: number; readonly most: number }
  | { readonly kind: 'end'; readonly origin: number; readonly result: string }
  | { readonly kind: 'pass'; readonly milliseconds: number }

const origin = fc.nat({ max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), origin, most: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    kind: fc.constant('end' as const),
    origin,
    result: fc.oneof(fc.constant('accepted'), fc.constantFrom(...Object.keys(RESULTS))),
  }),
  fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.integer({ min: 0, max: 4000 }) }),
)

/** The facts about an origin from which its share follows. */
interface Known {
  inFlight: number
  accepts: boolean
  accepted: number
  isTried: boolean
  lastAnswer: number
}

/** Lanes with a model of them, which begin and end sends. */
const makeRun = (size: number) => {
  const clock = setClock()
  const lanes = domain.makeLanes(size, clock)
  const known = new Map<number, Known>()
  const of = (n: number): Known => {
    const unknown = { inFlight: 0, accepts: false, accepted: 0, isTried: false, lastAnswer: clock.now() }
    const found = known.get(n) ?? unknown
    known.set(n, found)
    return found
  }
  const accepts = ({ inFlight, accepts: last, lastAnswer }: Known): boolean =>
    last && !(inFlight > 0 && clock.now() - lastAnswer > SILENT)
  const inFlight = () => [...known.values()].reduce((sum, one) => sum + one.inFlight, 0)
  return {
    ...{ clock, lanes, known, of, accepts, inFlight },
    begin: async (n: number): Promise<boolean> => {
      if (inFlight() === size) return false
      await lanes.acquire(1)
      const one = of(n)
      if (!lanes.enter(originOf(n))) {
        lanes.giveBack(1)
        return false
      }
      if (one.inFlight === 0) one.lastAnswer = clock.now()
      one.inFlight += 1
      return true
    },
    end: (n: number, result: domain.PushResult): void => {
      const one = of(n)
      one.inFlight -= 1
      one.isTried = true
      lanes.note(originOf(n), result)
      lanes.leave(originOf(n))
      const isRetry = result._tag === 'Retry'
      if (!(isRetry && result.because === 'silence')) one.lastAnswer = clock.now()
      if (isRetry && result.because !== 'device') Object.assign(one, { accepts: false, accepted: 0 })
      if (result._tag === 'Delivered')
        Object.assign(one, { accepts: true, accepted: Math.min(size, one.accepted + 1) })
    },
  }
}

/** Returns the faults of the shares after a push to an origin has begun. */
const faultsOf = (run: ReturnType<typeof makeRun>, size: number, origin: number): ReadonlyArray<string> => {
  const tenth = Math.max(1, Math.floor(size / 10))
  const most = Math.max(1, size - tenth)
  const { inFlight, accepted } = run.of(origin)
  const isTrusted = run.accepts(run.of(origin))
  const doubtful = [...run.known.values()].filter((other) => !run.accepts(other))
  const theirs = doubtful.reduce((sum, other) => sum + other.inFlight, 0)
  return [
    !isTrusted && inFlight > tenth && `${inFlight} of ${size} at an origin that does not accept`,
    inFlight > tenth + accepted && `${inFlight} of ${size} after ${accepted} accepted pushes`,
    run.known.size > 1 && inFlight > most && `${inFlight} of ${size}: nothing is left to others`,
    !isTrusted && theirs > most && `${theirs} of ${size} at origins that do not accept`,
  ].filter((fault) => fault !== false)
}

/** Takes a step. Returns the faults after it. */
const take = async (
  run: ReturnType<typeof makeRun>,
  size: number,
  step: Step,
): Promise<ReadonlyArray<string>> => {
  if (step.kind === 'pass') run.clock.advance(step.milliseconds)
  if (step.kind === 'end' && (run.known.get(step.origin)?.inFlight ?? 0) > 0)
    run.end(step.origin, RESULTS[step.result] ?? domain.DELIVERED)
  if (step.kind !== 'begin') return []
  const faults: Array<string> = []
  for (let n = 0; n < step.most && (await run.begin(step.origin)); n += 1)
    faults.push(...faultsOf(run, size, step.origin))
  return faults
}

t.test('G15: shares of the window hold after any sends and answers', async (t) => {
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 120 }),
    fc.array(step, { minLength: 20, maxLength: 120 }),
    async (size, steps) => {
      const run = makeRun(size)
      const faults: Array<string> = []
      for (const one of steps) faults.push(...(await take(run, size, one)))
      t.same(faults, [])
      const free = size - run.inFlight()
      if (free > 0) t.equal(await run.lanes.acquire(size), free, 'no place is lost or given twice')
    },
  )
  await fc.assert(property, { numRuns: 200 })
})

/** Begins as many pushes to an origin as it may have, up to a number. Returns how many. */
const beginAll = async (run: ReturnType<typeof makeRun>, n: number, most: number): Promise<number> => {
  let begun = 0
  while (begun < most && (await run.begin(n))) begun += 1
  return begun
}

/** Ends the pushes to an origin that are in flight, as accepted. */
const acceptAll = (run: ReturnType<typeof makeRun>, n: number): void => {
  while (run.of(n).inFlight > 0) run.end(n, domain.DELIVERED)
}

t.test('G15: origins without answers never keep another one from its pushes', async (t) => {
  const ANSWERS_AFTER = 100
  const property = fc.asyncProperty(
    fc.integer({ min: 20, max: 200 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 400 }),
    async (size, silent, devices) => {
      const run = makeRun(size)
      const begun = run.clock.now()
      for (let left = devices; left > 0; ) {
        // The others always come first.
        for (let n = 0; n < silent; n += 1) await beginAll(run, n, size)
        const sent = await beginAll(run, silent, left)
        t.ok(sent > 0, `${left} of ${devices} go on beside ${silent} others`)
        if (sent === 0) return
        left -= sent
        run.clock.advance(ANSWERS_AFTER)
        acceptAll(run, silent)
      }
      // Slow start: after the first push of an untried origin, each round takes a tenth at least.
      const rounds = 2 + devices / Math.floor(size / 10)
      t.ok(run.clock.now() - begun <= rounds * ANSWERS_AFTER, `${devices} devices in ${rounds} rounds`)
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

t.test('G15: an origin that accepts grows to its even share, one place for each accepted push', async (t) => {
  const property = fc.asyncProperty(
    fc.integer({ min: 10, max: 200 }),
    fc.integer({ min: 1, max: 6 }),
    async (size, origins) => {
      const run = makeRun(size)
      const all = Array.from({ length: origins }, (_, n) => n)
      for (const n of all) run.lanes.wait(originOf(n), 1)
      for (let accepted = 0; accepted < size; accepted += 1)
        for (const n of all) {
          await run.begin(n)
          acceptAll(run, n)
        }
      const shared = origins > 1 ? size - Math.floor(size / 10) : size
      for (const n of all)
        t.equal(run.lanes.room(originOf(n)), Math.max(1, Math.floor(shared / origins)), `${size}, ${origins}`)
    },
  )
  await fc.assert(property, { numRuns: 40 })
})

/** Lets an origin accept pushes at a rate for a while and then hold us back, a number of times at once. Returns its pace and clock after the wait. */
const heldBack = (rate: number, seconds: number, after: number, times = 1) => {
  const clock = setClock()
  const pace = domain.makePace(clock)
  for (let n = 0; n < rate * seconds; n += 1) {
    clock.advance(SECOND / rate)
    pace.accepted()
  }
  for (let n = 0; n < times; n += 1) pace.heldBack(O.some(after))
  clock.advance(after)
  return { clock, pace }
}

/** Sends all that a pace allows for some seconds, looking each 10 ms. Returns how many. */
const sendFor = (clock: ReturnType<typeof setClock>, pace: domain.Pace, seconds: number): number => {
  let sent = 0
  for (let step = 0; step < seconds * 100; step += 1) {
    clock.advance(10)
    for (; pace.tokens() >= 1; sent += 1) pace.take()
  }
  return sent
}

const rates = fc.integer({ min: 1, max: 400 })
const waits = fc.integer({ min: 100, max: 90 * SECOND })

t.test('G15: after a 429 an origin gets a little less than it accepted, and no burst', async () => {
  const property = fc.property(rates, fc.integer({ min: 2, max: 20 }), waits, (rate, seconds, after) => {
    const { clock, pace } = heldBack(rate, seconds, after)
    const sent = sendFor(clock, pace, 10)
    return sent <= 9 * rate + Math.max(1, rate / 4) && sent >= 8.5 * rate - 2
  })
  fc.assert(property, { numRuns: 100 })
})

t.test('G15: an origin that had nothing to accept between two bursts gets no less for it', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20 * SECOND }), { minLength: 1, maxLength: 5 })
  const property = fc.property(rates, gaps, waits, (rate, pauses, after) => {
    const clock = setClock()
    const pace = domain.makePace(clock)
    for (const gap of pauses) {
      const lastAnswer = clock.now()
      clock.advance(gap)
      pace.begin(lastAnswer)
      for (let n = 0; n < rate; n += 1) {
        clock.advance(SECOND / rate)
        pace.accepted()
      }
    }
    pace.heldBack(O.some(after))
    clock.advance(after)
    return sendFor(clock, pace, 10) >= 8.5 * rate - 2
  })
  fc.assert(property, { numRuns: 100 })
})

t.test('G15: each further 429 lowers the pace, and none stops it', async () => {
  const property = fc.property(rates, fc.integer({ min: 2, max: 40 }), (rate, times) => {
    const { clock, pace } = heldBack(rate, 3, SECOND)
    let before = sendFor(clock, pace, 10)
    for (let n = 0; n < times; n += 1) {
      pace.accepted()
      pace.heldBack(O.none)
      clock.advance(SECOND)
      const now = sendFor(clock, pace, 10)
      if (now > before || now < 1) return false
      before = now
    }
    return true
  })
  fc.assert(property, { numRuns: 30 })
})

t.test('G15: answers to pushes that were in flight together count as one', async () => {
  const property = fc.property(rates, fc.integer({ min: 2, max: 100 }), waits, (rate, times, after) => {
    const [one, several] = [heldBack(rate, 3, after), heldBack(rate, 3, after, times)]
    return sendFor(several.clock, several.pace, 5) === sendFor(one.clock, one.pace, 5)
  })
  fc.assert(property, { numRuns: 50 })
})

t.test('G15: without further 429 the pace ends', async (t) => {
  const { clock, pace } = heldBack(12, 5, SECOND)
  let minutes = 0
  for (; Number.isFinite(pace.tokens()) && minutes < 100; minutes += 0.5) clock.advance(30 * SECOND)
  t.ok(minutes > 10 && minutes < 60, `after ${minutes} minutes`)
})

/** Uses up a pace. Returns whether it names a wait of a few seconds at most, after which there is a push to send. */
const goesOn = ({ clock, pace }: ReturnType<typeof heldBack>): boolean => {
  while (pace.tokens() >= 1) pace.take()
  const wait = O.getOrElse(() => 0)(pace.wait())
  clock.advance(wait)
  return wait > 0 && wait <= 11 * SECOND && pace.tokens() >= 1
}

t.test('G15, I9: a pace goes on, wherever its clock is set', async () => {
  const days = fc.array(fc.integer({ min: -400, max: 400 }), { maxLength: 5 })
  const property = fc.property(rates, waits, days, (rate, after, jumps) => {
    const paced = heldBack(rate, 3, after)
    return jumps.every((jump) => {
      paced.clock.advance(jump * 86_400 * SECOND)
      return goesOn(paced)
    })
  })
  fc.assert(property, { numRuns: 100 })
})
