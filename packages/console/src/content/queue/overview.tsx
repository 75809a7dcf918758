import { useAnswer } from '../../session/answers.ts'
import { consoleApi } from '../../session/api.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { type Item, pathOf, thumbnailOf } from '../items.ts'

/** The uploaded image of a post in a size that fits, or a sign for none. The title beside it says the rest. */
const Thumbnail = ({ item, sizes }: { readonly item: Item; readonly sizes: string }) => {
  const { src, srcSet } = thumbnailOf(item)
  return (
    <span className="thumb">
      {src === '' ? (
        <Icon name="image" />
      ) : (
        <img src={src} srcSet={srcSet} sizes={sizes} alt="" loading="lazy" />
      )}
    </span>
  )
}

/** All posts that wait, as a grid: each leads to its place in the queue. */
export const Overview = ({
  items,
  total,
  hrefOf,
  authorOf,
}: {
  readonly items: ReadonlyArray<Item>
  /** The number of all that wait, of which the oldest ones are listed. */
  readonly total: number
  readonly hrefOf: (itemId: string) => string
  readonly authorOf: (item: Item) => string
}) => {
  const messages = useMessages()
  const dayOf = useMoment({ dateStyle: 'medium', timeStyle: 'short' })
  return (
    <>
      {total > items.length && <p className="hint">{messages.overview.oldest(items.length, total)}</p>}
      <ol className="post-grid">
        {items.map((item) => (
          <li key={item.itemId}>
            <Thumbnail item={item} sizes="(min-width: 56rem) 14rem, 45vw" />
            <a className="title" href={hrefOf(item.itemId)} lang={item.lang}>
              {item.itemTitle}
            </a>
            <p className="meta">
              <span>{authorOf(item)}</span>
              <time dateTime={item.createdAt}>{dayOf(item.createdAt)}</time>
              <span>{messages.languages[item.lang]}</span>
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Returns the latest posts that the author of a post sent before it. */
const listEarlier = async (itemId: string, signal: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/feed/{itemId}/earlier', { path: { itemId }, signal })
  return { ...rest, data: data.items.map(({ item }): Item => item) }
}

/** What the donor of a post sent before, and what became of it. Absent without any, and while it is read. */
export const EarlierPosts = ({ itemId }: { readonly itemId: string }) => {
  const { overview: words } = useMessages()
  const dayOf = useMoment({ dateStyle: 'medium' })
  const items = useAnswer(`earlier ${itemId}`, (signal) => listEarlier(itemId, signal)).answer?.data ?? []
  if (items.length === 0) return null
  return (
    <section className="earlier-posts" aria-labelledby="earlier-title">
      <h3 id="earlier-title">{words.earlier}</h3>
      <ul>
        {items.map((item) => (
          <li key={item.itemId}>
            <Thumbnail item={item} sizes="3.5rem" />
            <div>
              <a href={pathOf('feed', item.itemId)} lang={item.lang}>
                {item.itemTitle}
              </a>
              <p className="meta">
                <StatusMark status={item.status} />
                <time dateTime={item.createdAt}>{dayOf(item.createdAt)}</time>
              </p>
              <ReasonGiven item={item} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the reason that the author of a post was given, where it was asked for. */
export const reasonOf = (item: Item): string => ('reason' in item && item.reason) || ''

/** The reason that the author of a post was given; absent without one. */
export const ReasonGiven = ({ item }: { readonly item: Item }) => {
  const { overview: words } = useMessages()
  const reason = reasonOf(item)
  return reason === '' ? null : (
    <p className="hint">
      {words.given} <q lang={item.lang}>{reason}</q>
    </p>
  )
}
