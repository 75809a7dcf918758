import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type DeviceCount,
  dayAmong,
  type Instant,
  type ItemCount,
  type LibraryItem,
  NO_OUTCOMES,
  type Shelf,
  type Statistics,
  type Tally,
} from '../src/index.ts'
import type { Tables } from './tables.ts'

const countOf = <A extends object>(kinds: Iterable<A>): ReadonlyArray<A & { readonly count: number }> => {
  const counts = new Map<string, A & { readonly count: number }>()
  for (const kind of kinds) {
    const key = JSON.stringify(kind)
    counts.set(key, { ...kind, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

const itemsOn = (
  shelf: Shelf,
  items: Iterable<Pick<LibraryItem, 'status' | 'lang'>>,
): ReadonlyArray<ItemCount> => countOf([...items].map(({ status, lang }) => ({ shelf, status, lang })))

const devicesIn = ({ devices }: Tables): ReadonlyArray<DeviceCount> =>
  countOf([...devices.values()].map(({ device: { kind } }) => ({ kind })))

const deliveriesIn = (
  { notifications, sendings }: Tables,
  days: ReadonlyArray<Instant>,
): ReadonlyArray<Tally> => {
  const tallies = days.map(() => ({ ...NO_OUTCOMES }))
  const living = [...sendings].filter(([id]) => notifications.has(id))
  for (const { standing } of living.flatMap(([, { recipients }]) => recipients)) {
    const tally = standing.kind === 'ended' ? tallies[dayAmong(days, standing.at)] : undefined
    if (standing.kind === 'ended' && tally !== undefined) tally[standing.outcome] += 1
  }
  return tallies
}

/** Counts what is in memory, one by one. */
export const memoryStatistics = (tables: Tables): Statistics => ({
  survey: (days) =>
    TE.fromIO(() => ({
      items: [...itemsOn('library', tables.library.values()), ...itemsOn('feed', tables.feed.values())],
      devices: devicesIn(tables),
      deliveries: deliveriesIn(tables, days),
    })),
})
