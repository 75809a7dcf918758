import type { KeyboardEvent } from 'react'
import { useLocaleName, useMessages, useSession } from '../../app/session.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { type ContentType, type Item, isPost, pathOf } from '../items.ts'
import { translationState } from '../translation-state.ts'

/** The keys that move along a list, and how far. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** Moves the focus from title to title. Works only while the focus is in the list. */
const moveAlong = (event: KeyboardEvent<HTMLElement>): void => {
  const titles = [...event.currentTarget.querySelectorAll<HTMLElement>('a.title')]
  const present = titles.indexOf(document.activeElement as HTMLElement)
  const ends: Readonly<Record<string, number>> = { Home: 0, End: titles.length - 1 }
  const step = STEPS[event.key]
  const next = step === undefined ? ends[event.key] : present + step
  if (next === undefined || titles[next] === undefined || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  titles[next].focus()
}

/** The day of a publication, which is a day everywhere, or the moment at which a post was created. */
const dateOf = (item: Item): string => (isPost(item) ? item.createdAt : item.itemPublicationDate)

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
  const { manager, timeZone } = useSession().session
  const { language } = manager
  const day = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeZone: isPost(item) ? timeZone : 'UTC',
  })
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
          <time dateTime={dateOf(item)}>{day.format(new Date(dateOf(item)))}</time>
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
