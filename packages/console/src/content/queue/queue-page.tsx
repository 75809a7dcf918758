import { useEffect, useState } from 'react'
import { Group } from 'react-aria-components/Group'
import { at } from '../../paths.ts'
import { useUrl, withQuery } from '../../session/router.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import type { ShortcutName } from '../../session/shortcuts.ts'
import { type Seen, useSeen } from '../../session/use-seen.ts'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { Button, Icon, type IconName } from '../../ui/controls.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import { errorTexts, isConflict, Problem } from '../../ui/problem.tsx'
import { ChangedBy } from '../editor/refusal.tsx'
import { personOfClient, usePeople } from '../history/history-api.ts'
import { type Item, isPost, pathOf } from '../items.ts'
import { LastActs, LatestAct } from './last-acts.tsx'
import { EarlierPosts, Overview, ReasonGiven, reasonOf } from './overview.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { PostChanged, type Queue, useQueue } from './use-queue.ts'

/** The acts of the queue. On a phone they are within reach of a thumb. They do nothing before the post has been seen (M12). */
const Decisions = ({
  queue,
  seen: { isSeen, begin },
  onDecide,
  onReason,
}: {
  readonly queue: Queue
  readonly seen: Seen
  readonly onDecide: (status: 'Live' | 'Archived') => void
  readonly onReason: () => void
}) => {
  const { queue: words, reason } = useMessages()
  const step = (icon: IconName, label: string, key: ShortcutName<'queue'>, steps: number) => (
    <Button kind="quiet" aria-label={label} onPress={() => queue.move(steps)}>
      <Icon name={icon} />
      <KeyHint area="queue" name={key} />
    </Button>
  )
  return (
    <div className="decisions">
      <LatestAct onUndo={(act) => void queue.undo(act)} />
      {step('previous', words.previous, 'previousPost', -1)}
      <Group className="decide" aria-label={words.acts} {...(!isSeen && { 'aria-disabled': true })}>
        <Button onPressStart={begin} onPress={() => onDecide('Archived')}>
          <Icon name="archive" />
          {words.archive}
          <KeyHint area="queue" name="archive" />
        </Button>
        <Button onPress={onReason}>
          {reason.button}
          <KeyHint area="queue" name="reason" />
        </Button>
        <Button kind="primary" onPressStart={begin} onPress={() => onDecide('Live')}>
          <Icon name="check" />
          {words.approve}
          <KeyHint area="queue" name="approve" />
        </Button>
      </Group>
      {step('next', words.next, 'nextPost', 1)}
    </div>
  )
}

/** Shown when no post waits. */
const QueueEmpty = () => {
  const { queue } = useMessages()
  return (
    <div className="empty">
      <Icon name="check" />
      <h2>{queue.emptyTitle}</h2>
      <p>{queue.emptyText}</p>
      <a className="button" href={at('/console/feed')}>
        {queue.emptyLink}
      </a>
    </div>
  )
}

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

/** Returns a function that names the author of a post: a manager by name, a donor by address. */
const useAuthors = () => {
  const { queue: words } = useMessages()
  const people = usePeople()
  return ({ author }: Item): string =>
    people.get(personOfClient(author?.clientId ?? '') ?? '') ??
    (author?.email || author?.clientId || words.unknownAuthor)
}

/** The two views of the queue, as links: each has an address. */
const Views = ({ url }: { readonly url: URL }) => {
  const { overview: words } = useMessages()
  const link = (view: string, text: string, isCurrent: boolean) => (
    <a href={withQuery(url, { view, post: '' })} aria-current={isCurrent ? 'page' : undefined}>
      {text}
    </a>
  )
  return (
    <nav className="views" aria-label={words.views}>
      {link('', words.queue, !isOverview(url))}
      {link('overview', words.grid, isOverview(url))}
    </nav>
  )
}

/** A post that waits: image, text and author side by side. */
const QueuePost = ({
  item,
  refused,
  place,
  onImage,
}: {
  readonly item: Item
  readonly refused: unknown
  readonly place: string
  /** The image is there, or cannot be had. */
  readonly onImage: () => void
}) => {
  const messages = useMessages()
  const { queue: words } = messages
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const hasChanged = refused instanceof PostChanged || isConflict(refused)
  const authorOf = useAuthors()
  return (
    <article className="post" aria-labelledby="post-title">
      <div className="post-image">
        {item.itemRelatedLink === '' ? (
          <p className="drop-hint">
            <Icon name="image" />
            {words.noImage}
          </p>
        ) : (
          <img
            key={item.itemRelatedLink}
            src={item.itemRelatedLink}
            alt={words.imageAlt}
            onLoad={onImage}
            onError={onImage}
          />
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
          <dd>{authorOf(item)}</dd>
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
        <ReasonGiven item={item} />
        {refused !== undefined && (
          <div className="notice problem" role="alert">
            <p>{words.refused}</p>
            {(hasChanged ? [words.changed] : errorTexts(refused, messages)).map((text) => (
              <p key={text}>{text}</p>
            ))}
            {hasChanged && <ChangedBy contentType="feed" itemId={item.itemId} />}
          </div>
        )}
        <p>
          <a href={pathOf('feed', item.itemId)}>{words.edit}</a>
        </p>
        <EarlierPosts itemId={item.itemId} />
      </div>
    </article>
  )
}

/** The post that is shown, with its acts, by buttons and keys. */
const OneByOne = ({ queue, item }: { readonly queue: Queue; readonly item: Item }) => {
  const messages = useMessages()
  const words = messages.queue
  const [loaded, setLoaded] = useState('')
  const [refusing, setRefusing] = useState<Item>()
  // A reason that was typed stays with its post until it is sent.
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({})
  const image = item.itemRelatedLink
  const seen = useSeen(image === '' || loaded === image ? `${item.itemId} ${item.updatedAt}` : undefined)
  const next = queue.items?.[queue.position + 1]?.itemRelatedLink ?? ''
  useEffect(() => {
    if (next !== '') new Image().src = next
  }, [next])
  const decide = (status: 'Live' | 'Archived') => {
    if (seen.end()) void queue.decide(item, status)
  }
  const decideAtOnce = (status: 'Live' | 'Archived') => () => {
    seen.begin()
    decide(status)
  }
  const refuse = () => setRefusing(item)
  const reason = refusing === undefined ? '' : (reasons[refusing.itemId] ?? reasonOf(refusing))
  useShortcuts('queue', {
    approve: decideAtOnce('Live'),
    archive: decideAtOnce('Archived'),
    reason: refuse,
    nextPost: () => queue.move(1),
    previousPost: () => queue.move(-1),
  })
  return (
    <>
      <QueuePost
        item={item}
        refused={queue.refused}
        place={words.place(queue.position + 1, queue.total)}
        onImage={() => setLoaded(image)}
      />
      <Decisions queue={queue} seen={seen} onDecide={decide} onReason={refuse} />
      {refusing !== undefined && (
        <ReasonDialog
          item={refusing}
          text={reason}
          onChange={(text) => setReasons((before) => ({ ...before, [refusing.itemId]: text }))}
          onArchive={() => {
            setRefusing(undefined)
            void queue.decide(refusing, 'Archived', reason.trim())
          }}
          onCancel={() => setRefusing(undefined)}
        />
      )}
    </>
  )
}

/** The posts that wait: all of them as a grid, or one at a time. */
const Waiting = ({ queue, url }: { readonly queue: Queue; readonly url: URL }) => {
  const authorOf = useAuthors()
  const { items, item, total } = queue
  if (items === undefined) return null
  if (item === undefined) return <QueueEmpty />
  if (!isOverview(url)) return <OneByOne queue={queue} item={item} />
  return (
    <Overview
      items={items}
      total={total}
      hrefOf={(post) => withQuery(url, { view: '', post })}
      authorOf={authorOf}
    />
  )
}

const isOverview = (url: URL): boolean => url.searchParams.get('view') === 'overview'

/** Posts of donors, oldest first: approve, archive, say why not, next, previous, undo. Or all of them as a grid. */
export const QueuePage = () => {
  const messages = useMessages()
  const words = messages.queue
  const url = useUrl()
  const queue = useQueue(url.searchParams.get('post'))
  useShortcuts('queue', { undo: () => void queue.undo() })
  return (
    <div className="page queue">
      <div className="page-head">
        <h1>
          {words.title}
          {queue.items !== undefined && <span className="count">{words.count(queue.total)}</span>}
        </h1>
        <Views url={url} />
      </div>
      {queue.error !== undefined && <Problem error={queue.error} onRetry={queue.reload} />}
      {queue.items === undefined && queue.error === undefined && (
        <p className="loading">{messages.loading}</p>
      )}
      <Waiting queue={queue} url={url} />
      <LastActs onUndo={(act) => void queue.undo(act)} />
      {queue.item !== undefined && (
        <p>
          <a href={at('/console/shortcuts')}>{messages.shortcuts.title}</a>
        </p>
      )}
    </div>
  )
}
