import { useEffect, useRef, useState } from 'react'
import { useMessages, useSession } from '../../app/session.tsx'
import { Icon } from '../../ui/icon.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { ContentType, Label } from '../items.ts'
import type { ListFilters } from './list-query.ts'

/** Milliseconds after the last key until the list is searched. */
const PAUSE = 250

/** The search box. It searches while the person types. */
const Search = ({ value, onChange }: { readonly value: string; readonly onChange: (q: string) => void }) => {
  const { list } = useMessages()
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
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
        type="search"
        value={text}
        maxLength={200}
        placeholder={list.searchHint}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}

/** Search and filters of a list. */
export const Filters = ({
  contentType,
  filters,
  labels,
  onChange,
}: {
  readonly contentType: ContentType
  readonly filters: ListFilters
  readonly labels: ReadonlyArray<Label>
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}) => {
  const { list, status, languages } = useMessages()
  const { language } = useSession().session.manager
  const any = { value: '', label: list.any }
  return (
    <search className="filters" aria-label={list.filters}>
      <Search value={filters.q} onChange={(q) => onChange({ q })} />
      <SelectField
        label={list.status}
        value={filters.status}
        options={[
          any,
          ...(['Draft', 'Live', 'Archived'] as const).map((value) => ({ value, label: status[value] })),
        ]}
        onChange={(value) => onChange({ status: value })}
      />
      <SelectField
        label={list.language}
        value={filters.lang}
        options={[any, { value: 'en', label: languages.en }, { value: 'fr', label: languages.fr }]}
        onChange={(lang) => onChange({ lang })}
      />
      <SelectField
        label={list.label}
        value={filters.labelId}
        options={[any, ...labels.map((label) => ({ value: label.labelId, label: label[language] }))]}
        onChange={(labelId) => onChange({ labelId })}
      />
      <SelectField
        label={list.audience}
        value={filters.isDonorRestricted}
        options={[any, { value: '0', label: list.public }, { value: '1', label: list.donors }]}
        onChange={(isDonorRestricted) => onChange({ isDonorRestricted })}
      />
      {contentType === 'library' && (
        <SelectField
          label={list.translation}
          value={filters.translation}
          options={[
            any,
            { value: 'missing', label: list.translations.missing },
            { value: 'older', label: list.translations.older },
          ]}
          onChange={(translation) => onChange({ translation })}
        />
      )}
    </search>
  )
}
