import type { ContentType, Status } from '../items.ts'
import type { ListQuery } from '../items-api.ts'

/** Items on one page of a list. */
export const PAGE_SIZE = 25

/** The filters of a list, as its URL has them. An empty text filters nothing. */
export interface ListFilters {
  readonly q: string
  readonly status: string
  readonly lang: string
  readonly labelId: string
  readonly isDonorRestricted: string
  /** Publications only: a {@link TranslationState}. */
  readonly translation: string
  readonly offset: number
}

/** Reads the filters from the parameters of a URL. */
export const filtersOf = (query: URLSearchParams): ListFilters => ({
  q: query.get('q') ?? '',
  status: query.get('status') ?? '',
  lang: query.get('lang') ?? '',
  labelId: query.get('labelId') ?? '',
  isDonorRestricted: query.get('isDonorRestricted') ?? '',
  translation: query.get('translation') ?? '',
  offset: Math.max(0, Math.trunc(Number(query.get('offset')))) || 0,
})

/** Returns the query of the API for these filters, without that of translations, which the API does not have. */
export const apiQueryOf = (
  contentType: ContentType,
  { q, status, lang, labelId, isDonorRestricted, offset }: ListFilters,
): ListQuery => ({
  lim: PAGE_SIZE,
  offset,
  include: contentType === 'library' ? 'labels,translation' : 'labels',
  ...(q !== '' && { q }),
  ...(status !== '' && { status: status as Status }),
  ...(lang !== '' && { lang }),
  ...(labelId !== '' && { labelId }),
  ...(isDonorRestricted !== '' && { isDonorRestricted }),
})
