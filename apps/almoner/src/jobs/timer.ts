import { Settings } from 'luxon'
import { type Job, scheduleJob } from 'node-schedule'

// node-schedule counts with luxon, which asks for the machine's locale though nobody reads its dates: Intl's tables take 8 MB.
Settings.defaultLocale = 'en'

/** When to wake: as cron has it, or, as a number, so many seconds after the last time. */
export type Rule = string | number

/** Wakes again and again, until it is cancelled. */
export interface Alarm {
  /** Plans anew what is to come, by the clock as it is now. */
  readonly replan: () => void
  readonly cancel: () => void
}

const SECOND = 1000

/** node-schedule takes no moment that is past when it looks at it; in milliseconds. */
const SOONEST = 100

/**
 * Has node-schedule wake by a rule. It waits for moments of the machine's clock: where that is set back, it would wait as much
 * longer. So what is still to be waited is counted by a clock that nobody sets, and `replan` sets the moment right.
 */
export const setAlarm = (rule: Rule, wake: () => void): Alarm => {
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

/** One wake-up that is yet to come. */
export interface Once {
  readonly cancel: () => void
}

/** Has node-schedule wake once, after so many milliseconds. */
export const setOnce = (milliseconds: number, wake: () => void): Once => {
  const job = scheduleJob(new Date(Date.now() + Math.max(milliseconds, SOONEST)), wake)
  return { cancel: () => void job.cancel() }
}
