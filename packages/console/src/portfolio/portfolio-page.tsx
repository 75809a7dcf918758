import { at } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import { goTo, useUrl, withQuery } from '../session/router.ts'
import { useMessages, useSession } from '../session/session.tsx'
import { Icon } from '../ui/controls.tsx'
import { moveAlong, Pager, Search } from '../ui/list.tsx'
import { Problem } from '../ui/problem.tsx'
import { AllFindings, Sectors } from './findings.tsx'
import {
  listFindings,
  listOrganizations,
  ORGANIZATIONS_ON_A_PAGE,
  type Organization,
  readPortfolio,
} from './portfolio-api.ts'

/** The rows of the list of organizations. Arrow keys, J and K move along them. */
const OrganizationList = ({
  organizations,
  isStale,
}: {
  readonly organizations: ReadonlyArray<Organization>
  readonly isStale: boolean
}) => {
  const { portfolio } = useMessages()
  return (
    <ul className="rows" aria-label={portfolio.organizations} aria-busy={isStale} onKeyDown={moveAlong}>
      {organizations.map(({ id, name, logoUri, founded, since }) => (
        <li key={id} className="row">
          <div className="thumb logo">
            <img src={logoUri} alt="" loading="lazy" />
          </div>
          <div className="row-text">
            <a className="title" href={at(`/console/portfolio/organizations/${encodeURIComponent(id)}`)}>
              {name}
            </a>
            <p className="meta">
              <span>{portfolio.foundedIn(founded)}</span>
              <span>{portfolio.joinedIn(since)}</span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The organizations whose names have all words of the search, with pages. The search is in the URL. */
const Organizations = () => {
  const { portfolio, loading } = useMessages()
  const url = useUrl()
  const name = url.searchParams.get('name') ?? ''
  const offset = Math.max(0, Math.trunc(Number(url.searchParams.get('offset')))) || 0
  const list = useAnswer(`organizations ${offset} ${name}`, (signal) =>
    listOrganizations(name, offset, signal),
  )
  const page = list.answer?.data
  return (
    <section className="portfolio-part" aria-labelledby="organizations-title">
      <h2 id="organizations-title">{portfolio.organizations}</h2>
      <Search
        value={name}
        hint={portfolio.searchHint}
        onChange={(next) => goTo(withQuery(url, { offset: '', name: next }), 'replace')}
      />
      {list.error !== undefined && <Problem error={list.error} onRetry={list.reload} />}
      {page === undefined && list.error === undefined && <p className="loading">{loading}</p>}
      {page?.organizations.length === 0 && <p className="hint">{portfolio.nothingFound}</p>}
      {page !== undefined && page.organizations.length > 0 && (
        <>
          <OrganizationList organizations={page.organizations} isStale={list.isLoading} />
          <Pager
            offset={offset}
            size={ORGANIZATIONS_ON_A_PAGE}
            hasNext={page.hasNext}
            hrefOf={(next) => withQuery(url, { offset: next === 0 ? '' : String(next) })}
          />
        </>
      )}
    </section>
  )
}

const Empty = () => {
  const { portfolio } = useMessages()
  return (
    <div className="empty">
      <Icon name="portfolio" />
      <h2>{portfolio.emptyTitle}</h2>
      <p>{portfolio.emptyText}</p>
    </div>
  )
}

/** The portfolio: what its texts lack, its sectors and its organizations. */
export const PortfolioPage = () => {
  const { portfolio, portfolioLoad, loading, list } = useMessages()
  const { session } = useSession()
  const head = useAnswer('portfolio', readPortfolio)
  const findings = useAnswer('portfolio findings', (signal) => listFindings(undefined, signal))
  const known = head.answer?.data
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>
            {portfolio.title}
            {known !== undefined && <span className="count">{list.count(known.organizations)}</span>}
          </h1>
          {known !== undefined && <p className="hint">{known.name}</p>}
        </div>
        <div className="actions">
          {known !== undefined && known.organizations > 0 && (
            <a
              className="button"
              href={at(`/console/api/portfolio/archive?lang=${session.manager.language}`)}
              download
            >
              <Icon name="download" />
              {portfolio.export}
            </a>
          )}
          <a className="button" href={at('/console/portfolio/load')}>
            {portfolioLoad.link}
          </a>
        </div>
      </div>
      {head.error !== undefined && <Problem error={head.error} onRetry={head.reload} />}
      {known === undefined && head.error === undefined && <p className="loading">{loading}</p>}
      {known?.organizations === 0 && <Empty />}
      {known !== undefined && known.organizations > 0 && (
        <>
          {findings.error !== undefined && <Problem error={findings.error} onRetry={findings.reload} />}
          {findings.answer !== undefined && <AllFindings {...findings.answer.data} />}
          <section className="portfolio-part" aria-labelledby="sectors-title">
            <h2 id="sectors-title">{portfolio.sectors}</h2>
            <Sectors sectors={known.sectors} />
          </section>
          <Organizations />
        </>
      )}
    </div>
  )
}
