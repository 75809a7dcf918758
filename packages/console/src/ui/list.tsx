import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useMessages } from '../session/session.tsx'
import { shortcutOf } from '../session/shortcuts.ts'
import { shortcutSetting, useShortcuts } from '../session/use-shortcuts.ts'
import { Icon } from './controls.tsx'

/** Milliseconds after the last key until the list is searched. */
const PAUSE = 250

/** The search box. It searches while the person types. */
export const Search = ({
  value,
  hint,
  onChange,
}: {
  readonly value: string
  /** What is searched, shown in the empty box. */
  readonly hint: string
  readonly onChange: (text: string) => void
}) => {
  const { list } = useMessages()
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useRef<HTMLInputElement>(null)
  useShortcuts('list', { search: () => box.current?.focus() })
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(next.trim()), PAUSE)
  }
  return (
    <label className="search">
      <span className="label">{list.search}</span>
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        value={text}
        maxLength={200}
        placeholder={hint}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}

/** A number of a page to open; Enter opens it. */
const JumpToPage = ({
  page,
  pages,
  onJump,
}: {
  readonly page: number
  readonly pages: number
  readonly onJump: (page: number) => void
}) => {
  const { list } = useMessages()
  const [text, setText] = useState(String(page))
  return (
    <form
      className="jump"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = Math.trunc(Number(text))
        if (wanted >= 1) onJump(Math.min(wanted, pages))
      }}
    >
      <label>
        {list.page}
        <input inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <span>{list.ofPages(pages)}</span>
    </form>
  )
}

/** Links to the previous and the next page of a list. */
export const Pager = ({
  offset,
  size,
  total,
  hasNext,
  hrefOf,
  onJump,
}: {
  readonly offset: number
  readonly size: number
  /** The number of all that match, where it is known. */
  readonly total?: number
  readonly hasNext: boolean
  readonly hrefOf: (offset: number) => string
  /** Opens the page that begins at an offset, in lists whose pages are numbered. */
  readonly onJump?: (offset: number) => void
}) => {
  const { list } = useMessages()
  if (offset === 0 && !hasNext) return null
  const pages = Math.ceil((total ?? 0) / size)
  return (
    <nav className="pager" aria-label={list.pages}>
      {offset > 0 ? (
        <a className="button" href={hrefOf(Math.max(0, offset - size))} rel="prev">
          <Icon name="previous" />
          {list.previous}
        </a>
      ) : (
        <span />
      )}
      <span className="pager-place">
        {total !== undefined && list.range(offset + 1, Math.min(offset + size, total), total)}
        {onJump !== undefined && pages > 2 && (
          <JumpToPage
            key={offset}
            page={Math.floor(offset / size) + 1}
            pages={pages}
            onJump={(page) => onJump((page - 1) * size)}
          />
        )}
      </span>
      {hasNext ? (
        <a className="button" href={hrefOf(offset + size)} rel="next">
          {list.next}
          <Icon name="next" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

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

/** Returns the position of the row that has the focus; -1 if none has. */
export const focusedRow = (list: HTMLElement): number =>
  [...list.children].findIndex((row) => row.contains(document.activeElement))

/** Moves the focus to a title of a list, if there is one at the position. */
export const focusTitle = (list: HTMLElement, position: number): void =>
  list.querySelectorAll<HTMLElement>('a.title')[position]?.focus()

/** Moves the focus from title to title. Works only while the focus is in the list. */
export const moveAlong = (event: KeyboardEvent<HTMLElement>): void => {
  const list = event.currentTarget
  const present = focusedRow(list)
  const targets: Readonly<Partial<Record<string, number>>> = {
    next: present + 1,
    previous: present - 1,
    first: 0,
    last: list.children.length - 1,
  }
  const target = targets[shortcutOf('list', event, shortcutSetting.isOn()) ?? '']
  if (target === undefined) return
  event.preventDefault()
  focusTitle(list, target)
}
