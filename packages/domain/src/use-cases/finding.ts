import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { meansRestricted } from '../items/donor-restricted.ts'
import type { ItemFilters } from '../items/filters.ts'
import { Status } from '../items/status.ts'
import { endOfDay, startOfDay } from '../values/day-range.ts'
import { LabelId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { LocalDate } from '../values/local-date.ts'
import { oneOf, refined } from '../values/refined.ts'
import { SearchWords } from '../values/search-words.ts'
import type { TimeZone } from '../values/time-zone.ts'

/** `isDonorRestricted` as a filter: read as by a write, except that an empty value counts as absent (B9, J1). */
export const RestrictedFilter = refined<boolean>(
  'RestrictedFilter',
  (text) => E.right(meansRestricted(text)),
  {
    type: 'string',
    description: '`0` or `false` for public items, any other value for items restricted to donors.',
    example: '0',
  },
)

/** `count`: whether the response carries the number of all matching items (J1, J5). */
export const Count = oneOf(
  'Count',
  ['true', 'false'],
  'Whether to count all matching items in `X-Total-Count`.',
)

/** The parameters that narrow a list of items, and `count` (J1). */
export const FINDING = {
  q: SearchWords,
  labelId: LabelId,
  status: Status,
  isDonorRestricted: RestrictedFilter,
  from: LocalDate,
  to: LocalDate,
  count: Count,
}

/** The decoded {@link FINDING}. */
export interface Finding {
  readonly q?: ReadonlyArray<string> | undefined
  readonly labelId?: LabelId | undefined
  readonly status?: Status | undefined
  readonly isDonorRestricted?: boolean | undefined
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
  readonly count?: 'true' | 'false' | undefined
}

interface Range<K> {
  readonly from: O.Option<K>
  readonly until: O.Option<K>
}

const filtersIn = <K extends string | number>(
  { q = [], labelId, status, isDonorRestricted }: Finding,
  { from, until }: Range<K>,
): ItemFilters<K> | undefined => {
  const filters = {
    words: q,
    labelId: O.fromNullable(labelId),
    status: O.fromNullable(status),
    isDonorRestricted: O.fromNullable(isDonorRestricted),
    from,
    until,
  }
  const { words, ...others } = filters
  const narrows = words.length > 0 || Object.values<O.Option<unknown>>(others).some(O.isSome)
  return narrows ? filters : undefined
}

/** Returns the filters of a list of the library; undefined if it has none (J3). */
export const libraryFilters = (finding: Finding): ItemFilters<LocalDate> | undefined =>
  filtersIn(finding, { from: O.fromNullable(finding.from), until: O.fromNullable(finding.to) })

/** Returns the filters of a list of the feed, whose days are those of the service's time zone; undefined if it has none (J3). */
export const feedFilters = (finding: Finding, zone: TimeZone): ItemFilters<Instant> | undefined =>
  filtersIn(finding, {
    from: O.map((day: LocalDate) => startOfDay(day, zone))(O.fromNullable(finding.from)),
    until: O.chain((day: LocalDate) => endOfDay(day, zone))(O.fromNullable(finding.to)),
  })
