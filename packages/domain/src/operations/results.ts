import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import type { ManagerPolicy } from '../managers/ports.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { type LocalDate, MINUTE } from '../values/time.ts'
import { sharedTask } from './figures.ts'
import { lastMonths, NOTHING_SENT, type PublishedCount, type Reach, type SentMonth } from './model.ts'
import type { OperationsPorts } from './ports.ts'

/** Parameters of GET /results. */
export const ShowResults = parameters({ name: 'ShowResults', required: {}, optional: {} })
export type ShowResults = typeof ShowResults._A

/** Months that are counted, the present one included: two whole years at any time. */
const MONTHS = 36

/** Milliseconds for which a count answers further callers. */
const LIFE = MINUTE

/** What was published and sent in a month. */
export interface ResultMonth extends PublishedCount {
  readonly first: LocalDate
  readonly sent: SentMonth
}

/** What the service has done, by month, and whom it reaches now. */
export interface Results extends Pick<Reach, 'devices' | 'people' | 'topics'> {
  /** The oldest month first. */
  readonly months: ReadonlyArray<ResultMonth>
}

/**
 * Returns what was published and sent in each of the last 36 months, the oldest first, and whom the service reaches now: devices by kind, people by
 * language and topic (B8, F6, G7). At most a minute old.
 */
export const makeShowResults = (
  { clock, statistics }: Pick<OperationsPorts, 'clock' | 'statistics'>,
  { timeZone }: Pick<ManagerPolicy, 'timeZone'>,
) => {
  const count: TE.TaskEither<Unavailable, Results> = sharedTask(clock, LIFE, async () => {
    const months = lastMonths(clock.now(), timeZone, MONTHS)
    const counted = pipe(
      TE.Do,
      TE.bind('published', () => statistics.published(months)),
      TE.bind('reach', () => statistics.reach(months)),
      TE.map(({ published, reach: { sent, devices, people, topics } }) => ({
        ...{ devices, people, topics },
        months: published.flatMap((one, at): ReadonlyArray<ResultMonth> => {
          const first = months[at]?.first
          const found = sent[at] ?? { en: NOTHING_SENT, fr: NOTHING_SENT }
          return first === undefined ? [] : [{ first, ...one, sent: found }]
        }),
      })),
    )
    return counted()
  })
  return (
    caller: Caller,
    _parameters: ShowResults,
  ): TE.TaskEither<InsufficientScope | Unavailable, Results> => permitted('showDesk', caller)(() => count)
}
