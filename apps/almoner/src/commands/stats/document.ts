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

/** The output of `stats --json`: everything in order, zeros too. */
export interface StatsDocument {
  readonly items: ReadonlyArray<ItemCount>
  readonly devices: ReadonlyArray<DeviceCount>
  readonly deliveries: {
    readonly timeZone: TimeZone
    /** Oldest first. */
    readonly days: ReadonlyArray<Tally & { readonly day: CalendarDay }>
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

/** Makes a document of a survey of some days. */
export const statsDocument = (
  { items: counted, devices, deliveries }: Survey,
  days: ReadonlyArray<Day>,
  timeZone: TimeZone,
): StatsDocument => ({
  items: items(counted),
  devices: KINDS.map((kind) => ({ kind, count: devices.find((one) => one.kind === kind)?.count ?? 0 })),
  deliveries: {
    timeZone,
    days: days.map(({ day }, n) => ({ day, ...(deliveries[n] ?? NO_OUTCOMES) })),
    total: sum(deliveries),
  },
})
