import { callConsole } from '../../app/api.ts'
import { useMessages } from '../../app/session.tsx'
import { useAnswer } from '../../app/use-answer.ts'
import { Icon } from '../../ui/icon.tsx'
import type { ContentType } from '../items.ts'

const ROLES = ['user', 'user-donor', 'content-manager'] as const
const LANGUAGES = ['en', 'fr'] as const

/** A kind of reader in one language, and whether the service shows the item to it. */
interface Reader {
  readonly role: (typeof ROLES)[number]
  readonly lang: (typeof LANGUAGES)[number]
  readonly visible: boolean
}

interface ReadersAnswer {
  readonly readers: ReadonlyArray<{ readonly reader: Reader }>
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
    callConsole<ReadersAnswer>('GET', `/${contentType}/${itemId}/readers`, { signal }),
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
