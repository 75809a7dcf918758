import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ManagerPolicy } from '../../managers/ports.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { lastMonths, type PublishedCount } from '../../statistics/months.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { type LocalDate, MINUTE } from '../../values/time.ts'
import { sharedTask } from '../operations/shared-task.ts'

/** Parameters of GET /published. */
export const ShowPublished = parameters({ name: 'ShowPublished', required: {}, optional: {} })
export type ShowPublished = typeof ShowPublished._A

/** Months that are counted, the present one included. */
const MONTHS = 12

/** Milliseconds for which a count answers further callers. */
const LIFE = MINUTE

/** What was published in a month. */
export interface PublishedMonth extends PublishedCount {
  readonly first: LocalDate
}

/** Returns the Live items of the last twelve months by language, the oldest month first (B8). At most a minute old. */
export const makeShowPublished = (
  { clock, statistics }: Pick<OperationsPorts, 'clock' | 'statistics'>,
  { timeZone }: Pick<ManagerPolicy, 'timeZone'>,
) => {
  const count = sharedTask(clock, LIFE, async () => {
    const months = lastMonths(clock.now(), timeZone, MONTHS)
    const named = (counts: ReadonlyArray<PublishedCount>): ReadonlyArray<PublishedMonth> =>
      counts.flatMap((one, at) => {
        const month = months[at]
        return month === undefined ? [] : [{ first: month.first, ...one }]
      })
    return TE.map(named)(statistics.published(months))()
  })
  return (
    caller: Caller,
    _parameters: ShowPublished,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<PublishedMonth>> =>
    permitted('showDesk', caller)(() => count)
}
