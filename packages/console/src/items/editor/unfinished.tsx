import { useMessages } from '../../app/session.tsx'
import type { CopySummary } from './copies.ts'

/** Returns the page on which a working copy is continued. */
export const pathOfCopy = ({ key, contentType }: CopySummary): string =>
  key.startsWith('new-') ? `/console/${contentType}/new?copy=${key}` : `/console/${contentType}/${key}`

/** Lists new items that the person has begun and not saved. */
export const Unfinished = ({ copies }: { readonly copies: ReadonlyArray<CopySummary> }) => {
  const { copies: words } = useMessages()
  if (copies.length === 0) return null
  return (
    <section className="notice" aria-labelledby="unfinished-title">
      <h2 id="unfinished-title">{words.unfinished}</h2>
      <ul>
        {copies.map((copy) => (
          <li key={copy.key}>
            <a href={pathOfCopy(copy)}>{copy.title === '' ? words.untitled : copy.title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
