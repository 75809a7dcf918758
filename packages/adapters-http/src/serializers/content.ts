import type { FeedItem, Instant, LibraryItem } from '@almoner/domain'
import { ACTIONS, ACTOR_KINDS } from '@almoner/domain/access'
import {
  type Author,
  type Counterpart,
  type Included,
  type Label,
  presentValue,
  relatedFeedImage,
} from '@almoner/domain/content'
import { type AuditRecord, type Revision, SUBJECT_KINDS } from '@almoner/domain/history'
import { addressOf, type ImageRef, type MediaAddresses } from '@almoner/domain/media'
import { instant, toRfc3339 } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, optional, orEmpty, STATUS, under } from './codecs.ts'

/** A label as callers see it (E1). */
export const LabelJson = under('label', { labelId: t.string, en: t.string, fr: t.string })

export const LabelsJson = t.array(LabelJson)

const CORE = {
  itemId: t.string,
  isDonorRestricted: t.keyof({ '0': null, '1': null }),
  lang: LANG,
  itemTitle: t.string,
  itemDescription: t.string,
  link: t.string,
  status: STATUS,
  itemRelatedLink: t.string,
  createdAt: t.string,
  updatedAt: t.string,
}

const LIBRARY = {
  ...CORE,
  itemPublicationDate: t.string,
  coverImgUrl: t.string,
  notificationImgUrl: t.string,
}

const FEED = {
  ...CORE,
  itemType: t.keyof({ photo: null, link: null, vlink: null }),
  vlink: t.string,
}

const CounterpartJson = t.strict({ itemId: t.string, lang: LANG, status: STATUS, updatedAt: t.string })

const AuthorJson = t.strict({ clientId: t.string, email: t.string })

/** The counterpart of a library item, or null (J7). */
export const TranslationJson = t.strict({ translation: t.union([CounterpartJson, t.null]) })

/** The members that `include` can add to a library item (J4). */
const LIBRARY_INCLUDED = {
  labels: optional(LabelsJson),
  translation: optional(t.union([CounterpartJson, t.null])),
}

/** The members that `include` can add to a feed item (J4). */
const FEED_INCLUDED = { labels: optional(LabelsJson), author: optional(AuthorJson) }

/** A library item as callers see it: every field always there, absent text as `""` (C2). */
export const LibraryItemJson = under('item', LIBRARY)

/** A library item in a list, with what `include` adds to it (J4). */
export const ListedLibraryItemJson = under('item', { ...LIBRARY, ...LIBRARY_INCLUDED })

/** A feed item as callers see it (C2). */
export const FeedItemJson = under('item', FEED)

/** A feed item in a list, with what `include` adds to it (J4). */
export const ListedFeedItemJson = under('item', { ...FEED, ...FEED_INCLUDED })

// Writing a time down takes as long as half of an item's JSON. One that is new is given twice, and items that are made at once have the same.
let [last, text] = [instant(0), toRfc3339(instant(0))]
const timeOf = (moment: Instant): string => {
  if (moment !== last) [last, text] = [moment, toRfc3339(moment)]
  return text
}

const coreOf = (item: LibraryItem | FeedItem) => ({
  itemId: item.id,
  isDonorRestricted: item.isDonorRestricted ? ('1' as const) : ('0' as const),
  lang: item.lang,
  itemTitle: item.title,
  itemDescription: item.description,
  status: item.status,
  createdAt: timeOf(item.createdAt),
  updatedAt: timeOf(item.updatedAt),
})

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

export const encodeLibraryItem =
  (addresses: MediaAddresses) =>
  (item: LibraryItem): t.TypeOf<typeof LibraryItemJson> => ({
    item: {
      ...coreOf(item),
      link: item.link,
      itemRelatedLink: libraryRelatedLink(addresses, item),
      itemPublicationDate: item.publicationDate,
      coverImgUrl: urlOf(addresses)(item.images.cover),
      notificationImgUrl: urlOf(addresses)(item.images.notification),
    },
  })

export const encodeFeedItem =
  (addresses: MediaAddresses) =>
  (item: FeedItem): t.TypeOf<typeof FeedItemJson> => ({
    item: {
      ...coreOf(item),
      link: orEmpty(item.content.link),
      itemRelatedLink: feedRelatedLink(addresses, item),
      itemType: item.content.kind,
      vlink: orEmpty(item.content.vlink),
    },
  })

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

/** The members that `include` adds, each as JSON (J4). */
export const encodeIncluded = ({ labels, translation, author }: Included) => ({
  ...(labels === undefined ? {} : { labels: labels.map(encodeLabel) }),
  ...(translation === undefined ? {} : encodeTranslation(translation)),
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
