import { useMessages, useSession } from '../../session/session.tsx'
import { SelectField } from '../../ui/controls.tsx'
import { Search } from '../../ui/list.tsx'
import type { ContentType, Label } from '../items.ts'
import type { ListFilters } from './list-query.ts'

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
  const any = (filter: keyof typeof list.any) => ({ value: '', label: list.any[filter] })
  return (
    <search className="filters" aria-label={list.filters}>
      <Search value={filters.q} hint={list.searchHint} onChange={(q) => onChange({ q })} />
      <SelectField
        label={list.status}
        value={filters.status}
        options={[
          any('status'),
          ...(['Draft', 'Live', 'Archived'] as const).map((value) => ({ value, label: status[value] })),
        ]}
        onChange={(value) => onChange({ status: value })}
      />
      <SelectField
        label={list.language}
        value={filters.lang}
        options={[
          any('language'),
          { value: 'en', label: languages.en },
          { value: 'fr', label: languages.fr },
        ]}
        onChange={(lang) => onChange({ lang })}
      />
      <SelectField
        label={list.label}
        value={filters.labelId}
        options={[any('label'), ...labels.map((label) => ({ value: label.labelId, label: label[language] }))]}
        onChange={(labelId) => onChange({ labelId })}
      />
      <SelectField
        label={list.audience}
        value={filters.isDonorRestricted}
        options={[any('audience'), { value: '0', label: list.public }, { value: '1', label: list.donors }]}
        onChange={(isDonorRestricted) => onChange({ isDonorRestricted })}
      />
      {contentType === 'library' && (
        <SelectField
          label={list.translation}
          value={filters.translation}
          options={[
            any('translation'),
            { value: 'missing', label: list.translations.missing },
            { value: 'older', label: list.translations.older },
          ]}
          onChange={(translation) => onChange({ translation })}
        />
      )}
    </search>
  )
}
