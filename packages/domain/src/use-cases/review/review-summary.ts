import { NO_OUTCOMES, type Shortened, type Tally } from '../../notifications/model.ts'
import type { Pause } from '../../notifications/pause.ts'
import type { NotificationId } from '../../values/ids.ts'
import type { SetAside } from './record-results.ts'
import type { ResponseCount } from './response-counts.ts'
import type { Served } from './send-batch.ts'

/** What one review did. */
export interface ReviewSummary {
  /** Notifications that it took up. */
  readonly started: number
  /** Final outcomes. */
  readonly tally: Tally
  /** Sends that are to be tried again. */
  readonly retries: number
  /** Devices that wait for their origin, as often as they were put off. */
  readonly deferred: number
  /** Origins that it has stopped, or that are probed from now on. */
  readonly paused: ReadonlyArray<Pause>
  /** What providers answered to pushes that they did not take. */
  readonly answers: ReadonlyArray<ResponseCount>
  /** Results that could not be recorded, by batch; their devices count as failed (G10). */
  readonly setAside: ReadonlyArray<SetAside>
  /** Notifications whose items have made their messages too long, and what was left out (G6). */
  readonly shortened: ReadonlyArray<{
    readonly notificationId: NotificationId
    readonly shortened: Shortened
  }>
}

/** A review before it has done anything. */
export const NOTHING: ReviewSummary = {
  started: 0,
  tally: NO_OUTCOMES,
  retries: 0,
  deferred: 0,
  paused: [],
  answers: [],
  setAside: [],
  shortened: [],
}

/** Adds results to a summary. */
export const addResults = (
  before: ReviewSummary,
  { results, paused, setAside: unrecorded }: Served,
): ReviewSummary => {
  const tally = { ...before.tally }
  let { retries, deferred } = before
  for (const result of results) {
    if (result.kind === 'ended') tally[result.outcome] += 1
    else if (result.kind === 'held') deferred += 1
    else retries += 1
  }
  tally.failed += unrecorded?.devices ?? 0
  const setAside = unrecorded === undefined ? before.setAside : [...before.setAside, unrecorded]
  return { ...before, tally, retries, deferred, setAside, paused: [...before.paused, ...paused] }
}
