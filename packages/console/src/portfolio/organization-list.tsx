import { at } from '../paths.ts'
import { useMessages } from '../session/session.tsx'
import { moveAlong } from '../ui/list.tsx'
import type { Organization } from './portfolio-api.ts'

/** The rows of the list of organizations. Arrow keys, J and K move along them. */
export const OrganizationList = ({
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
