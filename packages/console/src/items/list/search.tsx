import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../app/session.tsx'
import { useShortcuts } from '../../app/use-shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'

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
