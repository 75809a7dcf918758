import type { ReactNode } from 'react'
import { LineChart } from '../charts/charts.tsx'
import { at } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import type { PageProps } from '../session/match.ts'
import { usePageTitle } from '../session/router.ts'
import { useLocaleName, useMessages } from '../session/session.tsx'
import { BackLink } from '../ui/controls.tsx'
import { Problem } from '../ui/problem.tsx'
import { OwnFindings, useSectorName } from './findings.tsx'
import { listFindings, type OrganizationDetails, readOrganization } from './portfolio-api.ts'

type Dataset = OrganizationDetails['datasets'][number]

const HEIGHT = 180

/** The currencies of an organization's budgets, in order of their first year. */
const currenciesOf = (datasets: ReadonlyArray<Dataset>): ReadonlyArray<string> => [
  ...new Set(datasets.map(({ budgetCurrency }) => budgetCurrency)),
]

/** The ages of the beneficiaries, once if they are the same in all years, and the videos. */
const Remarks = ({ datasets }: { readonly datasets: ReadonlyArray<Dataset> }) => {
  const { portfolio } = useMessages()
  const agesOf = ({ ageFrom, ageTo }: Dataset) =>
    ageFrom === '' && ageTo === '' ? '' : portfolio.ages(ageFrom, ageTo)
  const [first = '', ...others] = new Set(datasets.map(agesOf))
  const isSame = others.length === 0
  const remarks = datasets.filter((one) => one.vrVideoUrl !== '' || (!isSame && agesOf(one) !== ''))
  return (
    <ul className="year-remarks">
      {isSame && first !== '' && <li>{portfolio.allAges(first)}</li>}
      {remarks.map((one) => (
        <li key={one.year}>
          <strong>{one.year}</strong>
          {!isSame && <span>{agesOf(one)}</span>}
          {one.vrVideoUrl !== '' && (
            <a href={one.vrVideoUrl} rel="noreferrer">
              {portfolio.video(one.year)}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Charts of an organization's figures over the years. */
const Figures = ({ datasets }: Pick<OrganizationDetails, 'datasets'>) => {
  const { portfolio } = useMessages()
  const locale = useLocaleName()
  if (datasets.length === 0) return <p className="hint">{portfolio.noFigures}</p>
  const shared = {
    labelsTitle: portfolio.year,
    labels: datasets.map(({ year }) => String(year)),
    height: HEIGHT,
  }
  const currencies = currenciesOf(datasets)
  const [currency = ''] = currencies
  const budgets = currencies.map((one) => ({
    name: one,
    values: datasets.map(({ budget, budgetCurrency }) => (budgetCurrency === one ? budget : undefined)),
  }))
  const money = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  return (
    <>
      <div className="figure-grid">
        <LineChart
          {...shared}
          title={portfolio.beneficiaries}
          series={[{ name: portfolio.beneficiaries, values: datasets.map((one) => one.beneficiaries) }]}
        />
        <LineChart
          {...shared}
          title={portfolio.staff}
          series={[{ name: portfolio.staff, values: datasets.map((one) => one.staffHeadcount) }]}
        />
        <LineChart
          {...shared}
          title={currencies.length === 1 ? portfolio.budgetIn(currency) : portfolio.budget}
          series={budgets}
          format={(value) => money.format(value)}
        />
      </div>
      <Remarks datasets={datasets} />
    </>
  )
}

type Lang = 'en' | 'fr'

/** A text in which its highlight is marked. A highlight that does not occur is shown below. */
const Highlighted = ({ text, highlight }: { readonly text: string; readonly highlight: string }) => {
  const { portfolio } = useMessages()
  const at = highlight === '' ? -1 : text.indexOf(highlight)
  if (at < 0)
    return (
      <>
        <p>{text}</p>
        {highlight !== '' && <p className="hint">{portfolio.lostHighlight(highlight)}</p>}
      </>
    )
  return (
    <p>
      {text.slice(0, at)}
      <mark>{highlight}</mark>
      {text.slice(at + highlight.length)}
    </p>
  )
}

/** The texts of one kind in one language, or the mark that there are none. */
const Texts = ({
  title,
  lang,
  texts,
}: {
  readonly title: string
  readonly lang: Lang
  readonly texts: ReadonlyArray<{ readonly key: string; readonly content: ReactNode }>
}) => {
  const { portfolio } = useMessages()
  return (
    <div className="portfolio-texts">
      <h3>{title}</h3>
      {texts.length === 0 && <p className="hint">{portfolio.missing[lang]}</p>}
      {texts.map(({ key, content }) => (
        <div key={key} lang={lang}>
          {content}
        </div>
      ))}
    </div>
  )
}

const Side = ({ details, lang }: { readonly details: OrganizationDetails; readonly lang: Lang }) => {
  const { portfolio, languages } = useMessages()
  const here = <Text extends { readonly lang: Lang }>(texts: ReadonlyArray<Text>) =>
    texts.filter((text) => text.lang === lang)
  const title = `texts-${lang}`
  return (
    <section className="side" aria-labelledby={title}>
      <div className="side-head">
        <h2 id={title}>{languages[lang]}</h2>
      </div>
      <Texts
        title={portfolio.summary}
        lang={lang}
        texts={here(details.summaries).map((one, at) => ({
          key: String(at),
          content: <Highlighted {...one} />,
        }))}
      />
      <Texts
        title={portfolio.introduction}
        lang={lang}
        texts={here(details.introductions).map(({ text }, at) => ({
          key: String(at),
          content: <p>{text}</p>,
        }))}
      />
      <Texts
        title={portfolio.programs}
        lang={lang}
        texts={here(details.programs).map(({ programTitle, programDescription }, at) => ({
          key: String(at),
          content: (
            <>
              <h4>{programTitle}</h4>
              <p>{programDescription}</p>
            </>
          ),
        }))}
      />
      <Texts
        title={portfolio.challenges}
        lang={lang}
        texts={here(details.challenges).map((one) => ({
          key: String(one.id),
          content: <Highlighted {...one} />,
        }))}
      />
    </section>
  )
}

/** The texts of an organization, English and French side by side. */
const OrganizationTexts = ({ details }: { readonly details: OrganizationDetails }) => (
  <div className="sides">
    <Side details={details} lang="en" />
    <Side details={details} lang="fr" />
  </div>
)

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
  usePageTitle(details?.organization.name)
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
