import { useState } from 'react'
import { useMessages } from '../../app/session.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { runToastAction } from '../../ui/toasts.tsx'
import { Decisions } from './decisions.tsx'
import { QueueEmpty } from './queue-empty.tsx'
import { QueuePost } from './queue-post.tsx'
import { useKeys } from './use-keys.ts'
import { useQueue } from './use-queue.ts'

/** Where the browser remembers that a person has switched the keys off. */
const SETTING = 'almoner.queue.keys'

/** Posts of donors, oldest first, one at a time: approve, archive, next, previous, undo. */
const QueuePage = () => {
  const messages = useMessages()
  const words = messages.queue
  const [hasKeys, setKeys] = useState(() => localStorage.getItem(SETTING) !== 'off')
  const queue = useQueue()
  useKeys(
    {
      a: () => void queue.decide('Live'),
      r: () => void queue.decide('Archived'),
      j: () => queue.move(1),
      k: () => queue.move(-1),
      z: runToastAction,
    },
    hasKeys,
  )
  const switchKeys = (isOn: boolean) => {
    setKeys(isOn)
    localStorage.setItem(SETTING, isOn ? 'on' : 'off')
  }
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
          <Decisions queue={queue} hasKeys={hasKeys} />
          <SwitchField label={words.keys} hint={words.keysHint} isSelected={hasKeys} onChange={switchKeys} />
        </>
      )}
    </div>
  )
}

export default QueuePage
