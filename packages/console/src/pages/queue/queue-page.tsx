import { at } from '../../paths.ts'
import { useMessages } from '../../session/session.tsx'
import { useShortcuts } from '../../session/use-shortcuts.ts'
import { runToastAction } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Decisions } from './decisions.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import { QueuePost } from './queue-post.tsx'
import { useQueue } from './use-queue.ts'

/** Posts of donors, oldest first, one at a time: approve, archive, next, previous, undo. */
const QueuePage = () => {
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

export default QueuePage
