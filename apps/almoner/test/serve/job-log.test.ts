import { unavailable } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { pino } from 'pino'
import t from 'tap'
import type { Job } from '../../src/composition/node.ts'
import { jobLog } from '../../src/jobs/jobs.ts'

const job = (name: string): Job => ({
  name,
  rule: '* * * * *',
  atStart: false,
  work: () => {
    throw new Error('is not run')
  },
})

const listener = () => {
  const lines: Array<Record<string, unknown>> = []
  const runs: Array<readonly [string, boolean]> = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { lines, runs, log: jobLog(logger, (...run) => runs.push(run)) }
}

t.test('the result of a job is logged: at info if it did anything, otherwise at debug', async (t) => {
  const { lines, runs, log } = listener()
  log.done(job('one figure'), 3)
  log.done({ ...job('several figures'), note: 'a remark' }, { delivered: 2, failed: 0 })
  log.done(job('nothing'), 0)
  log.done(job('no figures'), { delivered: 0, failed: 0 })
  t.match(lines, [
    { level: 30, job: 'one figure', count: 3 },
    { level: 30, job: 'several figures', delivered: 2, failed: 0, note: 'a remark' },
    { level: 20, job: 'nothing', count: 0 },
    { level: 20, job: 'no figures', delivered: 0, failed: 0 },
  ])
  t.ok(runs.every(([, failed]) => !failed))
})

t.test('a job that failed is logged with the cause, a stopped sweep with the fix', async (t) => {
  const { lines, runs, log } = listener()
  log.failed(job('outage'), unavailable(new Error('disk full')))
  log.failed(job('bug'), { cause: new Error('a bug') })
  log.failed(job('sweep'), { _tag: 'SweepStopped', refusal: 'other-storage', counts: O.none })
  log.clockSet(-3_600_000)
  t.match(lines, [
    { level: 50, job: 'outage', err: { message: 'disk full' } },
    { level: 50, job: 'bug', err: { message: 'a bug' } },
    { level: 50, job: 'sweep', reason: 'other-storage', msg: /almoner media adopt/ },
    { level: 40, milliseconds: -3_600_000, msg: 'the clock was set' },
  ])
  t.strictSame(runs, [
    ['outage', true],
    ['bug', true],
    ['sweep', true],
  ])
})
