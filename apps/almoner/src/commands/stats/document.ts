import {
  type CalendarDay,
  type Day,
  type DeviceCount,
  type DeviceKind,
  type ItemCount,
  LANGUAGES,
  NO_OUTCOMES,
  OUTCOMES,
  PROVIDERS,
  SHELVES,
  STATUSES,
  type Survey,
  type Tally,
  type TimeZone,
} from '@almoner/domain'

const KINDS: ReadonlyArray<DeviceKind> = [...PROVIDERS, 'unroutable']

/** How turns ended on one day. */
export interface DayOfDeliveries extends Tally {
  readonly day: CalendarDay
}

/** What `stats --json` prints: everything in its order, what there is none of too. */
export interface StatsDocument {
  readonly items: ReadonlyArray<ItemCount>
  readonly devices: ReadonlyArray<DeviceCount>
  readonly deliveries: {
    readonly timeZone: TimeZone
    /** Oldest first. */
    readonly days: ReadonlyArray<DayOfDeliveries>
    readonly total: Tally
  }
}

const sum = (tallies: ReadonlyArray<Tally>): Tally => {
  const total = { ...NO_OUTCOMES }
  for (const tally of tallies) for (const outcome of OUTCOMES) total[outcome] += tally[outcome]
  return total
}

const items = (counted: Survey['items']): StatsDocument['items'] =>
  SHELVES.flatMap((shelf) => LANGUAGES.map((lang) => ({ shelf, lang }))).flatMap(({ shelf, lang }) =>
    STATUSES.map((status) => {
      const found = counted.find((one) => one.shelf === shelf && one.status === status && one.lang === lang)
      return { shelf, status, lang, count: found?.count ?? 0 }
    }),
  )

/** A survey of some days as a document. */
export const statsDocument = (
  { items: counted, devices, deliveries }: Survey,
  days: ReadonlyArray<Day>,
  timeZone: TimeZone,
): StatsDocument => ({
  items: items(counted),
  devices: KINDS.map((kind) => ({
    kind,
    count: devices.find((one) => one.kind === kind)?.count ?? 0,
  })),
  deliveries: {
    timeZone,
    days: days.map(({ day }, n) => ({ day, ...(deliveries[n] ?? NO_OUTCOMES) })),
    total: sum(deliveries),
  },
})
