import type { FeedItem, Instant, LibraryItem } from '@almoner/domain'
import {
  type Author,
  type Counterpart,
  type Deletion,
  FEED_FIELDS,
  type Field,
  type FieldSet,
  type Included,
  ITEM_FIELDS,
  type ItemCore,
  type Label,
  LIBRARY_FIELDS,
  readerOf,
  relatedFeedImage,
} from '@almoner/domain/content'
import { addressOf, type ImageRef, type MediaAddresses, type MediaName } from '@almoner/domain/media'
import { type Facets, instant, LabelId, toRfc3339 } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  capitalized,
  IMAGE_URL,
  LANG,
  literals,
  optional,
  orEmpty,
  STATUS,
  TIME,
  TIME_OR_EMPTY,
  text as textCodec,
  textLike,
  URL_OR_EMPTY,
  URL_TEXT,
  under,
  uuid,
} from './codecs.ts'
import { encodeImages, ImageJson } from './images.ts'

const LABEL = {
  labelId: textLike(LabelId),
  en: textCodec('Name in English.', 'Water'),
  fr: textCodec('Name in French.', 'Eau'),
}

/** A label as callers see it (E1). */
export const LabelJson = under('label', LABEL)

export const LabelsJson = t.array(LabelJson)

/** The order of the members of an item: of all items first, then of both content types, then of one. */
const rankOf = (name: string): number => {
  if (Object.hasOwn(ITEM_FIELDS, name)) return 0
  return Object.hasOwn(LIBRARY_FIELDS, name) && Object.hasOwn(FEED_FIELDS, name) ? 1 : 2
}

/** Returns the fields that every response has, in the order of its members. */
const alwaysShown = (fields: FieldSet): ReadonlyArray<readonly [name: string, field: Field]> =>
  Object.entries(fields)
    .filter(([, { shown, describes }]) => shown === undefined && describes === undefined)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))

const formatOf = ({ facets: { format } }: { readonly facets: Facets }): Partial<Facets> =>
  format === undefined ? {} : { format }

const codecOf = ({ kind, codec, required }: Field): t.Mixed => {
  switch (kind) {
    case 'flag':
      return textCodec('`1` if it is restricted to donors, else `0`.', '0', { enum: ['0', '1'] })
    case 'language':
      return LANG
    case 'choice':
      return codec === undefined ? STATUS : literals(codec.facets.enum ?? [])
    case 'moment':
      return TIME_OR_EMPTY
    case 'image':
      return IMAGE_URL
    case 'url':
      return required === undefined ? URL_OR_EMPTY : URL_TEXT
    default:
      return codec === undefined ? t.string : textLike(codec, formatOf(codec))
  }
}

/** Returns the codecs of fields that are stored, by name. */
export const fieldCodecs = (fields: FieldSet): t.Props => {
  const stored = Object.entries(fields).filter(([, { isDerived }]) => isDerived !== true)
  return Object.fromEntries(stored.map(([name, field]) => [name, codecOf(field)]))
}

/**
 * Returns the codec of items with these fields: each always there, absent text as `""` (C2). In lists `include` can add the others and the
 * members of `included` (J4).
 */
export const itemJson = (title: string, fields: FieldSet, included: t.Props) => {
  const optIn = Object.entries(fields).filter(([, { shown }]) => shown !== undefined)
  const groups = Object.groupBy(optIn, ([name, field]) => memberOf(name, field))
  const members = Object.entries(groups).map(([member, some = []]) => {
    const props = Object.fromEntries(some.map(([name, field]) => [name, codecOf(field)]))
    return [member, optional(props[member] ?? t.strict(props, capitalized(member)))]
  })
  const always = alwaysShown(fields).map(([name, field]) => [name, codecOf(field)])
  const own = { itemId: uuid('Identifier of the item.'), ...Object.fromEntries(always) }
  return under(
    'item',
    { ...own, createdAt: TIME, updatedAt: TIME, ...included, ...Object.fromEntries(members) },
    title,
  )
}

/** Returns the member that has a field which `include` asks for: moments stand together in one (C15), any other field by itself. */
const memberOf = (name: string, { kind, shown }: Field): string =>
  kind === 'moment' ? (shown?.include ?? name) : name

/** The counterpart of a library item (J7). */
export const CounterpartJson = t.strict(
  { itemId: uuid('Identifier of the counterpart.'), lang: LANG, status: STATUS, updatedAt: TIME },
  'Counterpart',
)

const AuthorJson = t.strict({ clientId: t.string, email: t.string }, 'Author')

/** The counterpart of a library item, or null (J7). */
export const TranslationJson = t.strict({ translation: t.union([CounterpartJson, t.null]) }, 'Translation')

/** The members that `include` can add to a library item (J4, D9). */
const LIBRARY_INCLUDED = {
  images: optional(t.strict({ cover: ImageJson, notification: ImageJson })),
  labels: optional(LabelsJson),
  translation: optional(t.union([CounterpartJson, t.null])),
  older: optional(t.union([t.boolean, t.null])),
}

/** The members that `include` can add to a feed item (J4, D9). */
const FEED_INCLUDED = {
  images: optional(t.strict({ image: ImageJson })),
  labels: optional(LabelsJson),
  author: optional(AuthorJson),
}

/** A library item as callers see it. */
export const LibraryItemJson = itemJson('LibraryItem', LIBRARY_FIELDS, LIBRARY_INCLUDED)

/** A publication in one language or in both, the newer side first (J7). */
export const PublicationJson = under('publication', { sides: t.array(LibraryItemJson) }, 'Publication')

/** A feed item as callers see it. */
export const FeedItemJson = itemJson('FeedItem', FEED_FIELDS, FEED_INCLUDED)

const changeOf = <Props extends t.Props>(title: string, props: Props) =>
  t.strict({ change: t.strict(props, title) }, `${title}Wrapper`)

const CHANGED = { id: textCodec('Identifier of what changed.', '01a20fe0-4e96-75a3-95a0-1dce6da740ae') }
const PUT = { ...CHANGED, operation: literals(['put']) }

/** A change as callers see it (N1). */
const ChangeJson = t.union([
  changeOf('LibraryItemPut', { kind: literals(['library']), ...PUT, ...LibraryItemJson.type.props }),
  changeOf('FeedItemPut', { kind: literals(['feed']), ...PUT, ...FeedItemJson.type.props }),
  changeOf('LabelPut', { kind: literals(['label']), ...PUT, ...LabelJson.type.props }),
  changeOf('Removal', {
    kind: literals(['library', 'feed', 'label']),
    ...CHANGED,
    operation: literals(['remove']),
  }),
  changeOf('PortfolioReload', { kind: literals(['portfolio']), operation: literals(['reload']) }),
])

/** Changes, and the cursor of the next request (N1). */
export const ChangesJson = t.strict(
  { changes: t.array(ChangeJson), cursor: textCodec('Send it as `since` next time.', '1kq0x3v.4f2a') },
  'Changes',
)

// Writing a time down takes as long as half of an item's JSON. One that is new is given twice, and items that are made at once have the same.
let [last, text] = [instant(0), toRfc3339(instant(0))]
const timeOf = (moment: Instant): string => {
  if (moment !== last) [last, text] = [moment, toRfc3339(moment)]
  return text
}

const urlOf =
  (addresses: MediaAddresses) =>
  (image: O.Option<ImageRef>): string =>
    pipe(image, O.map(addressOf(addresses)), orEmpty)

/** The `itemRelatedLink` of a library item: its cover's address, or `""` (D3). */
export const libraryRelatedLink = (addresses: MediaAddresses, item: LibraryItem): string =>
  urlOf(addresses)(item.images.cover)

/** The `itemRelatedLink` of a feed item: its uploaded image's address, or `""` (D3). */
export const feedRelatedLink = (addresses: MediaAddresses, item: FeedItem): string =>
  urlOf(addresses)(relatedFeedImage(item))

/** Returns how a field of an item is written as JSON. Values without characters that JSON escapes are only quoted. */
const makeWriteField = (field: Field, addresses: MediaAddresses): ((item: object) => string) => {
  const read = readerOf(field)
  switch (field.kind) {
    case 'flag':
      return (item) => (read(item) === true ? '"1"' : '"0"')
    case 'choice':
    case 'language':
    case 'day':
      return (item) => `"${read(item) ?? ''}"`
    case 'moment':
      return (item) => {
        const moment = read(item) as Instant | undefined
        return moment === undefined ? '""' : `"${toRfc3339(moment)}"`
      }
    case 'image':
      return (item) => {
        const image = read(item) as ImageRef | MediaName | undefined
        if (image === undefined) return '""'
        return JSON.stringify(
          typeof image === 'string' ? addresses.urlOf(image) : addressOf(addresses)(image),
        )
      }
    default:
      return (item) => JSON.stringify(read(item) ?? '')
  }
}

/** Writes items as JSON. */
export interface ItemWriter {
  /** Returns an item as every response has it. */
  readonly item: (item: ItemCore) => string
  /** Returns the members that `include` adds to an item, without braces (J4). */
  readonly included: (item: ItemCore, included: Included) => string
}

/** Makes the writer of the items with these fields. The text is that of `JSON.stringify`, in less time. */
export const makeItemWriter = (fields: FieldSet, addresses: MediaAddresses): ItemWriter => {
  const members = alwaysShown(fields).map(([name, field]) => ({
    name,
    prefix: `,"${name}":`,
    write: makeWriteField(field, addresses),
  }))
  const ofAll = members.filter(({ name }) => rankOf(name) === 0)
  const others = members.filter(({ name }) => rankOf(name) > 0)
  const optIn = new Map(
    Object.entries(fields).map(([name, field]) => [
      name,
      { member: memberOf(name, field), write: makeWriteField(field, addresses) },
    ]),
  )
  return {
    item: (item) => {
      let text = `{"item":{"itemId":"${item.id}"`
      for (const { prefix, write } of ofAll) text += prefix + write(item)
      text += `,"createdAt":"${timeOf(item.createdAt)}","updatedAt":"${timeOf(item.updatedAt)}"`
      for (const { prefix, write } of others) text += prefix + write(item)
      return `${text}}}`
    },
    included: (item, included) => {
      const given = JSON.stringify(encodeIncluded(addresses, included)).slice(1, -1)
      const groups = Object.groupBy(included.fields ?? [], (name) => optIn.get(name)?.member ?? name)
      const shown = Object.entries(groups).map(([member, names = []]) => {
        const values = names.map((name) => `"${name}":${optIn.get(name)?.write(item)}`).join(',')
        return names.includes(member) ? values : `"${member}":{${values}}`
      })
      return [...(given === '' ? [] : [given]), ...shown].join(',')
    },
  }
}

export const encodeLabel = ({ labelId, en, fr }: Label): t.TypeOf<typeof LabelJson> => ({
  label: { labelId, en, fr },
})

/** Writes a counterpart. */
export const encodeCounterpart = ({
  id,
  lang,
  status,
  updatedAt,
}: Counterpart): t.TypeOf<typeof CounterpartJson> => ({
  itemId: id,
  lang,
  status,
  updatedAt: timeOf(updatedAt),
})

/** The counterpart of a library item, as `include` and links show it (J4, J7). */
export const encodeTranslation = (counterpart: O.Option<Counterpart>): t.TypeOf<typeof TranslationJson> => ({
  translation: O.toNullable(O.map(encodeCounterpart)(counterpart)),
})

const encodeAuthor = (author: O.Option<Author>): t.TypeOf<typeof AuthorJson> =>
  O.isNone(author)
    ? { clientId: '', email: '' }
    : { clientId: author.value.clientId, email: orEmpty(author.value.email) }

/** The members that `include` reads, each as JSON (J4). */
const encodeIncluded = (
  addresses: MediaAddresses,
  { labels, translation, older, author, images }: Included,
) => ({
  ...(images === undefined ? {} : { images: encodeImages(addresses, images) }),
  ...(labels === undefined ? {} : { labels: labels.map(encodeLabel) }),
  ...(translation === undefined ? {} : encodeTranslation(translation)),
  ...(older === undefined ? {} : { older: O.toNullable(older) }),
  ...(author === undefined ? {} : { author: encodeAuthor(author) }),
})

/** A deletion that can be taken back (C18). */
export const DeletionJson = under('deletion', {
  deletionId: uuid('Identifier of the deletion.'),
  itemId: uuid('Identifier of the item.'),
  until: TIME,
})

/** Writes a deletion. */
export const encodeDeletion = ({ deletionId, itemId, until }: Deletion): t.OutputOf<typeof DeletionJson> => ({
  deletion: { deletionId, itemId, until: toRfc3339(until) },
})
