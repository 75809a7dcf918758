import { STATUSES } from '../content/model.ts'
import { CONTENT_TYPES } from '../history/model.ts'
import { NO_OUTCOMES, OUTCOMES, type Tally } from '../notifications/model.ts'
import { type DeviceKind, PROVIDERS } from '../people/destinations.ts'
import { LANGUAGES } from '../values/text.ts'
import type { LocalDate, TimeZone } from '../values/time.ts'
import type { Day } from './days.ts'
import type { DeviceCount, ItemCount, Survey } from './survey.ts'

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
