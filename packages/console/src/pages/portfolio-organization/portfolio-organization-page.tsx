import { at } from '../../paths.ts'
import { Figures } from '../../portfolio/figures.tsx'
import { OwnFindings } from '../../portfolio/findings.tsx'
import { listFindings, type OrganizationDetails, readOrganization } from '../../portfolio/portfolio-api.ts'
import { useSectorName } from '../../portfolio/sectors.tsx'
import { OrganizationTexts } from '../../portfolio/texts.tsx'
import { useAnswer } from '../../session/answers.ts'
import type { PageProps } from '../../session/match.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink } from '../../ui/controls.tsx'
import { Problem } from '../../ui/problem.tsx'

/** The name, images and facts of an organization. */
const Head = ({ organization, sectors }: Pick<OrganizationDetails, 'organization' | 'sectors'>) => {
  const { portfolio } = useMessages()
  const nameOf = useSectorName()
  const { name, logoUri, visualUri, website, founded, since } = organization
  return (
    <header className="organization-head">
      <img className="visual" src={visualUri} alt="" />
      <div className="organization-name">
        <img src={logoUri} alt="" width="72" height="72" />
        <div>
          <h1>{name}</h1>
          <p className="meta">
            <span>{portfolio.foundedIn(founded)}</span>
            <span>{portfolio.joinedIn(since)}</span>
            {sectors.map((sector) => (
              <span key={sector.sectorId} className="tag" lang={nameOf(sector).lang}>
                {nameOf(sector).name}
              </span>
            ))}
          </p>
          {website !== '' && (
            <a href={website} rel="noreferrer">
              {website}
            </a>
          )}
        </div>
      </div>
    </header>
  )
}

/** An organization of the portfolio: images, facts, figures over the years, and its texts in both languages. */
export const PortfolioOrganizationPage = ({ params: { id = '' } }: PageProps) => {
  const { portfolio, loading } = useMessages()
  const wanted = decodeURIComponent(id)
  const { answer, error, reload } = useAnswer(`organization ${wanted}`, (signal) =>
    readOrganization(wanted, signal),
  )
  const findings = useAnswer(`portfolio findings ${wanted}`, (signal) => listFindings(wanted, signal))
  const details = answer?.data
  return (
    <div className="page organization">
      <BackLink href={at('/console/portfolio')} text={portfolio.title} />
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {answer === undefined && error === undefined && <p className="loading">{loading}</p>}
      {answer !== undefined && details === undefined && <h1>{portfolio.unknown}</h1>}
      {details !== undefined && (
        <>
          <Head organization={details.organization} sectors={details.sectors} />
          {findings.answer !== undefined && <OwnFindings {...findings.answer.data} />}
          <section className="portfolio-part" aria-labelledby="figures-title">
            <h2 id="figures-title">{portfolio.figures}</h2>
            <Figures datasets={details.datasets} />
          </section>
          <OrganizationTexts details={details} />
        </>
      )}
    </div>
  )
}
