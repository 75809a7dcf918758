import { useAnswer } from '../../session/answers.ts'
import { consoleApi } from '../../session/api.ts'
import { useMessages } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import type { ContentType } from '../items.ts'

const ROLES = ['user', 'user-donor', 'content-manager'] as const
const LANGUAGES = ['en', 'fr'] as const

const readReaders = (contentType: ContentType, itemId: string, signal: AbortSignal) => {
  const asked = { path: { itemId }, signal }
  return contentType === 'library'
    ? consoleApi.get('/library/{itemId}/readers', asked)
    : consoleApi.get('/feed/{itemId}/readers', asked)
}

/** Who sees the saved item: the server decides by the rule that it applies to readers (M7). */
export const Readers = ({
  contentType,
  itemId,
  version,
}: {
  readonly contentType: ContentType
  readonly itemId: string
  /** Changes when the item is saved. */
  readonly version: string
}) => {
  const { readers: words, languages } = useMessages()
  const { answer } = useAnswer(`readers ${contentType}/${itemId} ${version}`, (signal) =>
    readReaders(contentType, itemId, signal),
  )
  const readers = answer?.data.readers ?? []
  if (readers.length === 0) return null
  return (
    <table className="readers">
      <caption>{words.title}</caption>
      <thead>
        <tr>
          <td />
          {LANGUAGES.map((lang) => (
            <th key={lang} scope="col">
              {languages[lang]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROLES.map((role) => (
          <tr key={role}>
            <th scope="row">{words.roles[role]}</th>
            {LANGUAGES.map((lang) => {
              const sees = readers.some(
                ({ reader }) => reader.role === role && reader.lang === lang && reader.visible,
              )
              return (
                <td key={lang} className={sees ? 'sees' : 'sees-not'}>
                  <Icon name={sees ? 'check' : 'close'} />
                  {sees ? words.yes : words.no}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
