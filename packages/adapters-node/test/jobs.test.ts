import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAlmoner, type Instant } from '@almoner/domain'
import type { WakeUp } from '@almoner/domain/delivery'
import type { MediaName, StorageId } from '@almoner/domain/media'
import { unavailable } from '@almoner/domain/ports'
import { addMillis, instant } from '@almoner/domain/values'
import { proposalWrite, sampleFeedItem, sampleLibraryItem, sampleProposal } from '@almoner/testkit/contracts'
import { memoryPorts, memoryStore, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { scheduledJobs } from 'node-schedule'
import t from 'tap'
import {
  type Job,
  type JobEvents,
  maintenanceJobs,
  proposalsJob,
  schedule,
  schedulesJob,
} from '../src/jobs/index.ts'

const KEPT = 'an-image-that-an-item-shows.png' as MediaName
const FILE = 'an-orphan-of-a-crash.png' as MediaName

const NEVER = new AbortController().signal
const UNDUE = () => () => {}

const jobsByName = (jobs: ReadonlyArray<Job>) => (name: string) => jobs.find((job) => job.name === name)

/** Events that can be read. */
const listener = () => {
  const heard: Array<unknown> = []
  const events: JobEvents = {
    done: ({ name }, result) => heard.push([name, result]),
    failed: ({ name }, failure) => heard.push([name, failure]),
    clockSet: (step) => heard.push(['clock', step]),
  }
  return { heard, events }
}

/** What the clock would do at the full minute. */
const tick = () => {
  for (const job of Object.values(scheduledJobs)) job.invoke()
}

/** A job that ends on demand and counts its starts. */
const deferred = (atStart: boolean) => {
  const state = { begun: 0, release: () => {} }
  const job: Job = {
    name: 'held',
    rule: '* * * * *',
    atStart,
    work: () => () => {
      state.begun += 1
      return new Promise((resolve) => {
        state.release = () => resolve(E.right(0))
      })
    },
  }
  return { state, job }
}

t.test('a job never overlaps with itself, and stopping waits for it', async (t) => {
  const { state, job } = deferred(false)
  const jobs = schedule([job], listener().events)
  t.equal(state.begun, 0)
  tick()
  tick()
  t.equal(state.begun, 1)
  let stopped = false
  const stopping = jobs.stop().then(() => {
    stopped = true
  })
  await Promise.resolve()
  t.notOk(stopped)
  state.release()
  await stopping
  t.strictSame(scheduledJobs, {}, 'nothing is scheduled any more')
})

t.test('a job runs again after its interval, and some jobs also run at the start', async (t) => {
  const { state, job } = deferred(true)
  const jobs = schedule([job], listener().events)
  t.equal(state.begun, 1)
  state.release()
  await new Promise(setImmediate)
  tick()
  t.equal(state.begun, 2)
  state.release()
  await jobs.stop()
})

t.test('a job that fails or throws is reported, and what it returns', async (t) => {
  const { heard, events } = listener()
  const common = { rule: '* * * * *', atStart: true }
  const jobs = schedule(
    [
      { ...common, name: 'outage', work: () => TE.left(unavailable(new Error('disk full'))) },
      { ...common, name: 'bug', work: () => () => Promise.reject(new Error('a bug')) },
      { ...common, name: 'work', work: () => TE.right({ delivered: 2, failed: 0 }) },
    ],
    events,
  )
  await jobs.stop()
  t.match(heard, [
    ['outage', { _tag: 'Unavailable', cause: { message: 'disk full' } }],
    ['bug', { cause: { message: 'a bug' } }],
    ['work', { delivered: 2, failed: 0 }],
  ])
})

t.test('a job with an interval in seconds is scheduled after each run, one run at a time', async (t) => {
  const { state, job } = deferred(false)
  const jobs = schedule([{ ...job, rule: 3600 }], listener().events)
  for (const _ of [1, 2, 3]) {
    tick()
    t.equal(Object.keys(scheduledJobs).length, 1)
  }
  t.equal(state.begun, 1)
  state.release()
  await jobs.stop()
  t.strictSame(scheduledJobs, {})
})

t.test('a job gets the signal to stop, and none starts after it', async (t) => {
  const asked: Array<boolean> = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = (signal: AbortSignal) => async () => {
    asked.push(signal.aborted)
    await promise
    asked.push(signal.aborted)
    return E.right(0)
  }
  const jobs = schedule([{ name: 'asked', rule: 3600, atStart: true, work }], listener().events)
  const stopped = jobs.stop()
  resolve()
  await stopped
  t.strictSame(asked, [false, true])
})

for (const [step, how] of [
  [-3_600_000, 'back'],
  [3_600_000, 'forth'],
] as const)
  t.test(`a clock that is set ${how} stops no job that runs every second`, async (t) => {
    const script = `
      import { schedule } from ${JSON.stringify(join(import.meta.dirname, '../src/jobs/index.ts'))}
      import { right } from 'fp-ts/lib/Either.js'
            const real = Date.now
      let begun = 0
      const work = () => async () => {
        begun += 1
        if (begun === 2) Date.now = () => real() + ${step}
        if (begun === 4) process.exit(0)
        return right(0)
      }
      const clockSet = (step) => console.log('clock set by', Math.round(step / 1000))
      schedule([{ name: 'seconds', rule: 1, atStart: true, work }], { done: () => {}, failed: () => {}, clockSet })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [out, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')])
    t.equal(exit, 0)
    t.match(out, `clock set by ${step / 1000}`)
  })

t.test('I9: a job with due times runs at once after the clock was set, whenever it was due', async (t) => {
  const script = `
    import { schedule } from ${JSON.stringify(join(import.meta.dirname, '../src/jobs/index.ts'))}
    import { right } from 'fp-ts/lib/Either.js'
    import { none, some } from 'fp-ts/lib/Option.js'
    const real = Date.now
    const clock = { now: () => Date.now(), elapsed: () => performance.now() }
    const next = async () => right(some({ at: real() + 1e11, why: 'planned by a clock ahead' }))
    const work = () => async () => process.exit(7)
    const dueTimes = { next, onChange: () => () => {}, clock }
    schedule([{ name: 'review', rule: 3600, atStart: false, dueTimes, work }], { done: () => {}, failed: () => {}, clockSet: () => {} })
    Date.now = () => real() - 3_600_000`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  t.teardown(() => child.kill())
  const [exit] = await once(child, 'close')
  t.equal(exit, 7)
})

t.test(
  'G8: notifications that ended longer ago than the settings allow are deleted every hour, step by step',
  async (t) => {
    const clock = setClock()
    const asked: Array<readonly [string, number]> = []
    const left = { deliveries: [2000, 5, 0], notifications: [200, 1, 0] }
    const ports = memoryPorts({
      clock,
      retention: {
        ...memoryStore().retention,
        purgeDeliveries: (endedBy: Instant) => async () => {
          asked.push(['deliveries', (clock.now() - endedBy) / 86_400_000])
          return E.right(left.deliveries.shift() ?? 0)
        },
        purgeNotifications: (endedBy: Instant) => async () => {
          asked.push(['notifications', (clock.now() - endedBy) / 86_400_000])
          return E.right(left.notifications.shift() ?? 0)
        },
      },
    })
    const jobs = jobsByName(
      maintenanceJobs(createAlmoner(ports, { deliveryDays: 90, notificationDays: O.some(365) })),
    )
    t.strictSame(await jobs('purge deliveries')?.work(NEVER, UNDUE)(), E.right(2005))
    t.strictSame(await jobs('purge ended notifications')?.work(NEVER, UNDUE)(), E.right(201))
    t.strictSame(new Set(asked.map(String)), new Set(['deliveries,90', 'notifications,365']))
    asked.length = 0
    const kept = jobsByName(maintenanceJobs(createAlmoner(ports, { deliveryDays: 90 })))
    t.strictSame(await kept('purge ended notifications')?.work(NEVER, UNDUE)(), E.right(0))
    t.strictSame(asked, [], 'by default notifications are not deleted')
  },
)

t.test(
  'A6, D5, G3, I4: maintenance purges until nothing is left, and sweeps orphans, also at the start',
  async (t) => {
    const purged = [2000, 2000, 7, 0]
    const cleared = [5000, 1, 0]
    const forgotten = [2000, 3, 0]
    const removed: Array<string> = []
    let marker: O.Option<StorageId> = O.none
    const ports = memoryPorts({
      accessTokens: {
        add: () => TE.right(undefined),
        grantOf: () => TE.left(unavailable('not asked')),
        revoke: () => TE.right(false),
        purge: () => async () => E.right(purged.shift() ?? 0),
      },
      notifications: {
        ...memoryStore().notifications,
        purge: () => async () => E.right(cleared.shift() ?? 0),
      },
      idempotencyKeys: {
        ...memoryStore().idempotencyKeys,
        purge: () => async () => E.right(forgotten.shift() ?? 0),
      },
      knownImages: {
        ...memoryStore().knownImages,
        among: (names) => TE.right(new Set(names.filter((name) => name !== FILE))),
        isEmpty: () => TE.right(false),
      },
      mediaStore: {
        put: () => TE.right(undefined),
        putRendition: () => TE.right(undefined),
        claimRenditions: () => TE.right('claimed'),
        releaseRenditions: () => TE.right(undefined),
        removeStrayRenditions: () => TE.right(0),
        remove: (name) => async () => E.right(void removed.push(name)),
        files: async function* () {
          yield [KEPT, FILE].map((name) => ({ name, storedAt: instant(0) }))
        },
        readMarker: () => TE.right(marker),
        writeMarker: (id) => async () => {
          marker = O.some(id)
          return E.right(undefined)
        },
      },
    })
    const named = jobsByName(maintenanceJobs(createAlmoner(ports)))
    t.match(named('purge tokens'), { atStart: false })
    t.match(named('purge notifications'), { atStart: false })
    t.match(named('sweep images'), { atStart: true })
    t.strictSame(
      await named('purge notifications')?.work(AbortSignal.abort(), UNDUE)(),
      E.right(0),
      'a stopping server ends the purge',
    )
    t.strictSame(
      await named('sweep images')?.work(AbortSignal.abort(), UNDUE)(),
      E.right({ uploads: 0, portfolio: 0 }),
      'the files stay',
    )
    t.strictSame(removed, [])
    t.strictSame(await named('purge tokens')?.work(NEVER, UNDUE)(), E.right(4007))
    t.strictSame(await named('purge notifications')?.work(NEVER, UNDUE)(), E.right(5001))
    t.strictSame(await named('purge idempotency keys')?.work(NEVER, UNDUE)(), E.right(2003), 'I4')
    t.strictSame(await named('sweep images')?.work(NEVER, UNDUE)(), E.right({ uploads: 1, portfolio: 0 }))
    t.strictSame([purged, cleared, removed], [[], [], [FILE]])
  },
)

/** Due times that a test sets, by a clock that it sets too, and how often the job was begun. */
const dueTimes = () => {
  const clock = setClock(instant(1_000_000))
  const state = {
    begun: 0,
    next: O.none as O.Option<WakeUp>,
    fault: undefined as unknown,
    changed: () => {},
    finish: () => {},
  }
  const job: Job = {
    name: 'due',
    rule: 3600,
    atStart: false,
    dueTimes: {
      next: async () => {
        if (state.fault !== undefined) throw state.fault
        return E.right(state.next)
      },
      onChange: (changed) => {
        state.changed = changed
        return () => {}
      },
      clock,
    },
    work: () => () => {
      state.begun += 1
      return new Promise((resolve) => {
        state.finish = () => resolve(E.right(0))
      })
    },
  }
  /** Sets the next due time, and gives how many jobs there are once it was looked up. */
  const set = async (seconds: number | undefined, why = 'a') => {
    state.next = seconds === undefined ? O.none : O.some({ at: addMillis(clock.now(), seconds * 1000), why })
    state.changed()
    await new Promise(setImmediate)
    return Object.keys(scheduledJobs).length
  }
  const finish = async () => {
    state.finish()
    await new Promise(setImmediate)
  }
  const { heard, events } = listener()
  const jobs = schedule([job], events)
  return { clock, state, set, finish, jobs, heard }
}

/** The seconds until the next wake-up. */
const untilNext = () => {
  const times = Object.values(scheduledJobs).map((job) => (job.nextInvocation()?.getTime() ?? 0) - Date.now())
  return Math.round(Math.min(...times) / 1000)
}

t.test('G9: a job runs at its due time, which may change, and not earlier', async (t) => {
  const { clock, state, set, finish, jobs } = dueTimes()
  t.equal(await set(undefined), 1, 'only its timer starts it')
  t.equal(await set(900), 2)
  t.equal(untilNext(), 900)
  t.equal(await set(100, 'b'), 2)
  t.equal(untilNext(), 100)
  clock.advance(99_000)
  await set(1, 'b')
  t.equal(state.begun, 0)
  clock.advance(1000)
  await set(0, 'b')
  t.equal(state.begun, 1)
  await set(undefined)
  await finish()
  t.equal(Object.keys(scheduledJobs).length, 1)
  await jobs.stop()
  t.strictSame(scheduledJobs, {})
})

t.test('G9: a past due time runs the job at once, also if it became due during a run', async (t) => {
  const { state, set, finish, jobs } = dueTimes()
  await set(-5)
  t.equal(state.begun, 1)
  await set(-5, 'b')
  await set(-9, 'c')
  t.equal(state.begun, 1, 'it never overlaps with itself')
  await finish()
  t.equal(state.begun, 2)
  for (const why of ['d', 'e', 'f', 'g', 'h']) {
    await set(-5, why)
    await finish()
  }
  t.equal(state.begun, 7, 'and so for each of many')
  await set(undefined)
  await finish()
  await jobs.stop()
})

t.test('G9: if the job stays due after it ran, it is repeated at growing intervals', async (t) => {
  const { clock, state, set, finish, jobs } = dueTimes()
  await set(-1)
  const distances: Array<number> = []
  for (let times = 0; times < 8; times += 1) {
    await finish()
    distances.push(untilNext())
    clock.advance((distances.at(-1) ?? 0) * 1000)
    await set(-1)
  }
  t.strictSame(distances, [1, 2, 4, 8, 16, 32, 60, 60])
  t.equal(state.begun, 9)
  await set(undefined)
  await finish()
  await jobs.stop()
})

for (const step of [-3 * 365 * 86_400_000, -3_600_000, 3_600_000])
  t.test(`I9: a job that stays due is repeated as soon after the clock was set by ${step} ms`, async (t) => {
    const { clock, state, set, finish, jobs } = dueTimes()
    await set(-1)
    await finish()
    clock.set(addMillis(clock.now(), step))
    await set(-1)
    t.equal(untilNext(), 1)
    clock.advance(1000)
    await set(-1)
    t.equal(state.begun, 2)
    await set(undefined)
    await finish()
    await jobs.stop()
  })

t.test(
  'G9: a lookup of due times that throws is reported, and ends neither the process nor the watch',
  async (t) => {
    const { state, set, finish, jobs, heard } = dueTimes()
    for (const fault of [new Error('a statement is wrong'), 'a text', 0]) {
      state.fault = fault
      await set(-5, String(fault))
      t.strictSame(heard.at(-1), ['due', { cause: fault }])
    }
    t.equal(state.begun, 0)
    state.fault = undefined
    await set(-5)
    t.equal(state.begun, 1)
    await set(undefined)
    await finish()
    await jobs.stop()
  },
)

t.test(
  'C15: the job of schedules wakes for the next moment, and logs and counts those that failed',
  async (t) => {
    const clock = setClock(1_000_000)
    const ports = memoryPorts({ clock })
    const at = instant(1_000_000)
    const whole = sampleFeedItem(1, { publishAt: O.some(at) })
    const bare = sampleLibraryItem(2, { publishAt: O.some(at) })
    await ports.feedItems.add({ item: whole, linksToImages: [] })()
    await ports.libraryItems.add({ item: bare, linksToImages: [] })()
    const lines: Array<object> = []
    let failed = 0
    const log = { warn: (fields: object) => void lines.push(fields), error: () => {} }
    const job = schedulesJob(
      ports,
      () => () => {},
      log,
      () => {
        failed += 1
      },
    )
    t.match(await job.dueTimes?.next(), E.right(O.some({ at, why: `${whole.id} ${at}` })))
    t.match(job, { atStart: true, rule: 60 })
    const done = await job.work(NEVER, UNDUE)()
    t.strictSame(done, E.right({ changed: 1, failed: 1, setAside: 0 }))
    t.equal(failed, 1)
    const missing = ['coverImgUrl', 'notificationImgUrl']
    t.strictSame(lines, [{ contentType: 'library', item: bare.id, moment: 'publishAt', missing }])
    t.strictSame(await job.dueTimes?.next(), E.right(O.none))
  },
)

t.test(
  'C16: the job of proposals wakes for the next moment, and logs and counts those that failed',
  async (t) => {
    const ports = memoryPorts({ clock: setClock(1_000_000) })
    const at = instant(1_000_000)
    await ports.libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] })()
    const proposal = sampleProposal('library', 1, { publishAt: O.some(at), state: { link: 'no address' } })
    await ports.proposals.put(proposalWrite(proposal))()
    const lines: Array<object> = []
    const job = proposalsJob(
      createAlmoner(ports),
      () => () => {},
      { warn: (fields) => void lines.push(fields), error: (fields) => void lines.push(fields) },
      () => void lines.push({ counted: true }),
    )
    t.match(await job.dueTimes?.next(), E.right(O.some({ at, why: `${proposal.id} ${at}` })))
    t.strictSame(await job.work(NEVER, UNDUE)(), E.right({ changed: 0, failed: 1, setAside: 0 }))
    t.match(lines, [
      { counted: true },
      {
        contentType: 'library',
        item: proposal.itemId,
        moment: 'proposal',
        missing: ['itemTitle', 'itemDescription', 'link'],
      },
    ])
    t.strictSame(await job.dueTimes?.next(), E.right(O.none))
  },
)
