import { useMessages } from '../../app/session.tsx'
import { at } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'

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
