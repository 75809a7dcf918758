import type { Caller } from '@almoner/domain'
import { FINDING } from '@almoner/domain/content'
import type { RawParameters } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import pLimit, { type LimitFunction } from 'p-limit'
import { busy, ProblemError } from '../problems/problem.ts'

/** Long reads of one caller at a time, fewer than a store takes of all callers; and how many of its requests may wait. */
const [AT_A_TIME, QUEUE] = [2, 64]

/** Offsets up to this are passed over at once. */
const NEAR = 1000

/** Operations that read whole tables, with any parameters. */
const COUNTING: ReadonlySet<string> = new Set([
  'findUsers',
  'listFindings',
  'listTextFindings',
  'showDesk',
  'showFigures',
  'showPublished',
  'showStatistics',
])

const FILTERS = Object.keys(FINDING)

/** Returns whether the work of a request may grow with the tables: it filters, counts, or passes over an offset (I6). */
export const isLongRead = (operation: string, raw: RawParameters): boolean => {
  const isGiven = (name: string) => raw[name] !== undefined && raw[name] !== ''
  return COUNTING.has(operation) || FILTERS.some(isGiven) || Number(raw['offset'] ?? 0) > NEAR
}

/** Waits until a caller may read for long, and resolves to what ends that. Rejects with a ProblemError when too many of its requests wait. */
export type EnterLongRead = (caller: Pick<Caller, 'clientId' | 'email'>) => Promise<() => void>

/** Makes the limit of long reads: one caller never takes all that a store reads at a time, so others go on (I6). */
export const limitLongReads = (): EnterLongRead => {
  const limits = new Map<string, LimitFunction>()
  return async ({ clientId, email }) => {
    const key = JSON.stringify([clientId, O.toNullable(email)])
    const limit = limits.get(key) ?? pLimit(AT_A_TIME)
    limits.set(key, limit)
    if (limit.activeCount + limit.pendingCount >= AT_A_TIME + QUEUE)
      throw new ProblemError(busy(new Error('Too many searches of this caller are waiting.')))
    return new Promise((entered) => {
      const read = limit(() => new Promise<void>((end) => entered(end)))
      void read.then(() => {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(key)
      })
    })
  }
}
