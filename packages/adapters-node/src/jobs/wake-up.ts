import { Settings } from 'luxon'
import { type Job, scheduleJob } from 'node-schedule'

// node-schedule counts with luxon, which asks for the machine's locale though no date is shown: Intl's tables take 8 MB.
Settings.defaultLocale = 'en'

/** A number of seconds between two wake-ups, a minute of each hour, or a cron expression. */
export type Rule = number | { readonly minute: number } | string

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

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

/** Returns the milliseconds until a minute of the hour begins. A timer may ring a moment before it, and then the next one counts. */
const untilMinute = (minute: number): number => {
  const left = HOUR - ((Date.now() - minute * MINUTE) % HOUR)
  return left < SECOND ? left + HOUR : left
}

/** Wakes by a rule. Remaining time is counted by the monotonic clock: node-schedule would wait longer when the clock is set back. */
export const setRepeating = (rule: Rule, wake: () => void): RepeatingAlarm => {
  const begun = { at: performance.now() }
  const moment = (): Date | string => {
    if (typeof rule === 'string') return rule
    const left =
      typeof rule === 'number' ? begun.at + rule * SECOND - performance.now() : untilMinute(rule.minute)
    return new Date(Date.now() + Math.max(left, SOONEST))
  }
  const plan = (): Job => scheduleJob(moment(), ring)
  const replan = () => {
    job.cancel()
    job = plan()
  }
  const ring = () => {
    begun.at = performance.now()
    if (typeof rule !== 'string') replan()
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
