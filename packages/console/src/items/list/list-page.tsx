import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { goTo, useUrl, withQuery } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import { Pager } from '../../ui/list.tsx'
import { Problem } from '../../ui/problem.tsx'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { BulkReport } from '../bulk/bulk-report.tsx'
import { useSelection } from '../bulk/use-selection.ts'
import type { ContentType } from '../items.ts'
import { listItems, listLabels } from '../items-api.ts'
import { EmptyList } from './empty-list.tsx'
import { Filters } from './filters.tsx'
import { ItemList } from './item-list.tsx'
import { listByTranslation } from './list-by-translation.ts'
import { apiQueryOf, filtersOf, PAGE_SIZE } from './list-query.ts'

/** The list of publications or posts: filters, count, rows and pages. Its state is in the URL, so that it can be sent and reloaded. */
export const ListPage = ({ contentType }: { readonly contentType: ContentType }) => {
  const messages = useMessages()
  const words = messages[contentType]
  const url = useUrl()
  const filters = filtersOf(url.searchParams)
  const query = apiQueryOf(contentType, filters)
  const { translation } = filters
  const list = useAnswer(`${contentType} ${translation} ${JSON.stringify(query)}`, (signal) =>
    translation === 'missing' || translation === 'older'
      ? listByTranslation(query, translation, signal)
      : listItems(contentType, query, signal),
  )
  const labels = useAnswer('labels', listLabels)
  const page = list.answer?.data
  const selection = useSelection(page?.items ?? [])
  const isFiltered = withQuery(url, { offset: '' }).includes('?')
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
      {page !== undefined && page.items.length === 0 && (
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
