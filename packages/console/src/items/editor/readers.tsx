import { callConsole } from '../../app/api.ts'
import { useMessages } from '../../app/session.tsx'
import { useAnswer } from '../../app/use-answer.ts'
import { Icon } from '../../ui/icon.tsx'
import type { ContentType } from '../items.ts'

/** A kind of reader in one language, and whether the service shows the item to it. */
interface Reader {
  readonly role: 'user' | 'user-donor' | 'content-manager'
  readonly lang: 'en' | 'fr'
  readonly visible: boolean
}

interface ReadersAnswer {
  readonly readers: ReadonlyArray<{ readonly reader: Reader }>
}

const readReaders = async (contentType: ContentType, itemId: string) => {
  const { readers } = await callConsole<ReadersAnswer>('GET', `/${contentType}/${itemId}/readers`)
  return { data: readers.map(({ reader }) => reader), etag: undefined, headers: new Headers() }
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
  const { answer } = useAnswer(`readers ${contentType}/${itemId} ${version}`, () =>
    readReaders(contentType, itemId),
  )
  const roles = Object.entries(Object.groupBy(answer?.data ?? [], ({ role }) => role))
  if (roles.length === 0) return null
  return (
    <section className="readers" aria-labelledby="readers-title">
      <h2 id="readers-title" className="label">
        {words.title}
      </h2>
      <dl className="facts">
        {roles.map(([role, list]) => (
          <div key={role}>
            <dt>{words.roles[role as Reader['role']]}</dt>
            {list?.map(({ lang, visible }) => (
              <dd key={lang} className={visible ? 'sees' : 'sees-not'}>
                <Icon name={visible ? 'check' : 'close'} />
                {languages[lang]}: {visible ? words.yes : words.no}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}
