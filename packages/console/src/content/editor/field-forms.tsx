import { type ComponentType, lazy, Suspense } from 'react'
import { useMessages } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type FieldName, type Fields, MOST_DESCRIPTION, MOST_TITLE } from './fields.ts'

/** How the form of a field gets its value and returns a change. */
interface FormProps {
  /** Begins the ids of the fields, where a page has several forms. */
  readonly prefix?: string
  readonly fields: Fields
  readonly errors: ReadonlyArray<string>
  readonly onChange: (value: string) => void
}

/** A title may wrap, but has no line breaks. */
const LINE_BREAK = /\r?\n/g

const Title = ({ prefix = '', fields, errors, onChange }: FormProps) => {
  const { fields: words } = useMessages()
  return (
    <TextField
      id={`${prefix}field-itemTitle`}
      label={words.itemTitle}
      value={fields.itemTitle ?? ''}
      onChange={(text) => onChange(text.replaceAll(LINE_BREAK, ' '))}
      errors={errors}
      most={MOST_TITLE}
      lang={fields.lang}
    />
  )
}

const Description = ({ prefix = '', fields, errors, onChange }: FormProps) => {
  const { fields: words } = useMessages()
  return (
    <TextField
      id={`${prefix}field-itemDescription`}
      label={words.itemDescription}
      value={fields.itemDescription ?? ''}
      onChange={onChange}
      errors={errors}
      most={MOST_DESCRIPTION}
      lang={fields.lang}
      rows={6}
    />
  )
}

const LinkForm = ({ prefix = '', fields, errors, onChange }: FormProps) => {
  const { fields: words } = useMessages()
  const isPhoto = fields.itemType === 'photo'
  if (fields.itemType === 'vlink') return null
  return (
    <TextField
      id={`${prefix}field-link`}
      label={isPhoto ? words.photoLink : words.link}
      value={fields.link ?? ''}
      onChange={onChange}
      errors={errors}
      hint={isPhoto ? words.photoLinkHint : words.linkHint}
      type="url"
    />
  )
}

const VideoLink = ({ prefix = '', fields, errors, onChange }: FormProps) => {
  const { fields: words } = useMessages()
  if (fields.itemType !== 'vlink') return null
  return (
    <TextField
      id={`${prefix}field-vlink`}
      label={words.vlink}
      value={fields.vlink ?? ''}
      onChange={onChange}
      errors={errors}
      hint={words.linkHint}
      type="url"
    />
  )
}

const Language = ({ fields, onChange }: FormProps) => {
  const { fields: words, languages } = useMessages()
  return (
    <Choice
      label={words.lang}
      value={fields.lang ?? 'en'}
      options={[
        { value: 'en', label: languages.en },
        { value: 'fr', label: languages.fr },
      ]}
      onChange={onChange}
    />
  )
}

const Kind = ({ fields, onChange }: FormProps) => {
  const { fields: words, kinds } = useMessages()
  return (
    <Choice
      label={words.itemType}
      value={fields.itemType ?? 'photo'}
      options={(['photo', 'link', 'vlink'] as const).map((value) => ({ value, label: kinds[value] }))}
      onChange={onChange}
    />
  )
}

/** The calendar is a third of the editor, and posts have none. */
const DayField = lazy(() => import('../../ui/day-field.tsx'))

const PublicationDate = ({ prefix = '', fields, errors, onChange }: FormProps) => {
  const { fields: words } = useMessages()
  return (
    <Suspense fallback={<p className="day-field label">{words.itemPublicationDate}</p>}>
      <DayField
        id={`${prefix}field-itemPublicationDate`}
        label={words.itemPublicationDate}
        value={fields.itemPublicationDate ?? ''}
        onChange={onChange}
        errors={errors}
      />
    </Suspense>
  )
}

const Restricted = ({ fields, onChange }: FormProps) => {
  const { fields: words } = useMessages()
  return (
    <SwitchField
      label={words.isDonorRestricted}
      hint={words.isDonorRestrictedHint}
      isSelected={fields.isDonorRestricted === '1'}
      onChange={(isRestricted) => onChange(isRestricted ? '1' : '0')}
    />
  )
}

/** The form of each field. A field without one does not compile. */
export const FORMS: Readonly<Record<FieldName, ComponentType<FormProps>>> = {
  itemType: Kind,
  itemTitle: Title,
  itemDescription: Description,
  link: LinkForm,
  vlink: VideoLink,
  lang: Language,
  itemPublicationDate: PublicationDate,
  isDonorRestricted: Restricted,
}
