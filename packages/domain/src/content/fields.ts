import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Scope } from '../access/caller.ts'
import type { Fields } from '../history/model.ts'
import { ClearableImageUrl, type ImageRef, MEDIA_PATH, type MediaName } from '../media/model.ts'
import { WebUrl } from '../values/addresses.ts'
import { clearable, type Facets, oneOf, refined } from '../values/refined.ts'
import { ClearableImageAlt, ClearableReason, ItemDescription, ItemTitle, Language } from '../values/text.ts'
import { type Instant, LocalDate, PublicationDate, timestamp, toRfc3339 } from '../values/time.ts'

const PUBLIC = ['0', 'false']

/** Returns whether a value of `isDonorRestricted` means restricted (B9). */
export const meansRestricted = (text: string): boolean => !PUBLIC.includes(text.toLowerCase())

/** `isDonorRestricted`: `0` and `false` in any case are public, everything else, the empty text too, is restricted (B9). */
export const DonorRestricted = refined<boolean>('DonorRestricted', (text) => E.right(meansRestricted(text)), {
  type: 'string',
  description:
    '`0` or `false` means public. Any other value, including an empty one, means restricted to donors.',
  example: '0',
  emptyHasMeaning: true,
})

/** What a post may show: a photo, a link, or a link to a video. */
export const FEED_KINDS = ['photo', 'link', 'vlink'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

/** `itemType`, matched exactly (B6). */
export const FeedKind = oneOf('FeedKind', FEED_KINDS, 'Type of the post.')

/**
 * What a field holds. Forms ask for fields in this order of their kinds. A note is a text that no reader sees: it is neither searched (J2) nor
 * translated (J8).
 */
export const FIELD_KINDS = [
  'choice',
  'text',
  'url',
  'language',
  'day',
  'flag',
  'image',
  'moment',
  'note',
] as const
/** One of {@link FIELD_KINDS}. */
export type FieldKind = (typeof FIELD_KINDS)[number]

/** A codec that knows its facets. */
type ParameterCodec = t.Mixed & { readonly facets: Facets }

/**
 * A field of items. Parameters, edits, history, restoring, personal data, responses, rows, checks of archives, the OpenAPI document, the
 * client's updates and the console's forms follow from it.
 */
export interface Field {
  readonly kind: FieldKind
  /** The property of the item that holds the value. */
  readonly property: string
  /** The part of the item that has the property: there, rules decide how it changes (C6, C7). */
  readonly within?: 'images' | 'content'
  /** Reads the parameter of requests; absent for a field that no create or update sets. Codecs of optional text are `clearable`. */
  readonly codec?: ParameterCodec
  /** Reads the parameter of a create, where that differs (B8). */
  readonly createCodec?: ParameterCodec
  /** Whether requests must have the parameter: each create and update, or each create. An update without it keeps the value. */
  readonly required?: 'always' | 'at first'
  /** Whether a create has no such parameter. */
  readonly isForUpdates?: true
  /** The value of an item that was created without the parameter. */
  readonly initially?: unknown
  /** Whether items may be without it: the value is an `Option`, none at first, and the codec `clearable`. */
  readonly isOptional?: true
  /** Whether the value follows from other fields, so that it is neither stored nor a change. */
  readonly isDerived?: true
  /** The member of `images` that shows the text as the description of its image (D9). */
  readonly describes?: string
  /**
   * The name by which `include` asks for it, and the scope that this needs; absent for a field that every response has (C2, J4). Moments stand
   * together in a member of that name.
   */
  readonly shown?: { readonly include: string; readonly scope: Scope }
}

/** The fields of a content type by their names in the interface, in the order in which records of changes have them (K1). */
export type FieldSet = Readonly<Record<string, Field>>

/** Makes the field of one moment of a schedule (C15): for updates alone, cleared by an empty value, and shown to content managers. */
const scheduled = <P extends string>(property: P, description: string) =>
  ({
    kind: 'moment',
    property,
    codec: clearable('ScheduledMoment', timestamp('Moment', description), {
      ...{ type: 'string', pattern: '^[0-9]*$', example: '1893456000' },
      description,
    }),
    isOptional: true,
    isForUpdates: true,
    shown: { include: 'schedule', scope: 'content-manager' },
  }) as const satisfies Field

/** The fields of all items. Edits decide about `status` by the table of C5, and about the schedule by C15. */
export const ITEM_FIELDS = {
  isDonorRestricted: {
    kind: 'flag',
    property: 'isDonorRestricted',
    codec: DonorRestricted,
    initially: false,
  },
  lang: { kind: 'language', property: 'lang', codec: Language, initially: 'en' },
  itemTitle: { kind: 'text', property: 'title', codec: ItemTitle, required: 'always' },
  itemDescription: { kind: 'text', property: 'description', codec: ItemDescription, required: 'always' },
  status: { kind: 'choice', property: 'status' },
  publishAt: scheduled(
    'publishAt',
    'When a Draft becomes Live, as a UNIX timestamp in seconds. An empty value clears it.',
  ),
  archiveAt: scheduled(
    'archiveAt',
    'When a Live item becomes Archived, as a UNIX timestamp in seconds, after `publishAt`. An empty value clears it.',
  ),
} as const satisfies FieldSet

const IMAGE_ALT = { kind: 'text', codec: ClearableImageAlt, isOptional: true } as const

/** The fields of publications (C6). */
export const LIBRARY_FIELDS = {
  ...ITEM_FIELDS,
  link: { kind: 'url', property: 'link', codec: WebUrl, required: 'always' },
  itemPublicationDate: {
    kind: 'day',
    property: 'publicationDate',
    codec: LocalDate,
    createCodec: PublicationDate,
    required: 'at first',
  },
  coverImgUrl: {
    kind: 'image',
    property: 'cover',
    within: 'images',
    codec: ClearableImageUrl,
    isForUpdates: true,
  },
  notificationImgUrl: {
    kind: 'image',
    property: 'notification',
    within: 'images',
    codec: ClearableImageUrl,
    isForUpdates: true,
  },
  coverImgAlt: { ...IMAGE_ALT, property: 'coverAlt', describes: 'cover' },
  notificationImgAlt: { ...IMAGE_ALT, property: 'notificationAlt', describes: 'notification' },
  itemRelatedLink: { kind: 'image', property: 'cover', within: 'images', isDerived: true },
} as const satisfies FieldSet

/** The fields of posts (C7). `itemRelatedLink` is the uploaded image, the only name that the interface has for it. */
export const FEED_FIELDS = {
  ...ITEM_FIELDS,
  itemType: { kind: 'choice', property: 'kind', within: 'content', codec: FeedKind, required: 'always' },
  link: { kind: 'url', property: 'link', within: 'content', codec: WebUrl },
  vlink: { kind: 'url', property: 'vlink', within: 'content', codec: WebUrl },
  itemRelatedLink: { kind: 'image', property: 'image', within: 'content' },
  imgAlt: { ...IMAGE_ALT, property: 'imageAlt', describes: 'image' },
  reason: {
    kind: 'note',
    property: 'reason',
    codec: ClearableReason,
    isOptional: true,
    isForUpdates: true,
    shown: { include: 'reason', scope: 'content-manager' },
  },
} as const satisfies FieldSet

type ValueOf<F> = F extends { readonly codec: infer C extends t.Mixed } ? t.TypeOf<C> : never

/** The names of the fields that lie in the item itself: an edit sets each of them by its parameter alone. */
type OwnName<S> = {
  [N in keyof S]: S[N] extends { readonly within: string }
    ? never
    : S[N] extends { readonly codec: object }
      ? N
      : never
}[keyof S]

type PropertyOf<F> = F extends { readonly property: infer P extends string } ? P : never

/** The values that lie in an item itself, by property. */
export type OwnValues<S> = { readonly [N in OwnName<S> as PropertyOf<S[N]>]: ValueOf<S[N]> }

type AlwaysSent<S> = {
  [N in OwnName<S>]: S[N] extends { readonly required: 'always' } ? N : never
}[OwnName<S>]

/** The values that an edit gives for {@link OwnValues}. Those that are absent stay. */
export type OwnEdit<S> = {
  readonly [N in AlwaysSent<S> as PropertyOf<S[N]>]: ValueOf<S[N]>
} & {
  readonly [N in Exclude<OwnName<S>, AlwaysSent<S>> as PropertyOf<S[N]>]?: ValueOf<S[N]> | undefined
}

type CodecOf<F, Key extends 'createCodec' | 'codec'> = F extends {
  readonly createCodec: infer C extends t.Mixed
}
  ? Key extends 'createCodec'
    ? C
    : F extends { readonly codec: infer D extends t.Mixed }
      ? D
      : never
  : F extends { readonly codec: infer C extends t.Mixed }
    ? C
    : never

type Needed = { readonly create: 'always' | 'at first'; readonly update: 'always' }

type RequiredName<S, Write extends keyof Needed> = {
  [N in keyof S]: S[N] extends { readonly required: Needed[Write] } ? N : never
}[keyof S]

type ParameterName<S, Write extends keyof Needed> = {
  [N in keyof S]: S[N] extends { readonly codec: object }
    ? S[N] extends { readonly isForUpdates: true }
      ? Write extends 'update'
        ? N
        : never
      : N
    : never
}[keyof S]

type CodecKey<Write> = Write extends 'create' ? 'createCodec' : 'codec'

/** The parameters of a create or an update. */
interface WriteParameters<S, Write extends keyof Needed> {
  readonly required: { readonly [N in RequiredName<S, Write>]: CodecOf<S[N], CodecKey<Write>> }
  readonly optional: {
    readonly [N in Exclude<ParameterName<S, Write>, RequiredName<S, Write>>]: CodecOf<S[N], CodecKey<Write>>
  }
}

/** Returns the parameters by which a create or an update gives the fields. */
export const writeParameters = <S extends FieldSet, Write extends keyof Needed>(
  fields: S,
  write: Write,
): WriteParameters<S, Write> => {
  const required: Record<string, t.Mixed> = {}
  const optional: Record<string, t.Mixed> = {}
  // What else a request must have may depend on a choice: its faults are named first.
  const choicesFirst = Object.entries<Field>(fields).toSorted(
    ([, one], [, other]) => Number(other.kind === 'choice') - Number(one.kind === 'choice'),
  )
  for (const [name, field] of choicesFirst) {
    const codec = write === 'create' ? (field.createCodec ?? field.codec) : field.codec
    if (codec === undefined || (write === 'create' && field.isForUpdates)) continue
    const isRequired = field.required === 'always' || (write === 'create' && field.required === 'at first')
    ;(isRequired ? required : optional)[name] = codec
  }
  return { required, optional } as unknown as WriteParameters<S, Write>
}

/** Returns the fields that lie in the item itself. */
export const ownFields = (fields: FieldSet): ReadonlyArray<readonly [name: string, field: Field]> =>
  Object.entries(fields).filter(([, { codec, within }]) => codec !== undefined && within === undefined)

/** Makes the function that returns the values which lie in a new item, from the decoded parameters of its creation. */
export const createdValues = <S extends FieldSet>(fields: S): ((command: object) => OwnValues<S>) => {
  const own = ownFields(fields)
  const initial = Object.fromEntries(
    own.map(([, { property, isOptional, initially }]) => [property, isOptional ? O.none : initially]),
  )
  return (command) => {
    const values: Record<string, unknown> = { ...initial }
    for (const [name, { property }] of own) values[property] = Reflect.get(command, name) ?? initial[property]
    return values as OwnValues<S>
  }
}

/** Returns what the decoded parameters of an update say of the values that lie in an item. */
export const editOf = <S extends FieldSet>(fields: S, command: object): OwnEdit<S> => {
  const values = ownFields(fields).map(([name, { property }]) => [property, Reflect.get(command, name)])
  return Object.fromEntries(values) as OwnEdit<S>
}

/** Returns an item with the values of an edit. Those that it does not give stay. */
export const withValues = <S extends FieldSet, Item extends OwnValues<S>>(
  fields: S,
  item: Item,
  edit: OwnEdit<S>,
): Item => {
  const given = edit as Readonly<Record<string, unknown>>
  const values = ownFields(fields).map(([, { property }]) => [property, given[property]])
  return { ...item, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) }
}

/** Reads the value of a field; undefined where the item has none. */
export type ReadValue = (item: object) => unknown

const ofOption = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '_tag' in value
    ? O.toUndefined(value as O.Option<unknown>)
    : value

/** Returns how the value of a field is read from an item. */
export const readerOf = ({ property, within }: Field): ReadValue =>
  within === undefined
    ? (item) => ofOption((item as Readonly<Record<string, unknown>>)[property])
    : (item) =>
        ofOption((item as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[within]?.[property])

/** The path of an image of ours, the address of any other (D3). */
const placeOf = (image: ImageRef | MediaName): string => {
  if (typeof image === 'string') return `${MEDIA_PATH}${image}`
  return image.kind === 'stored' ? `${MEDIA_PATH}${image.name}` : image.url
}

const textOf = ({ kind }: Field, value: unknown): string => {
  if (value === undefined) return ''
  if (kind === 'flag') return value === true ? '1' : '0'
  if (kind === 'moment') return toRfc3339(value as Instant)
  return kind === 'image' ? placeOf(value as ImageRef | MediaName) : String(value)
}

/**
 * Returns the function that gives the fields of items without those that are derived, and without times. Absent text is `""`, and stored images
 * are paths (K2, D3).
 */
export const fieldTexts = (fields: FieldSet): ((item: object) => Fields) => {
  const stored = Object.entries(fields).filter(([, { isDerived }]) => isDerived !== true)
  const all = stored.map(([name, field]) => ({ name, field, read: readerOf(field) }))
  return (item) => {
    const texts: Record<string, string> = {}
    for (const { name, field, read } of all) texts[name] = textOf(field, read(item))
    return texts
  }
}

/** Returns a publication's fields as records of changes have them. */
export const libraryFields = fieldTexts(LIBRARY_FIELDS)

/** Returns a post's fields as records of changes have them. */
export const feedFields = fieldTexts(FEED_FIELDS)
