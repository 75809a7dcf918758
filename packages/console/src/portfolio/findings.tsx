import type { Messages } from '../messages/en.ts'
import { at } from '../paths.ts'
import { useMessages, useSession } from '../session/session.tsx'
import type { Finding, Sector } from './portfolio-api.ts'

/** Returns what a finding says, in the person's language. */
const textOf = ({ about, kind, lang, challenge }: Finding, { portfolio, languages }: Messages): string =>
  portfolio.finding[kind](portfolio.subject(about, challenge), languages[lang])

const keyOf = ({ about, id, kind, lang, challenge }: Finding): string =>
  [about, id, kind, lang, challenge].join(' ')

/** The organizations or sectors with findings, in the order in which they come. */
const grouped = (findings: ReadonlyArray<Finding>): ReadonlyMap<string, ReadonlyArray<Finding>> => {
  const groups = new Map<string, ReadonlyArray<Finding>>()
  for (const finding of findings) {
    const key = `${finding.about === 'sector' ? 'sector' : 'organization'} ${finding.id}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return groups
}

/** The texts of an organization that lack a language or their highlight. */
export const OwnFindings = ({
  findings,
  count,
}: {
  readonly findings: ReadonlyArray<Finding>
  readonly count: number
}) => {
  const messages = useMessages()
  if (findings.length === 0) return null
  return (
    <section className="notice amber" aria-labelledby="findings-title">
      <h2 id="findings-title">{messages.portfolio.findings(count)}</h2>
      <ul>
        {findings.map((finding) => (
          <li key={keyOf(finding)}>{textOf(finding, messages)}</li>
        ))}
      </ul>
    </section>
  )
}

/**
 * The texts that lack a language or their highlight, by organization, each with a link to it.
 * @param count the number of all, if these are only the first
 */
export const AllFindings = ({
  findings,
  count = findings.length,
}: {
  readonly findings: ReadonlyArray<Finding>
  readonly count?: number
}) => {
  const messages = useMessages()
  const { portfolio, portfolioLoad } = messages
  if (findings.length === 0) return <p className="hint">{portfolio.noFindings}</p>
  return (
    <details className="notice amber">
      <summary>{portfolio.findings(count)}</summary>
      <ul className="findings">
        {[...grouped(findings)].map(([key, group]) => (
          <li key={key}>
            {group.slice(0, 1).map(({ about, id, name }) =>
              about === 'sector' ? (
                <strong key={id}>{portfolio.sector(name)}</strong>
              ) : (
                <a key={id} href={at(`/console/portfolio/organizations/${encodeURIComponent(id)}`)}>
                  {name}
                </a>
              ),
            )}
            <ul>
              {group.map((finding) => (
                <li key={keyOf(finding)}>{textOf(finding, messages)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {count > findings.length && <p>{portfolioLoad.moreFaults(count - findings.length)}</p>}
    </details>
  )
}

/** Returns the name of a sector in a language; undefined if it has none. */
const nameIn = ({ labels }: Sector, lang: 'en' | 'fr'): string | undefined =>
  labels.find(({ label }) => label.lang === lang)?.label.sectorName

/** Returns the name of a sector in the person's language, else in the other, with the language of the name. */
export const useSectorName = () => {
  const { language } = useSession().session.manager
  const other = language === 'en' ? 'fr' : 'en'
  return (sector: Sector) => {
    const own = nameIn(sector, language)
    return own === undefined
      ? { name: nameIn(sector, other) ?? sector.sectorId, lang: other }
      : { name: own, lang: language }
  }
}

/** The sectors with their logos and their names in both languages. */
export const Sectors = ({ sectors }: { readonly sectors: ReadonlyArray<Sector> }) => {
  const { portfolio } = useMessages()
  return (
    <ul className="sectors">
      {sectors.map((sector) => (
        <li key={sector.sectorId}>
          <img src={sector.logoUri} alt="" width="40" height="40" loading="lazy" />
          <div>
            {(['en', 'fr'] as const).map((lang) => {
              const name = nameIn(sector, lang)
              return name === undefined ? (
                <span key={lang} className="mark">
                  {portfolio.missing[lang]}
                </span>
              ) : (
                <span key={lang} lang={lang}>
                  {name}
                </span>
              )
            })}
          </div>
        </li>
      ))}
    </ul>
  )
}
