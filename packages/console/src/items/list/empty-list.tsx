import { at } from '../../paths.ts'
import { useMessages } from '../../session/session.tsx'
import { Icon } from '../../ui/controls.tsx'
import type { ContentType } from '../items.ts'

/** Says why a list is empty, and what to do next. */
export const EmptyList = ({
  contentType,
  isFiltered,
}: {
  readonly contentType: ContentType
  readonly isFiltered: boolean
}) => {
  const messages = useMessages()
  const words = messages[contentType]
  if (isFiltered)
    return (
      <div className="empty">
        <Icon name="search" />
        <h2>{messages.list.noneTitle}</h2>
        <p>{messages.list.noneText}</p>
        <a className="button" href={at(`/console/${contentType}`)}>
          {messages.list.clear}
        </a>
      </div>
    )
  return (
    <div className="empty">
      <Icon name={contentType} />
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyText}</p>
      <a className="button primary" href={at(`/console/${contentType}/new`)}>
        {words.create}
      </a>
    </div>
  )
}
