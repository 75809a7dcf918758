import type { LibraryItem } from '../content/model.ts'
import type { Language } from '../values/text.ts'
import { dayOf, type Instant, type LocalDate, startOfDay, type TimeZone } from '../values/time.ts'

/** A month of a time zone: its first day, and the moment at which that day begins. */
export interface Month {
  readonly first: LocalDate
  readonly begins: Instant
}

/** How many items of a language are Live. */
export type ByLanguage = Readonly<Record<Language, number>>

/** Live items of a month. */
export interface PublishedCount {
  readonly library: ByLanguage
  readonly feed: ByLanguage
}

const firstOf = (year: number, month: number): LocalDate =>
  new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10) as LocalDate

/** Returns this number of months of a time zone up to that of `now`, oldest first, and the beginning of the month after them (B8). */
export const lastMonths = (now: Instant, zone: TimeZone, count: number): ReadonlyArray<Month> => {
  const today = new Date(dayOf(now, zone))
  return Array.from({ length: count + 1 }, (_, at) => {
    const first = firstOf(today.getUTCFullYear(), today.getUTCMonth() - count + 1 + at)
    return { first, begins: startOfDay(first, zone) }
  })
}

interface Published {
  readonly library: ReadonlyArray<Pick<LibraryItem, 'lang' | 'status' | 'publicationDate'>>
  readonly feed: ReadonlyArray<Pick<LibraryItem, 'lang' | 'status' | 'createdAt'>>
}

/**
 * Counts the Live items of each month: publications by their publication date, posts by the moment at which they were created.
 * @param months as `lastMonths` returns them; the last one is only the end of the one before
 */
export const countPublished = (
  { library, feed }: Published,
  months: ReadonlyArray<Month>,
): ReadonlyArray<PublishedCount> => {
  const inMonth = (isBefore: (month: Month) => boolean, at: number) => months.findIndex(isBefore) === at + 1
  const by = <A extends { readonly lang: Language; readonly status: string }>(
    items: ReadonlyArray<A>,
    isIn: (item: A) => boolean,
  ): ByLanguage => {
    const live = items.filter((item) => item.status === 'Live' && isIn(item))
    const en = live.filter(({ lang }) => lang === 'en').length
    return { en, fr: live.length - en }
  }
  return months.slice(0, -1).map((_, at) => ({
    library: by(library, ({ publicationDate }) => inMonth(({ first }) => publicationDate < first, at)),
    feed: by(feed, ({ createdAt }) => inMonth(({ begins }) => createdAt < begins, at)),
  }))
}
