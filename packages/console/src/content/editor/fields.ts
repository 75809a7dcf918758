import type { FieldError } from '@almoner/client'
import { FEED_FIELDS, LIBRARY_FIELDS } from '@almoner/client/fields'
import { type ContentType, type Item, isPost, type Status } from '../items.ts'

/** The fields that a person types, of publications and of posts. */
export type FieldName = keyof typeof LIBRARY_FIELDS | keyof typeof FEED_FIELDS

/** The fields of an item as typed, valid or not. */
export type Fields = Readonly<Partial<Record<FieldName, string>>>

/** The facts of a field that the service gives. The counters of forms show its length (B6); the server decides. */
export interface FieldFacts {
  readonly kind: 'choice' | 'text' | 'url' | 'language' | 'day' | 'flag'
  readonly maxLength?: number
  readonly options?: ReadonlyArray<string>
  /** The image that the text describes (D9). */
  readonly describes?: string
}

const FACTS: Readonly<Record<ContentType, Readonly<Partial<Record<FieldName, FieldFacts>>>>> = {
  library: LIBRARY_FIELDS,
  feed: FEED_FIELDS,
}

/** The facts of each field. */
export const FIELD_FACTS: Readonly<Record<FieldName, FieldFacts>> = { ...LIBRARY_FIELDS, ...FEED_FIELDS }

/** Returns the names of the fields of a content type, in the order of forms. */
export const fieldNames = (contentType: ContentType): ReadonlyArray<FieldName> =>
  Object.keys(FACTS[contentType]) as ReadonlyArray<FieldName>

/** Whether the two languages of a publication have separate values of a field. */
export const isTranslated = (name: FieldName): boolean => ['text', 'url'].includes(FIELD_FACTS[name].kind)

/** Returns the fields of a new item. */
export const newFields = (contentType: ContentType, lang: string, today: string): Fields => {
  const initial = ({ kind, options: [first = ''] = [] }: FieldFacts): string =>
    ({ choice: first, text: '', url: '', language: lang, day: today, flag: '0' })[kind]
  return Object.fromEntries(fieldNames(contentType).map((name) => [name, initial(FIELD_FACTS[name])]))
}

/**
 * Returns the fields of an item. The description of an image is left out where it is not known, so that an update keeps it: the item was read
 * without its images, or has no such image.
 */
export const fieldsOf = (item: Item): Fields => {
  const values: Readonly<Record<string, unknown>> = { ...item, ...item.alts }
  const names = fieldNames(isPost(item) ? 'feed' : 'library')
  const known = names.filter(
    (name) => FIELD_FACTS[name].describes === undefined || values[name] !== undefined,
  )
  return Object.fromEntries(known.map((name) => [name, String(values[name] ?? '')]))
}

/** Returns the descriptions of images among fields. */
export const altsOf = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => FIELD_FACTS[name as FieldName].describes !== undefined),
  )

/** A field that this person and another one have changed differently since the same version. */
export interface Clash {
  readonly field: FieldName
  readonly before: string
  readonly theirs: string
}

/** The three-way merge of the fields of an item. */
interface Merged {
  readonly fields: Fields
  readonly clashes: ReadonlyArray<Clash>
}

/**
 * Merges typed fields with those of a newer version: a field that only one side has changed takes that change. Where both have changed it
 * differently, the typed text stays and the clash is reported.
 */
export const mergeFields = (base: Fields, theirs: Fields, mine: Fields): Merged => {
  const fields: Record<string, string> = {}
  const clashes: Array<Clash> = []
  for (const field of Object.keys({ ...theirs, ...mine }) as ReadonlyArray<FieldName>) {
    const [before, their, my] = [base[field] ?? '', theirs[field] ?? '', mine[field] ?? '']
    fields[field] = my === before ? their : my
    if (my !== before && their !== before && my !== their) clashes.push({ field, before, theirs: their })
  }
  return { fields, clashes }
}

/**
 * Returns the fields that the typed ones began from. A field with an open clash began before the other person's change: merging from there
 * reports the clash again.
 */
export const baseOf = (saved: Fields, clashes: ReadonlyArray<Clash>): Fields => ({
  ...saved,
  ...Object.fromEntries(clashes.map(({ field, before }) => [field, before])),
})

/** Whether typed fields differ from those of the saved version. */
export const haveChanged = (base: Fields, mine: Fields): boolean =>
  (Object.keys(mine) as ReadonlyArray<FieldName>).some((field) => (mine[field] ?? '') !== (base[field] ?? ''))

/** The version of the item that the editor began from. */
export interface Saved {
  readonly item: Item
  readonly etag: string | undefined
}

/** An image that the server stores for the working copy of a new item. */
export interface ChosenImage {
  readonly name: string
  readonly url: string
}

/** The images that a new item will show, by the names that the service has for their places. */
export type ChosenImages = Readonly<Record<string, ChosenImage>>

/** What an editor begins with: the saved version, if there is one, and the fields as typed. */
export interface EditorStart {
  readonly saved: Saved | undefined
  readonly fields: Fields
  readonly clashes: ReadonlyArray<Clash>
  /** The labels that a new item will get. */
  readonly labels?: ReadonlyArray<string>
  /** The images that a new item will show. */
  readonly images?: ChosenImages
  /** When the working copy was stored from which the fields come; undefined if they are those of the saved version. */
  readonly restoredAt?: string | undefined
}

/** The state of an editor. */
export interface EditorState extends EditorStart {
  /** The act that is under way. */
  readonly busy: Status | undefined
  /** The act that the server refused, and all its reasons. */
  readonly refused: Status | undefined
  readonly errors: ReadonlyArray<FieldError>
  readonly failure: unknown
}

/** A change of the state, which may depend on the present one. */
type EditorChange = Partial<EditorState> | ((state: EditorState) => Partial<EditorState>)

/** Applies a change to the state. */
export const applyChange = (state: EditorState, change: EditorChange): EditorState => ({
  ...state,
  ...(typeof change === 'function' ? change(state) : change),
})

/** Returns the state at the start. */
export const stateOf = (start: EditorStart): EditorState => ({
  ...start,
  busy: undefined,
  refused: undefined,
  errors: [],
  failure: undefined,
})
