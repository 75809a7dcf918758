import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../session/session.tsx'
import { SelectField } from '../../ui/controls.tsx'
import type { AuditFilters } from './audit-api.ts'

/** Milliseconds after the last key until the list is filtered. */
const PAUSE = 400

/** Whether a day is complete: a date field also reports the years 0002 and 0020 while 2026 is typed. */
const isWhole = (day: string): boolean => day === '' || day >= '1900'

/** Returns a day whose year was typed with two digits as one of this century; any other text as it is. */
const inThisCentury = (text: string): string => text.replace(/^00(?=\d\d-\d\d-\d\d$)/, '20')

/** A text, or a day in the browser's own field, that filters while the person types. */
const TextFilter = ({
  label,
  value,
  type = 'text',
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'date'
  readonly onChange: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    if (type === 'text' || isWhole(next)) timer.current = setTimeout(() => onChange(next.trim()), PAUSE)
  }
  return (
    <label className="select-field">
      <span className="label">{label}</span>
      <input
        type={type}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        onBlur={() => {
          if (inThisCentury(text) !== text) change(inThisCentury(text))
        }}
      />
    </label>
  )
}

/** Who, what, which entry and when. */
export const Filters = ({
  filters,
  people,
  onChange,
}: {
  readonly filters: AuditFilters
  /** Names of managers by number. */
  readonly people: ReadonlyMap<string, string>
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}) => {
  const { audit: words } = useMessages()
  const isPerson = people.has(filters.actor)
  return (
    <search className="filters audit-filters" aria-label={words.filters}>
      <SelectField
        label={words.person}
        value={isPerson ? filters.actor : ''}
        options={[
          { value: '', label: words.anyone },
          ...[...people].map(([value, label]) => ({ value, label })),
        ]}
        onChange={(actor) => onChange({ actor })}
      />
      <TextFilter
        label={words.actor}
        value={isPerson ? '' : filters.actor}
        onChange={(actor) => onChange({ actor })}
      />
      <SelectField
        label={words.action}
        value={filters.action}
        options={[
          { value: '', label: words.anything },
          ...Object.entries(words.actions).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(action) => onChange({ action })}
      />
      <TextFilter
        label={words.subject}
        value={filters.subject}
        onChange={(subject) => onChange({ subject })}
      />
      <TextFilter
        type="date"
        label={words.from}
        value={filters.from}
        onChange={(from) => onChange({ from })}
      />
      <TextFilter type="date" label={words.to} value={filters.to} onChange={(to) => onChange({ to })} />
    </search>
  )
}
