import { Settings } from 'luxon'
import { type Job, scheduleJob } from 'node-schedule'

// node-schedule counts with luxon, which asks for the machine's locale though no date is shown: Intl's tables take 8 MB.
Settings.defaultLocale = 'en'

/** A cron expression, or a number of seconds between two wake-ups. */
export type Rule = string | number

const SECOND = 1000

/** An alarm that is set. */
interface Alarm {
  readonly cancel: () => void
}

/** node-schedule accepts no moment that has passed when it looks at it; in milliseconds. */
const SOONEST = 100

/** An alarm that rings by a rule. */
interface RepeatingAlarm extends Alarm {
  /** Plans the next wake-up again, by the present time of the machine's clock. */
  readonly replan: () => void
}

/** Wakes by a rule. Remaining time is counted by the monotonic clock: node-schedule would wait longer when the clock is set back. */
export const setRepeating = (rule: Rule, wake: () => void): RepeatingAlarm => {
  const begun = { at: performance.now() }
  const moment = (seconds: number): Date => {
    const left = begun.at + seconds * SECOND - performance.now()
    return new Date(Date.now() + Math.max(left, SOONEST))
  }
  const plan = (): Job => scheduleJob(typeof rule === 'string' ? rule : moment(rule), ring)
  const replan = () => {
    job.cancel()
    job = plan()
  }
  const ring = () => {
    begun.at = performance.now()
    if (typeof rule === 'number') replan()
    wake()
  }
  let job = plan()
  return { replan, cancel: () => void job.cancel() }
}

/** Wakes once, after a number of milliseconds. */
export const setOnce = (milliseconds: number, wake: () => void): Alarm => {
  const job = scheduleJob(new Date(Date.now() + Math.max(milliseconds, SOONEST)), wake)
  return { cancel: () => void job.cancel() }
}

/** Milliseconds between two looks at the machine's clock, and the smallest step that matters. */
const [LOOK, LEAST] = [1000, 1000]

/** Calls back within a second after the machine's clock was set, with the step in milliseconds. Returns a function that ends this. */
export const watchClock = (onStep: (step: number) => void): (() => void) => {
  const ahead = () => Date.now() - performance.now()
  let before = ahead()
  const timer = setInterval(() => {
    const step = ahead() - before
    before += step
    if (Math.abs(step) >= LEAST) onStep(Math.round(step))
  }, LOOK).unref()
  return () => clearInterval(timer)
}
