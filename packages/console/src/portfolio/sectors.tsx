import { useMessages, useSession } from '../session/session.tsx'
import type { Sector } from './portfolio-api.ts'

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
