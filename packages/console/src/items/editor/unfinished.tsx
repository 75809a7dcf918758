import { at } from '../../paths.ts'
import { useMessages } from '../../session/session.tsx'
import { pathOf, pathOfComposer } from '../items.ts'
import type { CopySummary } from './copies.ts'

/** The pages of working copies whose key is no item's, by the beginning of the key. */
const PAGES: ReadonlyArray<readonly [beginning: string, page: (rest: string, copy: CopySummary) => string]> =
  [
    ['new-', (_rest, { key, contentType }) => at(`/console/${contentType}/new?copy=${key}`)],
    ['notification-', pathOfComposer],
    ['change-', (id) => at(`/console/notifications/new?change=${id}`)],
  ]

/** Returns the page on which a working copy is continued. */
export const pathOfCopy = (copy: CopySummary): string => {
  const [beginning, page] = PAGES.find(([start]) => copy.key.startsWith(start)) ?? []
  if (beginning === undefined || page === undefined) return pathOf(copy.contentType, copy.key)
  return page(copy.key.slice(beginning.length), copy)
}

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
