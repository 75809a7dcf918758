import type { FeedItem, Instant, LibraryItem } from '@almoner/domain'
import { ACTIONS, ACTOR_KINDS } from '@almoner/domain/access'
import {
  type Author,
  type Counterpart,
  FEED_FIELDS,
  type Field,
  type FieldSet,
  type Included,
  ITEM_FIELDS,
  type ItemCore,
  type Label,
  LIBRARY_FIELDS,
  type OlderPublication,
  presentValue,
  readerOf,
  relatedFeedImage,
  STATUSES,
} from '@almoner/domain/content'
import { type AuditRecord, type Revision, SUBJECT_KINDS } from '@almoner/domain/history'
import { addressOf, type ImageRef, type MediaAddresses, type MediaName } from '@almoner/domain/media'
import { instant, toRfc3339 } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, optional, orEmpty, STATUS, under } from './codecs.ts'
import { encodeImages, ImageJson } from './images.ts'

/** A label as callers see it (E1). */
export const LabelJson = under('label', { labelId: t.string, en: t.string, fr: t.string })

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

const codecOf = ({ kind, codec }: Field): t.Mixed => {
  if (kind === 'flag') return t.keyof({ '0': null, '1': null })
  if (kind === 'language') return LANG
  return kind === 'choice' ? literals(codec?.facets.enum ?? STATUSES) : t.string
}

/** Returns the codecs of fields that are stored, by name. */
export const fieldCodecs = (fields: FieldSet): t.Props => {
  const stored = Object.entries(fields).filter(([, { isDerived }]) => isDerived !== true)
  return Object.fromEntries(stored.map(([name, field]) => [name, codecOf(field)]))
}

/** Returns the codec of items with these fields: each always there, absent text as `""` (C2). */
export const itemJson = (fields: FieldSet) => under('item', itemMembers(fields))

const itemMembers = (fields: FieldSet): t.Props => ({
  itemId: t.string,
  ...Object.fromEntries(alwaysShown(fields).map(([name, field]) => [name, codecOf(field)])),
  createdAt: t.string,
  updatedAt: t.string,
})

/** Returns the codec of items in a list, with what `include` can add to them (J4). */
export const listedItemJson = (fields: FieldSet, included: t.Props) => {
  const optIn = Object.entries(fields).filter(([, { shown }]) => shown !== undefined)
  const groups = Object.groupBy(optIn, ([name, field]) => memberOf(name, field))
  const members = Object.entries(groups).map(([member, some = []]) => {
    const props = Object.fromEntries(some.map(([name, field]) => [name, codecOf(field)]))
    return [member, optional(props[member] ?? t.strict(props))]
  })
  return under('item', { ...itemMembers(fields), ...included, ...Object.fromEntries(members) })
}

/** Returns the member that has a field which `include` asks for: moments stand together in one (C15), any other field by itself. */
const memberOf = (name: string, { kind, shown }: Field): string =>
  kind === 'moment' ? (shown?.include ?? name) : name

const CounterpartJson = t.strict({ itemId: t.string, lang: LANG, status: STATUS, updatedAt: t.string })

const AuthorJson = t.strict({ clientId: t.string, email: t.string })

/** The counterpart of a library item, or null (J7). */
export const TranslationJson = t.strict({ translation: t.union([CounterpartJson, t.null]) })

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
export const LibraryItemJson = itemJson(LIBRARY_FIELDS)

/** A library item in a list. */
export const ListedLibraryItemJson = listedItemJson(LIBRARY_FIELDS, LIBRARY_INCLUDED)

/** A feed item as callers see it. */
export const FeedItemJson = itemJson(FEED_FIELDS)

/** A feed item in a list. */
export const ListedFeedItemJson = listedItemJson(FEED_FIELDS, FEED_INCLUDED)

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

const encodeCounterpart = ({
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

const TextOrNull = t.union([t.string, t.null])

/** Who changed what, and when: the common members of a record. */
const ACT = {
  at: t.string,
  actor: t.strict({ kind: literals(ACTOR_KINDS), id: t.string }),
  action: literals(ACTIONS),
  changes: t.array(t.strict({ field: t.string, before: TextOrNull, after: TextOrNull })),
}

/** A library item that is older than its counterpart, with the words that changed there (J8). */
export const OlderJson = under('publication', {
  itemId: t.string,
  counterpart: CounterpartJson,
  changes: ACT.changes,
})

/** Writes a library item that is older than its counterpart. */
export const encodeOlder = ({ itemId, counterpart }: OlderPublication): t.OutputOf<typeof OlderJson> => ({
  publication: { itemId, counterpart: encodeCounterpart(counterpart), changes: [...counterpart.changes] },
})

/** A revision of an item as callers see it (K2). */
export const RevisionJson = under('revision', { number: t.Int, ...ACT })

/** A record of the audit as operators see it (K4). `number` is the revision that it made, null where it made none. */
export const AuditJson = under('record', {
  ...ACT,
  subject: t.strict({ kind: literals(SUBJECT_KINDS), id: t.string }),
  number: t.union([t.Int, t.null]),
})

const encodeAct =
  (addresses: MediaAddresses) =>
  ({ at, actor, action, changes }: AuditRecord) => {
    const present = presentValue(addresses)
    return {
      at: toRfc3339(at),
      actor: { kind: actor.kind, id: actor.id },
      action,
      changes: changes.map(({ field, before, after }) => ({
        field,
        before: present(field, before),
        after: present(field, after),
      })),
    }
  }

/** Writes a revision; its images have their present addresses (D3). */
export const encodeRevision = (
  addresses: MediaAddresses,
): ((revision: Revision) => t.OutputOf<typeof RevisionJson>) => {
  const encode = encodeAct(addresses)
  return (revision) => ({ revision: { number: int(revision.number.value), ...encode(revision) } })
}

/** Writes a record of the audit; its images have their present addresses (D3). */
export const encodeAudit = (
  addresses: MediaAddresses,
): ((record: AuditRecord) => t.OutputOf<typeof AuditJson>) => {
  const encode = encodeAct(addresses)
  return (record) => ({
    record: {
      ...encode(record),
      subject: { kind: record.subject.kind, id: record.subject.id },
      number: O.toNullable(O.map(int)(record.number)),
    },
  })
}
