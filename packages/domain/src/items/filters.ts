import * as O from 'fp-ts/lib/Option.js'
import type { LabelId } from '../values/ids.ts'
import { type ItemDescription, type ItemTitle, searchWords } from '../values/text.ts'
import type { Status } from './item.ts'
import type { Visibility } from './visibility.ts'

/** Narrows a list of items to the ones that match every filter (J1 to J3). `K` is the type of the date that orders them. */
export interface ItemFilters<K extends string | number> {
  /** Folded words, each of which begins a word of the title or description. */
  readonly words: ReadonlyArray<string>
  readonly labelId: O.Option<LabelId>
  readonly status: O.Option<Status>
  readonly isDonorRestricted: O.Option<boolean>
  /** The first and the last date of the order, both included. */
  readonly from: O.Option<K>
  readonly until: O.Option<K>
}

/** The members of an item that filters look at, beside its date and its labels. */
export interface Filterable {
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly status: Status
  readonly isDonorRestricted: boolean
}

/** Returns the words of an item, folded and each after a space, so that ` wat` is found in it where a word begins with `wat` (J2). */
export const searchTextOf = ({ title, description }: Pick<Filterable, 'title' | 'description'>): string =>
  ['', ...searchWords(`${title} ${description}`)].join(' ')

const isOrAny = <A>(wanted: O.Option<A>, actual: A): boolean => O.isNone(wanted) || wanted.value === actual

const isWithin = <K extends string | number>(
  { from, until }: Pick<ItemFilters<K>, 'from' | 'until'>,
  date: K,
): boolean => (O.isNone(from) || date >= from.value) && (O.isNone(until) || date <= until.value)

const hasWords = (words: ReadonlyArray<string>, item: Filterable): boolean => {
  if (words.length === 0) return true
  const text = searchTextOf(item)
  return words.every((word) => text.includes(` ${word}`))
}

/** Returns whether an item with this date and these labels matches every filter (J1 to J3). Each store's translation is tested against it. */
export const matchesFilters =
  <K extends string | number>(filters: ItemFilters<K>) =>
  (item: Filterable, date: K, labels: ReadonlySet<LabelId>): boolean =>
    isOrAny(filters.status, item.status) &&
    isOrAny(filters.isDonorRestricted, item.isDonorRestricted) &&
    isWithin(filters, date) &&
    (O.isNone(filters.labelId) || labels.has(filters.labelId.value)) &&
    hasWords(filters.words, item)

/** Returns whether no item can match: a store need not search. A caller sees no Drafts, and no date is after a later one (J1, J3). */
export const matchesNothing = <K extends string | number>({
  visibility,
  filters,
}: {
  readonly visibility: Visibility
  readonly filters?: ItemFilters<K> | undefined
}): boolean => {
  if (filters === undefined) return false
  const { status, isDonorRestricted, from, until } = filters
  if (O.isSome(from) && O.isSome(until) && from.value > until.value) return true
  if (visibility.kind === 'everything') return false
  const hides = O.isSome(isDonorRestricted) && isDonorRestricted.value && !visibility.restricted
  return hides || (O.isSome(status) && status.value !== 'Live')
}
