import { at } from '../../paths.ts'
import { useMessages } from '../../session/session.tsx'
import { BackLink, Icon } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { type ContentType, type Item, pathOf, pathOfComposer } from '../items.ts'

const Links = ({
  contentType,
  item: { itemId, status },
}: {
  readonly contentType: ContentType
  readonly item: Item
}) => {
  const { composer, history, translation } = useMessages()
  const path = pathOf(contentType, itemId)
  return (
    <>
      {contentType === 'library' && (
        <a href={`${path}/translation`}>
          <Icon name="languages" />
          {translation.title}
        </a>
      )}
      {contentType === 'library' && status === 'Live' && (
        <a href={pathOfComposer(itemId)}>
          <Icon name="bell" />
          {composer.notify}
        </a>
      )}
      <a href={`${path}/history`}>
        <Icon name="history" />
        {history.link}
      </a>
    </>
  )
}

/** The head of an editor: the way back, the title, the pages of the item, and its status. */
export const EditorHead = ({
  contentType,
  item,
}: {
  readonly contentType: ContentType
  /** Undefined for a new item. */
  readonly item: Item | undefined
}) => {
  const words = useMessages()[contentType]
  return (
    <>
      <BackLink href={at(`/console/${contentType}`)} text={words.title} />
      <div className="page-head">
        <h1>{item === undefined ? words.create : words.edit}</h1>
        <div className="page-links">
          {item !== undefined && <Links contentType={contentType} item={item} />}
          <StatusMark status={item?.status ?? 'Draft'} />
        </div>
      </div>
    </>
  )
}
