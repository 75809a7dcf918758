import { instant, type MediaName, unavailable } from '@almoner/domain'
import { setClock } from '@almoner/domain/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { scheduledJobs } from 'node-schedule'
import { pino } from 'pino'
import t from 'tap'
import { type Chore, schedule, upkeep } from '../src/schedule.ts'

const FILE = 'an-orphan-of-a-crash.png' as MediaName

/** A logger whose lines can be read. */
const listener = () => {
  const lines: Array<Record<string, unknown>> = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { lines, logger }
}

/** What the clock would do at the full minute. */
const tick = () => {
  for (const job of Object.values(scheduledJobs)) job.invoke()
}

/** A chore that is done when it is told to be, and counts how often it was begun. */
const held = (atStart: boolean) => {
  const state = { begun: 0, release: () => {} }
  const chore: Chore = {
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
  return { state, chore }
}

t.test('a chore never overlaps with itself, and stopping waits for it', async (t) => {
  const { state, chore } = held(false)
  const jobs = schedule([chore], listener().logger)
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

t.test('a chore that is done is done again, some also at the start', async (t) => {
  const { state, chore } = held(true)
  const jobs = schedule([chore], listener().logger)
  t.equal(state.begun, 1)
  state.release()
  await new Promise(setImmediate)
  tick()
  t.equal(state.begun, 2)
  state.release()
  await jobs.stop()
})

t.test('a chore that fails or throws is logged, and that is all', async (t) => {
  const { lines, logger } = listener()
  const common = { rule: '* * * * *', atStart: true }
  const jobs = schedule(
    [
      { ...common, name: 'outage', work: () => TE.left(unavailable(new Error('disk full'))) },
      { ...common, name: 'bug', work: () => () => Promise.reject(new Error('a bug')) },
    ],
    logger,
  )
  await jobs.stop()
  t.match(lines, [
    { level: 50, chore: 'outage', err: { message: 'disk full' } },
    { level: 50, chore: 'bug', err: { message: 'a bug' } },
  ])
})

t.test('A6, D5: upkeep purges tokens until none is left, and sweeps orphans, at the start too', async (t) => {
  const purged = [2000, 2000, 7, 0]
  const removed: Array<string> = []
  const chores = upkeep({
    clock: setClock(),
    accessTokens: {
      add: () => TE.right(undefined),
      grantOf: () => TE.left(unavailable('not asked')),
      revoke: () => TE.right(false),
      purge: () => async () => E.right(purged.shift() ?? 0),
    },
    knownImages: { among: () => TE.right(new Set()) },
    mediaStore: {
      put: () => TE.right(undefined),
      remove: (name) => async () => E.right(void removed.push(name)),
      files: async function* () {
        yield [{ name: FILE, storedAt: instant(0) }]
      },
    },
  })
  t.match(chores, [
    { name: 'purge tokens', atStart: false },
    { name: 'sweep orphans', atStart: true },
  ])
  t.strictSame(await chores[0]?.work()(), E.right(4007))
  t.strictSame(await chores[1]?.work()(), E.right(1))
  t.strictSame([purged, removed], [[], [FILE]])
})
