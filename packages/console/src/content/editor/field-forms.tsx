import { FEED_FIELDS, LIBRARY_FIELDS } from '@almoner/client/fields'
import { type ComponentType, lazy, Suspense } from 'react'
import { useMessages } from '../../session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { hasImage, type Item } from '../items.ts'
import { FIELD_FACTS, type FieldName, type Fields } from './fields.ts'

/** How the form of a field gets its value and returns a change. */
interface FormProps {
  /** Begins the ids of the fields, where a page has several forms. */
  readonly prefix?: string
  readonly fields: Fields
  readonly errors: ReadonlyArray<string>
  /** The item as it is saved, if it is. */
  readonly item?: Item | undefined
  readonly onChange: (value: string) => void
}

interface NamedProps extends FormProps {
  readonly name: FieldName
}

/** A short text may wrap, but has no line breaks. */
const LINE_BREAK = /\r?\n/g

/** Texts of more characters than this have several lines. */
const MOST_IN_A_LINE = 200

const Text = ({ name, prefix = '', fields, errors, item, onChange }: NamedProps) => {
  const { fields: words } = useMessages()
  const { maxLength = 0, describes } = FIELD_FACTS[name]
  const isBare = item !== undefined && (fields[name] ?? '').trim() === '' && hasImage(item, describes)
  const isLong = maxLength > MOST_IN_A_LINE
  return (
    <TextField
      id={`${prefix}field-${name}`}
      label={words[name]}
      value={fields[name] ?? ''}
      onChange={(text) => onChange(isLong ? text : text.replaceAll(LINE_BREAK, ' '))}
      errors={errors}
      most={maxLength}
      lang={fields.lang}
      {...(isLong && { rows: describes === undefined ? 6 : 2 })}
      {...(describes !== undefined && { hint: isBare ? words.imageAltMissing : words.imageAltHint })}
    />
  )
}

const Url = ({ name, prefix = '', fields, errors, onChange }: NamedProps) => {
  const { fields: words } = useMessages()
  return (
    <TextField
      id={`${prefix}field-${name}`}
      label={words[name]}
      value={fields[name] ?? ''}
      onChange={onChange}
      errors={errors}
      hint={words.linkHint}
      type="url"
    />
  )
}

/** The link of a post: what it is for depends on the type, and a video has another one. */
const LinkForm = (props: FormProps) => {
  const { fields: words } = useMessages()
  const { prefix = '', fields, errors, onChange } = props
  if (fields.itemType === 'vlink') return null
  if (fields.itemType !== 'photo') return <Url name="link" {...props} />
  return (
    <TextField
      id={`${prefix}field-link`}
      label={words.photoLink}
      value={fields.link ?? ''}
      onChange={onChange}
      errors={errors}
      hint={words.photoLinkHint}
      type="url"
    />
  )
}

const VideoLink = (props: FormProps) =>
  props.fields.itemType === 'vlink' ? <Url name="vlink" {...props} /> : null

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

const Day = ({ name, prefix = '', fields, errors, onChange }: NamedProps) => {
  const { fields: words } = useMessages()
  return (
    <Suspense fallback={<p className="day-field label">{words[name]}</p>}>
      <DayField
        id={`${prefix}field-${name}`}
        label={words[name]}
        value={fields[name] ?? ''}
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

const FORMS_BY_KIND = { text: Text, url: Url, day: Day }

const FORMS_BY_NAME = {
  itemType: Kind,
  link: LinkForm,
  vlink: VideoLink,
  lang: Language,
  isDonorRestricted: Restricted,
}

type GeneralKind = keyof typeof FORMS_BY_KIND

/** The fields that need a form of their name: their kind has no general one. */
type Special = {
  [N in FieldName]: (typeof FIELDS)[N]['kind'] extends GeneralKind ? never : N
}[FieldName]

const FIELDS = { ...LIBRARY_FIELDS, ...FEED_FIELDS }

/** The form of a field: that of its name, or that of its kind. A field that has neither does not compile. */
export const FieldForm = ({ name, ...props }: NamedProps) => {
  const forms: Readonly<Record<Special, ComponentType<FormProps>>> &
    Readonly<Partial<Record<FieldName, ComponentType<FormProps>>>> = FORMS_BY_NAME
  const Form = forms[name]
  if (Form !== undefined) return <Form {...props} />
  const General = FORMS_BY_KIND[FIELD_FACTS[name].kind as GeneralKind]
  return <General name={name} {...props} />
}
