import { CONTENT_TYPES, STATUSES } from '@almoner/domain/library'
import { type DeviceKind, NO_OUTCOMES, OUTCOMES, PROVIDERS, type Tally } from '@almoner/domain/notifications'
import type { Day, ItemCount, Survey } from '@almoner/domain/ports'
import { LANGUAGES, type TimeZone } from '@almoner/domain/values'

const KINDS: ReadonlyArray<DeviceKind> = [...PROVIDERS, 'unroutable']

const sum = (tallies: ReadonlyArray<Tally>): Tally => {
  const total = { ...NO_OUTCOMES }
  for (const tally of tallies) for (const outcome of OUTCOMES) total[outcome] += tally[outcome]
  return total
}

const items = (counted: Survey['items']): ReadonlyArray<ItemCount> =>
  CONTENT_TYPES.flatMap((contentType) => LANGUAGES.map((lang) => ({ contentType, lang }))).flatMap(
    ({ contentType, lang }) =>
      STATUSES.map((status) => {
        const found = counted.find(
          (one) => one.contentType === contentType && one.status === status && one.lang === lang,
        )
        return { contentType, status, lang, count: found?.count ?? 0 }
      }),
  )

/** Makes the document of `stats --json`: everything in order, zeros too. */
export const statsDocument = (
  { items: counted, devices, deliveries }: Survey,
  days: ReadonlyArray<Day>,
  timeZone: TimeZone,
) => ({
  items: items(counted),
  devices: KINDS.map((kind) => ({ kind, count: devices.find((one) => one.kind === kind)?.count ?? 0 })),
  deliveries: {
    timeZone,
    days: days.map(({ day }, n) => ({ day, ...(deliveries[n] ?? NO_OUTCOMES) })),
    total: sum(deliveries),
  },
})

export type StatsDocument = ReturnType<typeof statsDocument>
