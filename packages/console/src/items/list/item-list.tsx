import { useLocaleName, useMessages, useSession } from '../../app/session.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { type ContentType, type Item, isPost, pathOf } from '../items.ts'
import { translationState } from '../translation-state.ts'
import { moveAlong } from './move-along.ts'

const dayOf = (item: Item): string => (isPost(item) ? item.createdAt.slice(0, 10) : item.itemPublicationDate)

/** Marks a publication whose translation is missing, or that is older than its original. */
const TranslationMark = ({ item }: { readonly item: Item }) => {
  const { list } = useMessages()
  const state = translationState(item)
  if (state === 'current') return null
  const other = item.lang === 'en' ? 'fr' : 'en'
  return <span className="mark">{state === 'older' ? list.older : list.missing[other]}</span>
}

const Row = ({ contentType, item }: { readonly contentType: ContentType; readonly item: Item }) => {
  const messages = useMessages()
  const locale = useLocaleName()
  const { language } = useSession().session.manager
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <li className="row">
      <div className="thumb">
        {item.itemRelatedLink === '' ? (
          <Icon name="image" />
        ) : (
          <img src={item.itemRelatedLink} alt="" loading="lazy" />
        )}
      </div>
      <div className="row-text">
        <a className="title" href={pathOf(contentType, item.itemId)} lang={item.lang}>
          {item.itemTitle}
        </a>
        <p className="meta">
          <StatusMark status={item.status} />
          <span>{messages.languages[item.lang]}</span>
          <time dateTime={dayOf(item)}>{day.format(new Date(dayOf(item)))}</time>
          {isPost(item) && <span>{messages.kinds[item.itemType]}</span>}
          {item.isDonorRestricted === '1' && (
            <span className="restricted">
              <Icon name="lock" />
              {messages.list.donors}
            </span>
          )}
          <TranslationMark item={item} />
          {item.labels?.map(({ label }) => (
            <span key={label.labelId} className="tag">
              {label[language]}
            </span>
          ))}
        </p>
      </div>
    </li>
  )
}

/** The rows of a list. Titles are links; arrow keys, J and K move along them. */
export const ItemList = ({
  contentType,
  items,
  isStale,
}: {
  readonly contentType: ContentType
  readonly items: ReadonlyArray<Item>
  readonly isStale: boolean
}) => {
  const messages = useMessages()
  return (
    <ul className="rows" aria-label={messages[contentType].title} aria-busy={isStale} onKeyDown={moveAlong}>
      {items.map((item) => (
        <Row key={item.itemId} contentType={contentType} item={item} />
      ))}
    </ul>
  )
}
