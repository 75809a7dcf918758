import { useEffect } from 'react'
import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { goTo, useUrl, withQuery } from '../../session/router.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Icon, SelectField } from '../../ui/controls.tsx'
import { Pager, Search } from '../../ui/list.tsx'
import { Problem } from '../../ui/problem.tsx'
import { BulkBar, BulkReport } from '../bulk/bulk-bar.tsx'
import type { ContentType, Label, Status } from '../items.ts'
import { listAllRows, listLabels, listRows, type RowQuery } from '../items-api.ts'
import { ItemList } from './item-list.tsx'
import { keepList } from './kept-list.ts'
import { useSelection } from './selection.ts'

/** Items on one page of a list. */
const PAGE_SIZE = 25

/** The filters of a list, as its URL has them. An empty text filters nothing. */
interface ListFilters {
  readonly q: string
  readonly status: string
  readonly lang: string
  readonly labelId: string
  readonly isDonorRestricted: string
  /** Publications only: what their translation lacks. */
  readonly translation: string
  /** Publications only: their order. */
  readonly order: string
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
  order: query.get('order') ?? '',
  offset: Math.max(0, Math.trunc(Number(query.get('offset')))) || 0,
})

/** Returns the query of the API for these filters. */
const apiQueryOf = (
  contentType: ContentType,
  { q, status, lang, labelId, isDonorRestricted, translation, order, offset }: ListFilters,
): RowQuery => ({
  lim: PAGE_SIZE,
  offset,
  include: 'labels,images',
  ...(q !== '' && { q }),
  ...(status !== '' && { status: status as Status }),
  ...(lang !== '' && { lang }),
  ...(labelId !== '' && { labelId }),
  ...(isDonorRestricted !== '' && { isDonorRestricted }),
  ...(contentType === 'library' && {
    ...(translation !== '' && { translation: translation as NonNullable<RowQuery['translation']> }),
    ...(order !== '' && { order: order as NonNullable<RowQuery['order']> }),
  }),
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
      {contentType === 'library' && (
        <SelectField
          label={list.order}
          value={filters.order}
          options={[
            { value: '', label: list.orders.date },
            { value: 'title', label: list.orders.title },
            { value: 'state', label: list.orders.state },
          ]}
          onChange={(order) => onChange({ order })}
        />
      )}
    </search>
  )
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
  const list = useAnswer(`${contentType} ${JSON.stringify(query)}`, (signal) =>
    listRows(contentType, query, signal),
  )
  const labels = useAnswer('labels', listLabels)
  const page = list.answer?.data
  const rows = page?.rows ?? []
  const selection = useSelection(rows)
  const isFiltered = withQuery(url, { offset: '', order: '' }).includes('?')
  const last = Math.max(0, Math.ceil((page?.total ?? 0) / PAGE_SIZE) - 1) * PAGE_SIZE
  const isBeyond = page !== undefined && rows.length === 0 && page.total > 0 && filters.offset > last
  useEffect(() => {
    if (isBeyond) goTo(withQuery(url, { offset: last === 0 ? '' : String(last) }), 'replace')
  }, [isBeyond, last, url])
  const { search } = url
  useEffect(() => keepList(contentType, search), [contentType, search])
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
      {page !== undefined && (rows.length > 0 || selection.rows.size > 0) && (
        <BulkBar
          contentType={contentType}
          listed={rows}
          total={page.total}
          listAll={(most, signal) => listAllRows(contentType, query, most, signal)}
          labels={labels.answer?.data ?? []}
          selection={selection}
        />
      )}
      {page !== undefined && rows.length === 0 && !isBeyond && (
        <EmptyList contentType={contentType} isFiltered={isFiltered} />
      )}
      {page !== undefined && rows.length > 0 && (
        <>
          <ItemList contentType={contentType} rows={rows} isStale={list.isLoading} selection={selection} />
          <Pager
            offset={filters.offset}
            size={PAGE_SIZE}
            total={page.total}
            hasNext={page.hasNext}
            hrefOf={(offset) => withQuery(url, { offset: offset === 0 ? '' : String(offset) })}
            onJump={(offset) => goTo(withQuery(url, { offset: offset === 0 ? '' : String(offset) }))}
          />
        </>
      )}
    </div>
  )
}

export const FeedPage = () => <ListPage contentType="feed" />

export const LibraryPage = () => <ListPage contentType="library" />
