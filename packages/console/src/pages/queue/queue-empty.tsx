import { at } from '../../paths.ts'
import { useMessages } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'

/** Shown when no post waits. */
export const QueueEmpty = () => {
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
