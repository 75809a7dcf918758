import { usePeople } from '../../content/history/history-api.ts'
import { at } from '../../paths.ts'
import { useAnswer } from '../../session/answers.ts'
import { goTo, useUrl, withQuery } from '../../session/router.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'
import { filtersOf, listAudit } from './audit-api.ts'
import { AuditEntry } from './audit-entry.tsx'
import { Filters } from './audit-filters.tsx'

/** Every change, the latest first, by who, what, which entry and when. Its state is in the URL, which holds numbers instead of people. */
export const AuditPage = () => {
  const { audit: words, loading } = useMessages()
  const { timeZone, serviceTimeZone } = useSession().session
  const url = useUrl()
  const filters = filtersOf(url.searchParams)
  const people = usePeople()
  const list = useAnswer(`audit ${JSON.stringify(filters)}`, (signal) => listAudit(filters, signal))
  const page = list.answer?.data
  const isFiltered = url.search !== ''
  return (
    <div className="page audit">
      <div>
        <h1>{words.title}</h1>
        <p className="hint">{words.hint}</p>
      </div>
      <Filters
        filters={filters}
        people={people}
        onChange={(changes) => goTo(withQuery(url, { after: '', ...changes }), 'replace')}
      />
      {timeZone !== serviceTimeZone && <p className="hint">{words.days(serviceTimeZone)}</p>}
      {list.error !== undefined && <Problem error={list.error} onRetry={list.reload} />}
      {page === undefined && list.error === undefined && <p className="loading">{loading}</p>}
      {page?.records.length === 0 && (
        <div className="empty">
          <Icon name="history" />
          <p>{isFiltered ? words.none : words.empty}</p>
          {isFiltered && (
            <a className="button" href={at('/console/audit')}>
              {words.clear}
            </a>
          )}
        </div>
      )}
      {page !== undefined && page.records.length > 0 && (
        <ol className="audit-records" aria-label={words.list} aria-busy={list.isLoading}>
          {page.records.map((record, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records of one moment have no other identity
            <AuditEntry key={`${record.at} ${at}`} record={record} people={people} />
          ))}
        </ol>
      )}
      {page !== undefined && (filters.after !== '' || page.older !== undefined) && (
        <nav className="pages" aria-label={words.list}>
          {filters.after !== '' && (
            <a className="button" href={withQuery(url, { after: '' })}>
              {words.latest}
            </a>
          )}
          {page.older !== undefined && (
            <a className="button" href={withQuery(url, { after: page.older })} rel="next">
              {words.older}
              <Icon name="next" />
            </a>
          )}
        </nav>
      )}
    </div>
  )
}
