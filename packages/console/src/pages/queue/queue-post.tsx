import { personOfClient, usePeople } from '../../items/history/history-api.ts'
import { type Item, isPost, pathOf } from '../../items/items.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import { errorTexts } from '../../ui/problem.tsx'
import { PostChanged } from './use-queue.ts'

const LinkLine = ({ label, url }: { readonly label: string; readonly url: string }) =>
  url === '' ? null : (
    <>
      <dt>{label}</dt>
      <dd>
        <a href={url} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      </dd>
    </>
  )

/** A post that waits: image, text and author side by side. */
export const QueuePost = ({
  item,
  refused,
  place,
}: {
  readonly item: Item
  readonly refused: unknown
  readonly place: string
}) => {
  const messages = useMessages()
  const { queue: words } = messages
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const people = usePeople()
  const { email = '', clientId = '' } = item.author ?? {}
  const name = people.get(personOfClient(clientId) ?? '')
  const author = name ?? (email || clientId || words.unknownAuthor)
  return (
    <article className="post" aria-labelledby="post-title">
      <div className="post-image">
        {item.itemRelatedLink === '' ? (
          <p className="drop-hint">
            <Icon name="image" />
            {words.noImage}
          </p>
        ) : (
          <img src={item.itemRelatedLink} alt={words.imageAlt} />
        )}
      </div>
      <div className="post-text">
        <p className="hint">{place}</p>
        <h2 id="post-title" lang={item.lang}>
          {item.itemTitle}
        </h2>
        <p className="post-body" lang={item.lang}>
          {item.itemDescription}
        </p>
        <dl className="facts">
          <dt>{words.author}</dt>
          <dd>{author}</dd>
          <dt>{words.sent}</dt>
          <dd>
            <time dateTime={item.createdAt}>{momentOf(item.createdAt)}</time>
          </dd>
          <dt>{words.language}</dt>
          <dd>{messages.languages[item.lang]}</dd>
          <dt>{words.audience}</dt>
          <dd>{item.isDonorRestricted === '1' ? messages.list.donors : messages.list.public}</dd>
          <LinkLine label={words.link} url={item.link} />
          {isPost(item) && <LinkLine label={words.video} url={item.vlink} />}
        </dl>
        {refused !== undefined && (
          <div className="notice problem" role="alert">
            <p>{words.refused}</p>
            {(refused instanceof PostChanged ? [words.changed] : errorTexts(refused, messages)).map(
              (text) => (
                <p key={text}>{text}</p>
              ),
            )}
          </div>
        )}
        <p>
          <a href={pathOf('feed', item.itemId)}>{words.edit}</a>
        </p>
      </div>
    </article>
  )
}
