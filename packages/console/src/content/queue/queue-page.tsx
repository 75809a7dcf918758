import { Group } from 'react-aria-components/Group'
import { at } from '../../paths.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import type { ShortcutName } from '../../session/shortcuts.ts'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { Button, Icon, type IconName } from '../../ui/controls.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import { runToastAction } from '../../ui/overlays.tsx'
import { errorTexts, Problem } from '../../ui/problem.tsx'
import { personOfClient, usePeople } from '../history/history-api.ts'
import { type Item, isPost, pathOf } from '../items.ts'
import { PostChanged, type Queue, useQueue } from './use-queue.ts'

/** The acts of the queue. On a phone they are within reach of a thumb. */
const Decisions = ({ queue }: { readonly queue: Queue }) => {
  const { queue: words } = useMessages()
  const step = (icon: IconName, label: string, key: ShortcutName<'queue'>, steps: number) => (
    <Button kind="quiet" aria-label={label} onPress={() => queue.move(steps)}>
      <Icon name={icon} />
      <KeyHint area="queue" name={key} />
    </Button>
  )
  return (
    <Group className="decisions" aria-label={words.acts}>
      {step('previous', words.previous, 'previousPost', -1)}
      <Button onPress={() => void queue.decide('Archived')}>
        <Icon name="archive" />
        {words.archive}
        <KeyHint area="queue" name="archive" />
      </Button>
      <Button kind="primary" onPress={() => void queue.decide('Live')}>
        <Icon name="check" />
        {words.approve}
        <KeyHint area="queue" name="approve" />
      </Button>
      {step('next', words.next, 'nextPost', 1)}
    </Group>
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

/** A post that waits: image, text and author side by side. */
const QueuePost = ({
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

/** Posts of donors, oldest first, one at a time: approve, archive, next, previous, undo. */
export const QueuePage = () => {
  const messages = useMessages()
  const words = messages.queue
  const queue = useQueue()
  useShortcuts('queue', {
    approve: () => void queue.decide('Live'),
    archive: () => void queue.decide('Archived'),
    nextPost: () => queue.move(1),
    previousPost: () => queue.move(-1),
    undo: runToastAction,
  })
  return (
    <div className="page queue">
      <div className="page-head">
        <h1>
          {words.title}
          {queue.items !== undefined && <span className="count">{words.count(queue.total)}</span>}
        </h1>
      </div>
      {queue.error !== undefined && <Problem error={queue.error} onRetry={queue.reload} />}
      {queue.items === undefined && queue.error === undefined && (
        <p className="loading">{messages.loading}</p>
      )}
      {queue.items !== undefined && queue.item === undefined && <QueueEmpty />}
      {queue.item !== undefined && (
        <>
          <QueuePost
            item={queue.item}
            refused={queue.refused}
            place={words.place(queue.position + 1, queue.total)}
          />
          <Decisions queue={queue} />
          <p>
            <a href={at('/console/shortcuts')}>{messages.shortcuts.title}</a>
          </p>
        </>
      )}
    </div>
  )
}
