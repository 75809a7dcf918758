import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { useAnswer } from '../../session/answers.ts'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { shortcutOf } from '../../session/shortcuts.ts'
import { shortcutSetting } from '../../session/use-shortcuts.ts'
import { Icon } from '../../ui/controls.tsx'
import { focusedRow, focusTitle, moveAlong } from '../../ui/list.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { isAsSeen, MOST_SELECTED } from '../bulk/bulk.ts'
import { useFieldNames } from '../history/field-changes.tsx'
import { type ContentType, type Item, isPost, pathOf, thumbnailOf, translationState } from '../items.ts'
import { listDeadLinks } from '../items-api.ts'

/** A native checkbox of 24 px and more. `onToggle` says whether Shift was held, for ranges. */
export const CheckBox = ({
  label,
  isChecked,
  isPartly = false,
  onToggle,
  hasText = false,
}: {
  readonly label: string
  readonly isChecked: boolean
  readonly isPartly?: boolean
  readonly onToggle: (isRange: boolean) => void
  /** Shows the label beside the box. */
  readonly hasText?: boolean
}) => {
  const isShift = useRef(false)
  const note = (event: KeyboardEvent | MouseEvent) => {
    isShift.current = event.shiftKey
  }
  return (
    <label className="check-box">
      <input
        type="checkbox"
        aria-label={hasText ? undefined : label}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly
        }}
        checked={isChecked}
        onKeyDown={note}
        onClick={note}
        onChange={() => onToggle(isShift.current)}
      />
      {hasText && <span>{label}</span>}
    </label>
  )
}

/** Selects by keys, and moves along the titles. Works only while the focus is in the list. */
const onListKey = (
  event: KeyboardEvent<HTMLElement>,
  items: ReadonlyArray<Item>,
  { toggle, extend, toggleAll, clear }: Selection,
): void => {
  const list = event.currentTarget
  const present = focusedRow(list)
  const item = items[present]
  const extendTo = (position: number) => () => {
    const next = items[position]
    if (item === undefined || next === undefined) return
    extend(item, next)
    focusTitle(list, position)
  }
  const acts: Readonly<Partial<Record<string, () => void>>> = {
    select: () => item && toggle(item, false),
    selectNext: extendTo(present + 1),
    selectPrevious: extendTo(present - 1),
    selectAll: toggleAll,
    clear,
  }
  const act = acts[shortcutOf('list', event, shortcutSetting.isOn()) ?? '']
  if (act === undefined) {
    moveAlong(event)
    return
  }
  event.preventDefault()
  act()
}

/** The day of a publication, which is a day everywhere, or the moment at which a post was created. */
const dateOf = (item: Item): string => (isPost(item) ? item.createdAt : item.itemPublicationDate)

/** Marks a publication whose translation is missing, or that is older than its counterpart, by the words that changed there. */
const TranslationMark = ({ item }: { readonly item: Item }) => {
  const { list } = useMessages()
  const namesOf = useFieldNames()
  const state = translationState(item)
  if (state === 'current') return null
  const other = item.lang === 'en' ? 'fr' : 'en'
  const text = state === 'older' ? list.older[other](namesOf(item.changed ?? [])) : list.missing[other]
  return <span className="mark">{text}</span>
}

const Row = ({
  contentType,
  item,
  hasDeadLink,
  selection,
}: {
  readonly contentType: ContentType
  readonly item: Item
  readonly hasDeadLink: boolean
  readonly selection: Selection
}) => {
  const messages = useMessages()
  const locale = useLocaleName()
  const { manager, timeZone } = useSession().session
  const selected = selection.items.get(item.itemId)
  const { language } = manager
  const day = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeZone: isPost(item) ? timeZone : 'UTC',
  })
  return (
    <li className={selected === undefined ? 'row selectable' : 'row selectable selected'}>
      <CheckBox
        label={messages.bulk.select(item.itemTitle)}
        isChecked={selected !== undefined}
        onToggle={(isRange) => selection.toggle(item, isRange)}
      />
      <div className="thumb">
        {item.itemRelatedLink === '' ? (
          <Icon name="image" />
        ) : (
          <img src={thumbnailOf(item)} alt="" loading="lazy" />
        )}
      </div>
      <div className="row-text">
        <a className="title" href={pathOf(contentType, item.itemId)} lang={item.lang}>
          {item.itemTitle}
        </a>
        <p className="meta">
          <StatusMark status={item.status} />
          {selected !== undefined && !isAsSeen(selected, item) && (
            <span className="mark">{messages.bulk.changed}</span>
          )}
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
          {hasDeadLink && <span className="mark">{messages.list.deadLink}</span>}
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

/** The rows of a list. Titles are links; keys move along them and select. */
export const ItemList = ({
  contentType,
  items,
  isStale,
  selection,
}: {
  readonly contentType: ContentType
  readonly items: ReadonlyArray<Item>
  readonly isStale: boolean
  readonly selection: Selection
}) => {
  const messages = useMessages()
  const links = useAnswer('dead links', listDeadLinks).answer?.data.links ?? []
  const dead = new Set(links.map(({ link }) => link.itemId))
  return (
    <ul
      className="rows"
      aria-label={messages[contentType].title}
      aria-busy={isStale}
      onKeyDown={(event) => onListKey(event, items, selection)}
    >
      {items.map((item) => (
        <Row
          key={item.itemId}
          contentType={contentType}
          item={item}
          hasDeadLink={dead.has(item.itemId)}
          selection={selection}
        />
      ))}
    </ul>
  )
}

/** The selected items of a list, as the person saw them when selecting. */
export interface Selection {
  readonly items: ReadonlyMap<string, Item>
  readonly isSelected: (item: Item) => boolean
  /** Selects or unselects an item; with `isRange`, all listed items from the one before to this one. */
  readonly toggle: (item: Item, isRange: boolean) => void
  /** Selects both items and those between them. */
  readonly extend: (from: Item, to: Item) => void
  /** Selects all listed items, or none if all are selected. */
  readonly toggleAll: () => void
  readonly clear: () => void
}

const EMPTY: ReadonlyMap<string, Item> = new Map()

/** Returns the items from one to another, in either direction. */
const between = (listed: ReadonlyArray<Item>, from: string | undefined, to: string): ReadonlyArray<Item> => {
  const ends = [from, to].map((id) => listed.findIndex(({ itemId }) => itemId === id))
  const [first = -1, last = -1] = ends.toSorted((a, b) => a - b)
  return first < 0 ? listed.filter(({ itemId }) => itemId === to) : listed.slice(first, last + 1)
}

/**
 * Returns the selection of a list. An item stays selected as it was seen, also when it changes or leaves the list meanwhile, so that an act
 * cannot change what the person has not seen.
 */
export const useSelection = (listed: ReadonlyArray<Item>): Selection => {
  const [items, setItems] = useState(EMPTY)
  const latest = useRef<string>(undefined)

  const set = (changed: ReadonlyArray<Item>, isSelected: boolean) =>
    setItems((before) => {
      const after = new Map(before)
      for (const item of changed) {
        if (!isSelected) after.delete(item.itemId)
        else if (after.size < MOST_SELECTED && !after.has(item.itemId)) after.set(item.itemId, item)
      }
      return after
    })
  const isSelected = ({ itemId }: Item) => items.has(itemId)
  return {
    items,
    isSelected,
    toggle: (item, isRange) => {
      set(isRange ? between(listed, latest.current, item.itemId) : [item], !isSelected(item))
      latest.current = item.itemId
    },
    extend: (from, to) => {
      set(between(listed, from.itemId, to.itemId), true)
      latest.current = to.itemId
    },
    toggleAll: () => set(listed, !listed.every(isSelected)),
    clear: () => setItems(EMPTY),
  }
}
