import { scheduledJobs } from 'node-schedule'
import t from 'tap'
import { setRepeating } from '../src/jobs/wake-up.ts'

const HOUR = 3_600_000

/** The times at which alarms ring next. */
const nextTimes = (): ReadonlyArray<number> =>
  Object.values(scheduledJobs).map((job) => job.nextInvocation()?.getTime() ?? 0)

const ring = () => {
  for (const job of Object.values(scheduledJobs)) job.invoke()
}

t.test(
  'an alarm for a minute of the hour is planned for its next time, again after each wake-up',
  async (t) => {
    for (const minute of [0, 7, 59]) {
      let wakes = 0
      const alarm = setRepeating({ minute }, () => {
        wakes += 1
      })
      for (const plan of [() => {}, ring, alarm.replan]) {
        plan()
        const [next = 0, ...others] = nextTimes()
        t.strictSame(others, [])
        t.equal(new Date(next).getUTCMinutes(), minute)
        const wait = next - Date.now()
        t.ok(wait > 0 && wait <= HOUR + 1000, `in ${wait} ms`)
      }
      t.equal(wakes, 1)
      alarm.cancel()
      t.strictSame(scheduledJobs, {})
    }
  },
)
