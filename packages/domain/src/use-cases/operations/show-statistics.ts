import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ManagerPolicy } from '../../managers/ports.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { lastDays } from '../../statistics/days.ts'
import { reportOf, type StatisticsReport } from '../../statistics/report.ts'
import type { Survey } from '../../statistics/survey.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { MINUTE } from '../../values/time.ts'
import { sharedTask } from './shared-task.ts'

/** Parameters of GET /statistics. */
export const ShowStatistics = parameters({ name: 'ShowStatistics', required: {}, optional: {} })
export type ShowStatistics = typeof ShowStatistics._A

/** Days that are reported, today included. */
const DAYS = 30

/** Milliseconds for which a report answers further callers: with millions of rows, counting takes seconds. */
const LIFE = MINUTE

type Needs = Pick<OperationsPorts, 'statistics' | 'clock'>

/** Counts content, devices, and the outcomes of deliveries by day (B8). Checks no caller. */
export const readStatistics =
  ({ statistics, clock }: Needs, { timeZone }: Pick<ManagerPolicy, 'timeZone'>) =>
  (): TE.TaskEither<Unavailable, StatisticsReport> => {
    const days = lastDays(clock.now(), timeZone, DAYS)
    return TE.map((survey: Survey) => reportOf(survey, days, timeZone))(
      statistics.survey(days.map(({ begins }) => begins)),
    )
  }

/** Returns content by state and language, devices by kind, and the outcomes of 30 days, for operators (B8). At most a minute old. */
export const makeShowStatistics = (ports: Needs, policy: Pick<ManagerPolicy, 'timeZone'>) => {
  const report = sharedTask(ports.clock, LIFE, async () => readStatistics(ports, policy)()())
  return (
    caller: Caller,
    _parameters: ShowStatistics,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | Unavailable, StatisticsReport> =>
    permitted('operate', caller)(() => report)
}
