import { useEffect } from 'react'
import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { goTo, useUrl, withQuery } from '../../session/router.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Icon, SelectField } from '../../ui/controls.tsx'
import { Pager, Search } from '../../ui/list.tsx'
import { Problem } from '../../ui/problem.tsx'
import { BulkBar, BulkReport } from '../bulk/bulk-bar.tsx'
import {
  type ContentType,
  type Item,
  isPost,
  type Label,
  type Status,
  type TranslationState,
  translationState,
} from '../items.ts'
import { type ItemPage, type ListQuery, listItems, listLabels, withChanged } from '../items-api.ts'
import { ItemList, useSelection } from './item-list.tsx'

/** Items on one page of a list. */
const PAGE_SIZE = 25

/** The filters of a list, as its URL has them. An empty text filters nothing. */
interface ListFilters {
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
const filtersOf = (query: URLSearchParams): ListFilters => ({
  q: query.get('q') ?? '',
  status: query.get('status') ?? '',
  lang: query.get('lang') ?? '',
  labelId: query.get('labelId') ?? '',
  isDonorRestricted: query.get('isDonorRestricted') ?? '',
  translation: query.get('translation') ?? '',
  offset: Math.max(0, Math.trunc(Number(query.get('offset')))) || 0,
})

/** Returns the query of the API for these filters, without that of translations, which the API does not have. */
const apiQueryOf = (
  contentType: ContentType,
  { q, status, lang, labelId, isDonorRestricted, offset }: ListFilters,
): ListQuery => ({
  lim: PAGE_SIZE,
  offset,
  include: contentType === 'library' ? 'labels,images,translation,older' : 'labels,images',
  ...(q !== '' && { q }),
  ...(status !== '' && { status: status as Status }),
  ...(lang !== '' && { lang }),
  ...(labelId !== '' && { labelId }),
  ...(isDonorRestricted !== '' && { isDonorRestricted }),
})

/** Search and filters of a list. */
const Filters = ({
  contentType,
  filters,
  labels,
  onChange,
}: {
  readonly contentType: ContentType
  readonly filters: ListFilters
  readonly labels: ReadonlyArray<Label>
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}) => {
  const { list, status, languages } = useMessages()
  const { language } = useSession().session.manager
  const any = (filter: keyof typeof list.any) => ({ value: '', label: list.any[filter] })
  return (
    <search className="filters" aria-label={list.filters}>
      <Search value={filters.q} hint={list.searchHint} onChange={(q) => onChange({ q })} />
      <SelectField
        label={list.status}
        value={filters.status}
        options={[
          any('status'),
          ...(['Draft', 'Live', 'Archived'] as const).map((value) => ({ value, label: status[value] })),
        ]}
        onChange={(value) => onChange({ status: value })}
      />
      <SelectField
        label={list.language}
        value={filters.lang}
        options={[
          any('language'),
          { value: 'en', label: languages.en },
          { value: 'fr', label: languages.fr },
        ]}
        onChange={(lang) => onChange({ lang })}
      />
      <SelectField
        label={list.label}
        value={filters.labelId}
        options={[any('label'), ...labels.map((label) => ({ value: label.labelId, label: label[language] }))]}
        onChange={(labelId) => onChange({ labelId })}
      />
      <SelectField
        label={list.audience}
        value={filters.isDonorRestricted}
        options={[any('audience'), { value: '0', label: list.public }, { value: '1', label: list.donors }]}
        onChange={(isDonorRestricted) => onChange({ isDonorRestricted })}
      />
      {contentType === 'library' && (
        <SelectField
          label={list.translation}
          value={filters.translation}
          options={[
            any('translation'),
            { value: 'missing', label: list.translations.missing },
            { value: 'older', label: list.translations.older },
          ]}
          onChange={(translation) => onChange({ translation })}
        />
      )}
    </search>
  )
}

/** Publications of one request, and requests at most. */
const BATCH = 100
const MOST_REQUESTS = 50

/**
 * Lists the Live publications with a state of their translation. The API has no such filter, so this reads all Live publications that match
 * the other filters: at most 5,000.
 */
const listByTranslation = async (query: ListQuery, state: TranslationState, signal: AbortSignal) => {
  const found: Array<Item> = []
  for (let at = 0; at < MOST_REQUESTS; at += 1) {
    const asked = { ...query, status: 'Live', lim: BATCH, offset: at * BATCH } as const
    const { data, ...rest } = await listItems('library', asked, signal)
    found.push(...data.items.filter((item) => !isPost(item) && translationState(item) === state))
    if (data.hasNext) continue
    const page: ItemPage = { items: await withChanged(found, signal), total: found.length, hasNext: false }
    return { ...rest, data: page }
  }
  throw new RangeError('There are too many publications.')
}

/** Lists items; publications that are older with the fields of the words that changed. */
const listWithChanged = async (contentType: ContentType, query: ListQuery, signal: AbortSignal) => {
  const { data, ...rest } = await listItems(contentType, query, signal)
  return { ...rest, data: { ...data, items: await withChanged(data.items, signal) } }
}

/** Says why a list is empty, and what to do next. */
const EmptyList = ({
  contentType,
  isFiltered,
}: {
  readonly contentType: ContentType
  readonly isFiltered: boolean
}) => {
  const messages = useMessages()
  const words = messages[contentType]
  if (isFiltered)
    return (
      <div className="empty">
        <Icon name="search" />
        <h2>{messages.list.noneTitle}</h2>
        <p>{messages.list.noneText}</p>
        <a className="button" href={at(`/console/${contentType}`)}>
          {messages.list.clear}
        </a>
      </div>
    )
  return (
    <div className="empty">
      <Icon name={contentType} />
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyText}</p>
      <a className="button primary" href={at(`/console/${contentType}/new`)}>
        {words.create}
      </a>
    </div>
  )
}

/** The list of publications or posts: filters, count, rows and pages. Its state is in the URL, so that it can be sent and reloaded. */
const ListPage = ({ contentType }: { readonly contentType: ContentType }) => {
  const messages = useMessages()
  const words = messages[contentType]
  const url = useUrl()
  const filters = filtersOf(url.searchParams)
  const query = apiQueryOf(contentType, filters)
  const { translation } = filters
  const list = useAnswer(`${contentType} ${translation} ${JSON.stringify(query)}`, (signal) =>
    translation === 'missing' || translation === 'older'
      ? listByTranslation(query, translation, signal)
      : listWithChanged(contentType, query, signal),
  )
  const labels = useAnswer('labels', listLabels)
  const page = list.answer?.data
  const selection = useSelection(page?.items ?? [])
  const isFiltered = withQuery(url, { offset: '' }).includes('?')
  const last = Math.max(0, Math.ceil((page?.total ?? 0) / PAGE_SIZE) - 1) * PAGE_SIZE
  const isBeyond = page !== undefined && page.items.length === 0 && page.total > 0 && filters.offset > last
  useEffect(() => {
    if (isBeyond) goTo(withQuery(url, { offset: last === 0 ? '' : String(last) }), 'replace')
  }, [isBeyond, last, url])
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          {words.title}
          {page !== undefined && <span className="count">{messages.list.count(page.total)}</span>}
        </h1>
        <a className="button primary" href={at(`/console/${contentType}/new`)}>
          <Icon name="add" />
          {words.create}
        </a>
      </div>
      <Filters
        contentType={contentType}
        filters={filters}
        labels={labels.answer?.data ?? []}
        onChange={(changes) => goTo(withQuery(url, { offset: '', ...changes }), 'replace')}
      />
      {list.error !== undefined && <Problem error={list.error} onRetry={list.reload} />}
      {page === undefined && list.error === undefined && <p className="loading">{messages.loading}</p>}
      <BulkReport />
      {page !== undefined && (page.items.length > 0 || selection.items.size > 0) && (
        <BulkBar
          contentType={contentType}
          listed={page.items}
          labels={labels.answer?.data ?? []}
          selection={selection}
        />
      )}
      {page !== undefined && page.items.length === 0 && !isBeyond && (
        <EmptyList contentType={contentType} isFiltered={isFiltered} />
      )}
      {page !== undefined && page.items.length > 0 && (
        <>
          <ItemList
            contentType={contentType}
            items={page.items}
            isStale={list.isLoading}
            selection={selection}
          />
          <Pager
            offset={filters.offset}
            size={PAGE_SIZE}
            total={page.total}
            hasNext={page.hasNext}
            hrefOf={(offset) => withQuery(url, { offset: offset === 0 ? '' : String(offset) })}
          />
        </>
      )}
    </div>
  )
}

export const FeedPage = () => <ListPage contentType="feed" />

export const LibraryPage = () => <ListPage contentType="library" />
