import type { ReactNode } from 'react'
import { useMessages } from '../session/session.tsx'
import type { OrganizationDetails } from './portfolio-api.ts'

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
export const OrganizationTexts = ({ details }: { readonly details: OrganizationDetails }) => (
  <div className="sides">
    <Side details={details} lang="en" />
    <Side details={details} lang="fr" />
  </div>
)
