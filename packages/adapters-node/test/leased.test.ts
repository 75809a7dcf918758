import { mock } from 'node:test'
import { isJobDue, JOB_LEASE, type JobLease, leaseTaken, RENEW_EVERY } from '@almoner/domain/operations'
import { type JobLeases, type StopSignal, unavailable } from '@almoner/domain/ports'
import { addMillis, instant, MINUTE } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import { memoryStore } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { leased } from '../src/jobs/leased.ts'

const [HOUR, YEARS] = [60 * MINUTE, 3 * 365 * 24 * 60 * MINUTE]
const NEVER: StopSignal = { aborted: false }

/** Processes that share a store and its clock. `pass` sets that clock, but not the one that counts. */
const makeProcesses = (jobLeases: JobLeases = memoryStore().jobLeases) => {
  const time = { shared: 1_800_000_000_000, monotonic: 5_000_000 }
  let [begun, running, most] = [0, 0, 0]
  const start = () => {
    const clock = { now: () => instant(time.shared), elapsed: () => time.monotonic }
    const runs = leased({ clock, jobLeases }, 'sweep', HOUR)
    let finish = (_: E.Either<never, number>) => {}
    let seen = NEVER
    const work = (signal: StopSignal) => () => {
      seen = signal
      begun += 1
      running += 1
      most = Math.max(most, running)
      return new Promise<E.Either<never, number>>((resolve) => {
        finish = (result) => {
          running -= 1
          resolve(result)
        }
      })
    }
    return {
      run: (signal = NEVER) => runs(work)(signal)(),
      /** Runs at once to the end. */
      quick: (signal = NEVER) => done(runs(() => TE.right(7))(signal)),
      fail: () => runs(() => TE.left(unavailable(new Error('down'))))(NEVER)(),
      finish: () => finish(E.right(7)),
      signal: () => seen,
    }
  }
  return {
    start,
    jobLeases,
    pass: (milliseconds: number, step = 0) => {
      time.shared += milliseconds + step
      time.monotonic += milliseconds
    },
    counts: () => ({ begun, most }),
  }
}

/** Lets promises settle. */
const settle = () => new Promise(setImmediate)

t.test(
  'I9: of processes that begin a job together, one runs it; the next run waits for half a period',
  async (t) => {
    const { start, pass, counts } = makeProcesses()
    const all = Array.from({ length: 4 }, start)
    const runs = all.map(({ run }) => run())
    await settle()
    t.strictSame(counts(), { begun: 1, most: 1 })
    for (const { finish } of all) finish()
    t.strictSame((await Promise.all(runs)).map((one) => E.isRight(one) && one.right).sort(), [0, 0, 0, 7])
    pass(HOUR / 2 - 1)
    for (const one of all) t.equal(await one.quick(), 0)
    pass(1)
    t.strictSame(await Promise.all(all.map((one) => one.quick())).then((found) => found.sort()), [0, 0, 0, 7])
  },
)

t.test('a run that was stopped, or failed, leaves the job to any process at once', async (t) => {
  const { start, jobLeases } = makeProcesses()
  const [one, two] = [start(), start()]
  t.equal(await one.quick({ aborted: true }), 7)
  t.ok(E.isLeft(await two.fail()))
  t.strictSame((await done(jobLeases.find('sweep'))).ranAt, O.none)
  t.equal(await two.quick(), 7)
})

t.test('an error of the job ends the lease', async (t) => {
  const { jobLeases } = memoryStore()
  const clock = { now: () => instant(0) }
  const broken = leased({ clock, jobLeases }, 'sweep', HOUR)(() => () => Promise.reject(new Error('a bug')))
  await t.rejects(broken(NEVER)(), { message: 'a bug' })
  t.match(await done(jobLeases.find('sweep')), { step: 2, heldUntil: O.none, ranAt: O.none })
})

t.test(
  'I9: the job of a process that was killed is taken over after the length of a lease by both clocks',
  async (t) => {
    const { start, pass, jobLeases } = makeProcesses()
    const killed = leaseTaken(await done(jobLeases.find('sweep')), instant(1_800_000_000_000))
    t.ok(await done(jobLeases.replace(killed)))
    const [one, two] = [start(), start()]
    pass(JOB_LEASE * 2)
    t.equal(await one.quick(), 0, 'seen for the first time')
    pass(JOB_LEASE - 1)
    t.equal(await one.quick(), 0)
    pass(1)
    t.equal(await two.quick(), 0, 'each process counts by its own clock')
    t.equal(await one.quick(), 7)
  },
)

t.test('I9: a step of the clock takes no lease away, and holds up none', async (t) => {
  for (const step of [-YEARS, -HOUR, HOUR, YEARS]) {
    const { start, pass, jobLeases } = makeProcesses()
    await done(jobLeases.replace(leaseTaken(await done(jobLeases.find('sweep')), instant(1_800_000_000_000))))
    const one = start()
    t.equal(await one.quick(), 0)
    pass(JOB_LEASE - 1, step)
    t.equal(await one.quick(), 0, `${step} before the end`)
    pass(step < 0 && step > -2 * HOUR ? HOUR + MINUTE : 1)
    t.equal(await one.quick(), 7, `${step} after it`)
  }
})

t.test('I9: a run that a clock far ahead noted holds up nothing', async (t) => {
  const now = instant(1_800_000_000_000)
  const ran = (at: number): JobLease => ({
    ...{ job: 'sweep', step: 1, heldUntil: O.none },
    ranAt: O.some(addMillis(now, at)),
  })
  const due = [MINUTE + 1, MINUTE, 0, -HOUR / 2 + 1, -HOUR / 2].map((at) => isJobDue(ran(at), now, HOUR))
  t.strictSame(due, [true, false, false, false, true])
})

t.test('a long run renews its lease, so that no other process takes the job', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { start, pass, counts } = makeProcesses()
  const [one, two] = [start(), start()]
  const running = one.run()
  await settle()
  for (let n = 0; n < 10; n += 1) {
    t.equal(await two.quick(), 0)
    pass(RENEW_EVERY)
    mock.timers.tick(RENEW_EVERY)
    await settle()
    t.notOk(one.signal().aborted)
  }
  one.finish()
  t.strictSame(await running, E.right(7))
  t.strictSame(counts(), { begun: 1, most: 1 })
  mock.timers.tick(RENEW_EVERY)
  await settle()
  t.equal(await two.quick(), 0, 'and it counts from its beginning')
  pass(HOUR / 2 - 10 * RENEW_EVERY)
  t.equal(await two.quick(), 7)
})

t.test(
  'a process that hung begins no further step, before and after another one has taken the job',
  async (t) => {
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => mock.timers.reset())
    const { start, pass, jobLeases } = makeProcesses()
    const [hung, other] = [start(), start()]
    const running = hung.run()
    await settle()
    t.equal(await other.quick(), 0)
    pass(JOB_LEASE)
    t.ok(hung.signal().aborted, 'by its own clock, before it asks the store')
    const taken = other.run()
    await settle()
    mock.timers.tick(RENEW_EVERY)
    await settle()
    t.ok(hung.signal().aborted, 'the renewal found the lease of another process')
    t.notOk(other.signal().aborted)
    hung.finish()
    await running
    t.match(
      await done(jobLeases.find('sweep')),
      { ranAt: O.none, heldUntil: { _tag: 'Some' } },
      'held by the other',
    )
    other.finish()
    await taken
    t.match(await done(jobLeases.find('sweep')), { ranAt: { _tag: 'Some' }, heldUntil: O.none })
  },
)

t.test('while the store does not answer, a run goes on for as long as its lease lasts', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { jobLeases } = memoryStore()
  let isDown = false
  const { start, pass } = makeProcesses({
    ...jobLeases,
    replace: (next) => (isDown ? TE.left(unavailable(new Error('down'))) : jobLeases.replace(next)),
  })
  const one = start()
  const running = one.run()
  await settle()
  isDown = true
  for (const expected of [false, false, true]) {
    pass(RENEW_EVERY)
    mock.timers.tick(RENEW_EVERY)
    await settle()
    t.equal(one.signal().aborted, expected)
  }
  one.finish()
  t.strictSame(await running, E.right(7), 'what it did is reported, though the lease could not be released')
})
