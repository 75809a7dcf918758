import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../access/caller.ts'
import { STATUSES } from '../content/model.ts'
import { CONTENT_TYPES } from '../history/model.ts'
import type { ManagerPolicy } from '../managers/ports.ts'
import { NO_OUTCOMES, OUTCOMES, type Tally } from '../notifications/model.ts'
import { type DeviceKind, PROVIDERS } from '../people/destinations.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { LANGUAGES } from '../values/text.ts'
import {
  addMillis,
  dayOf,
  type Instant,
  type LocalDate,
  MINUTE,
  startOfDay,
  type TimeZone,
} from '../values/time.ts'
import { sharedTask } from './figures.ts'
import type { DeviceCount, ItemCount, Survey } from './model.ts'
import type { OperationsPorts } from './ports.ts'

/** A day of a time zone. */
export interface Day {
  readonly day: LocalDate
  readonly begins: Instant
}

/** Returns this number of days of a time zone up to the day of `now`, oldest first (B8). */
export const lastDays = (now: Instant, zone: TimeZone, count: number): ReadonlyArray<Day> => {
  const days: Array<Day> = []
  for (let moment = now; days.length < count; ) {
    const day = dayOf(moment, zone)
    const begins = startOfDay(day, zone)
    days.unshift({ day, begins })
    moment = addMillis(begins, -1)
  }
  return days
}

/** Which of some days, told by their beginnings, a moment lies in; -1 when it lies before the first. The last has no end. */
export const dayAmong = (begins: ReadonlyArray<Instant>, moment: Instant): number =>
  begins.findLastIndex((begin) => begin <= moment)

/** Outcomes of the devices of a day. */
export interface DayTally extends Tally {
  readonly day: LocalDate
}

/** A service in numbers: everything in order, zeros too. */
export interface StatisticsReport {
  readonly items: ReadonlyArray<ItemCount>
  readonly devices: ReadonlyArray<DeviceCount>
  readonly deliveries: {
    readonly timeZone: TimeZone
    /** The oldest day first. */
    readonly days: ReadonlyArray<DayTally>
    readonly total: Tally
  }
}

const KINDS: ReadonlyArray<DeviceKind> = [...PROVIDERS, 'unroutable']

const sum = (tallies: ReadonlyArray<Tally>): Tally => {
  const total = { ...NO_OUTCOMES }
  for (const tally of tallies) for (const outcome of OUTCOMES) total[outcome] += tally[outcome]
  return total
}

const itemsOf = (counted: Survey['items']): ReadonlyArray<ItemCount> =>
  CONTENT_TYPES.flatMap((contentType) => LANGUAGES.map((lang) => ({ contentType, lang }))).flatMap(
    ({ contentType, lang }) =>
      STATUSES.map((status) => {
        const found = counted.find(
          (one) => one.contentType === contentType && one.status === status && one.lang === lang,
        )
        return { contentType, status, lang, count: found?.count ?? 0 }
      }),
  )

const devicesOf = (counted: Survey['devices']): ReadonlyArray<DeviceCount> => {
  const others = counted.filter(({ kind }) => !KINDS.includes(kind))
  const known = KINDS.map((kind) => ({ kind, count: counted.find((one) => one.kind === kind)?.count ?? 0 }))
  return [...known, ...others]
}

/** Returns a survey in order, with the days that it counted. */
export const reportOf = (
  { items, devices, deliveries }: Survey,
  days: ReadonlyArray<Day>,
  timeZone: TimeZone,
): StatisticsReport => ({
  items: itemsOf(items),
  devices: devicesOf(devices),
  deliveries: {
    timeZone,
    days: days.map(({ day }, n) => ({ day, ...(deliveries[n] ?? NO_OUTCOMES) })),
    total: sum(deliveries),
  },
})

/** Parameters of GET /statistics. */
export const ShowStatistics = parameters({ name: 'ShowStatistics', required: {}, optional: {} })
export type ShowStatistics = typeof ShowStatistics._A

/** Days that are reported, today included. */
const DAYS = 30

/** Milliseconds for which a report answers further callers: with millions of rows, counting takes seconds. */
const LIFE = MINUTE

type ShowStatisticsNeeds = Pick<OperationsPorts, 'statistics' | 'clock'>

/** Counts content, devices, and the outcomes of deliveries by day (B8). Checks no caller. */
export const readStatistics =
  ({ statistics, clock }: ShowStatisticsNeeds, { timeZone }: Pick<ManagerPolicy, 'timeZone'>) =>
  (): TE.TaskEither<Unavailable, StatisticsReport> => {
    const days = lastDays(clock.now(), timeZone, DAYS)
    return TE.map((survey: Survey) => reportOf(survey, days, timeZone))(
      statistics.survey(days.map(({ begins }) => begins)),
    )
  }

/** Returns content by state and language, devices by kind, and the outcomes of 30 days, for operators (B8). At most a minute old. */
export const makeShowStatistics = (ports: ShowStatisticsNeeds, policy: Pick<ManagerPolicy, 'timeZone'>) => {
  const report = sharedTask(ports.clock, LIFE, async () => readStatistics(ports, policy)()())
  return (
    caller: Caller,
    _parameters: ShowStatistics,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | Unavailable, StatisticsReport> =>
    permitted('operate', caller)(() => report)
}
