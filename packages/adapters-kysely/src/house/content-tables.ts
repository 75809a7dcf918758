import {
  FEED_KINDS,
  IMAGE_TYPES,
  isMediaName,
  LANGUAGES,
  type MediaName,
  SHELVES,
  STATUSES,
} from '@almoner/domain'
import { among, flag, moment, named, orNull, type Row, text, whole, words } from './columns.ts'
import { type HouseTable, type NamedImage, type Reference, refersTo, table } from './table.ts'

const mediaName = named(isMediaName, 'the name of a stored image')
const language = among(...LANGUAGES)

const ITEM = {
  id: words,
  status: among(...STATUSES),
  restricted: flag,
  lang: language,
  title: words,
  description: words,
  created_at: moment,
  updated_at: moment,
  revision: whole(1),
}

const uploadOf = ({ name, bytes }: Row): NamedImage => ({
  file: { kind: 'upload', name: name as MediaName },
  bytes: Number(bytes),
})

const libraryRule = (row: Row): string | undefined => {
  const kinds = ['cover', 'notification']
  if (kinds.some((kind) => row[`${kind}_name`] !== null && row[`${kind}_url`] !== null))
    return 'has an image that is both stored here and elsewhere'
  const lacks = kinds.some((kind) => row[`${kind}_name`] === null && row[`${kind}_url`] === null)
  return row['status'] === 'Live' && lacks ? 'is Live and lacks an image' : undefined
}

const feedRule = ({ item_type, link, vlink, status, image_name }: Row): string | undefined => {
  if (item_type === 'link' && link === null) return 'is a link without a link'
  if (item_type === 'vlink' && vlink === null) return 'is a vlink without a vlink'
  const shows = item_type !== 'photo' || link !== null || image_name !== null
  return status === 'Live' && !shows ? 'is Live and shows nothing' : undefined
}

/** An item holds images (D5); it may be of either shelf. */
const itemOf = (shelf: 'library' | 'feed'): Reference => ({
  ...refersTo('item_id', `${shelf}_item`, 'id'),
  when: (row) => row['shelf'] === shelf,
})

const attachment = (shelf: 'library' | 'feed'): HouseTable =>
  table(`${shelf}_label`, {
    columns: { item_id: words, label_id: words },
    key: ['item_id', 'label_id'],
    references: [refersTo('item_id', `${shelf}_item`, 'id'), refersTo('label_id', 'label', 'label_id')],
  })

/** The images that are stored: rows that come before all that show them. */
export const MEDIA_TABLES: ReadonlyArray<HouseTable> = [
  table('media', {
    columns: { name: mediaName, type: among(...IMAGE_TYPES), bytes: whole(0) },
    key: ['name'],
    images: (row) => [uploadOf(row)],
  }),
]

/** Clients, labels and items. Access tokens are not moved: clients ask for new ones. */
export const CONTENT_TABLES: ReadonlyArray<HouseTable> = [
  table('client', {
    columns: { id: words, name: text, scopes: text, roles: text, email: orNull(words), disabled: flag },
    key: ['id'],
  }),
  table('client_secret', {
    columns: { client_id: words, seq: whole(0), hash: words, until: orNull(moment) },
    key: ['client_id', 'seq'],
    references: [refersTo('client_id', 'client', 'id')],
  }),
  table('label', {
    columns: { label_id: words, en: words, fr: words, rank: whole(0) },
    key: ['label_id'],
  }),
  table('library_item', {
    columns: {
      ...ITEM,
      link: text,
      publication_date: named((day) => /^\d{4}-\d\d-\d\d$/.test(day), 'a day as YYYY-MM-DD'),
      cover_name: orNull(mediaName),
      cover_url: orNull(words),
      notification_name: orNull(mediaName),
      notification_url: orNull(words),
    },
    key: ['id'],
    references: [refersTo('cover_name', 'media', 'name'), refersTo('notification_name', 'media', 'name')],
    rule: libraryRule,
  }),
  table('feed_item', {
    columns: {
      ...ITEM,
      item_type: among(...FEED_KINDS),
      link: orNull(text),
      vlink: orNull(text),
      image_name: orNull(mediaName),
    },
    key: ['id'],
    references: [refersTo('image_name', 'media', 'name')],
    rule: feedRule,
  }),
  attachment('library'),
  attachment('feed'),
  table('media_use', {
    columns: { shelf: among(...SHELVES), item_id: words, name: mediaName },
    key: ['shelf', 'item_id', 'name'],
    references: [refersTo('name', 'media', 'name'), itemOf('library'), itemOf('feed')],
  }),
]
