import { createAlmoner } from '@almoner/domain'
import type { Ports } from '@almoner/domain/ports'
import { addMillis, type Instant, instant, MINUTE } from '@almoner/domain/values'
import { done, sampleLibraryItem } from '@almoner/testkit/contracts'
import { memoryPorts, memoryStore } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { linkCheckJob, maintenanceJobs } from '../src/jobs/index.ts'

const RECORD = sampleLibraryItem(1)
const [HOUR, DAY, YEARS] = [60 * MINUTE, 24 * 60 * MINUTE, 3 * 365 * 24 * 60 * MINUTE]

/** The jobs of a service that begins at a moment, with a record of some age or none, and how many purges each moment brings. */
const begin = async (started: Instant, recordedAt: O.Option<Instant>) => {
  const time = { clock: started, monotonic: 5_000_000 }
  let purges = 0
  const purge = (): TE.TaskEither<never, number> => async () => {
    purges += 1
    return E.right(0)
  }
  const store = memoryStore()
  const { idempotencyKeys, history, retention, accessTokens, sessions, oneTimeSecrets, workingCopies } = store
  const ports: Ports = memoryPorts({
    ...store,
    clock: { now: () => time.clock, elapsed: () => time.monotonic },
    idempotencyKeys: { ...idempotencyKeys, purge },
    history: { ...history, purge },
    retention: { ...retention, purgeDeliveries: purge, purgeNotifications: purge },
    accessTokens: { ...accessTokens, purge },
    sessions: { ...sessions, purge },
    oneTimeSecrets: { ...oneTimeSecrets, purge },
    workingCopies: { ...workingCopies, purge },
    libraryItems: {
      ...store.libraryItems,
      purgeRemoved: () => TE.map((items: number) => ({ items, orphans: [] }))(purge()),
    },
    proposals: {
      ...store.proposals,
      purge: () => TE.map((proposals: number) => ({ proposals, orphans: [] }))(purge()),
    },
    inbox: { ...store.inbox, purgePreferences: purge },
    changes: { ...store.changes, purge },
    deadDevices: { ...store.deadDevices, purge },
    notifications: { ...store.notifications, purge },
    linkFindings: { ...store.linkFindings, rounds: () => TE.flatMap(store.linkFindings.rounds)(purge()) },
    knownImages: { ...store.knownImages, forgetReleased: () => TE.map(() => [])(purge()) },
  })
  if (O.isSome(recordedAt)) {
    const act = { actor: { kind: 'client', id: 'app' }, action: 'create', at: recordedAt.value } as const
    const item = { ...RECORD, createdAt: recordedAt.value }
    await done(ports.libraryItems.add({ item, linksToImages: [], act }))
  }
  const almoner = createAlmoner(ports, { notificationDays: O.some(30) })
  const jobs = [...maintenanceJobs(almoner), linkCheckJob(almoner)]
  return {
    /** Lets time pass, and sets the clock. */
    pass: (milliseconds: number, step = 0) => {
      time.clock = addMillis(time.clock, milliseconds + step)
      time.monotonic += milliseconds
    },
    /** Runs every job, and returns the names of the purging ones. */
    purging: async (): Promise<ReadonlyArray<string>> => {
      const names: Array<string> = []
      for (const { name, work } of jobs) {
        purges = 0
        await done(work(new AbortController().signal, () => () => {}) as TE.TaskEither<never, unknown>)
        if (purges > 0) names.push(name)
      }
      return names
    },
    all: jobs.map(({ name }) => name),
  }
}

for (const step of [MINUTE + 1, -MINUTE - 1, DAY, -DAY, YEARS, -YEARS])
  t.test(
    `I9, C17: no job deletes anything or checks links for an hour after a step of ${step / 1000} s`,
    async (t) => {
      const { pass, purging, all } = await begin(RECORD.createdAt, O.some(RECORD.createdAt))
      t.strictSame(await purging(), all)
      pass(HOUR, step)
      t.strictSame(await purging(), [])
      pass(HOUR - 1)
      t.strictSame(await purging(), [])
      pass(1)
      t.strictSame(await purging(), all)
    },
  )

t.test('I9: a clock that is set back again has jumped twice', async (t) => {
  const { pass, purging, all } = await begin(RECORD.createdAt, O.some(RECORD.createdAt))
  pass(12_000, YEARS)
  t.strictSame(await purging(), [])
  pass(12_000, -YEARS)
  t.strictSame(await purging(), [])
  pass(HOUR)
  t.strictSame(await purging(), all)
})

t.test('I9: corrections of less than a minute hold up nothing', async (t) => {
  const { pass, purging, all } = await begin(RECORD.createdAt, O.some(RECORD.createdAt))
  for (const step of [1, -1000, MINUTE, -MINUTE, 30_000]) {
    pass(HOUR, step)
    t.strictSame(await purging(), all, String(step))
  }
})

for (const [away, isHeld] of [
  [0, false],
  [DAY, false],
  [-DAY, false],
  [DAY + 1, true],
  [-DAY - 1, true],
  [YEARS, true],
  [-YEARS, true],
] as const)
  t.test(
    `I9: a start ${away / 1000} s from the newest record ${isHeld ? 'waits' : 'purges at once'}`,
    async (t) => {
      const started = addMillis(RECORD.createdAt, away)
      const { pass, purging, all } = await begin(started, O.some(RECORD.createdAt))
      t.strictSame(await purging(), isHeld ? [] : all)
      pass(HOUR)
      t.strictSame(await purging(), all)
    },
  )

t.test('I9: a store without records says nothing of the clock', async (t) => {
  const { purging, all } = await begin(instant(YEARS), O.none)
  t.strictSame(await purging(), all)
})
