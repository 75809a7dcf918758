import type { FeedUpdate, LibraryUpdate } from '@almoner/client'
import { type ContentType, type Item, isPost } from '../items.ts'

type NotTyped = 'status' | 'createdAt' | 'coverImgUrl' | 'notificationImgUrl'

/** The fields that a person types, of publications and of posts: those of an update, without status and images. */
type LibraryField = Exclude<keyof LibraryUpdate, NotTyped>
type FeedField = Exclude<keyof FeedUpdate, NotTyped>
export type FieldName = LibraryField | FeedField

/** The fields of an item as typed, valid or not. */
export type Fields = Readonly<Partial<Record<FieldName, string>>>

/** The most characters that the counters show (B6). The server decides. */
export const MOST_TITLE = 100
export const MOST_DESCRIPTION = 1000

/** The order of the fields. A field that the API gains and that stands here nowhere does not compile. */
const LIBRARY_FIELDS: Readonly<Record<LibraryField, number>> = {
  itemTitle: 1,
  itemDescription: 2,
  link: 3,
  lang: 4,
  itemPublicationDate: 5,
  isDonorRestricted: 6,
}
const FEED_FIELDS: Readonly<Record<FeedField, number>> = {
  itemType: 1,
  itemTitle: 2,
  itemDescription: 3,
  link: 4,
  vlink: 5,
  lang: 6,
  isDonorRestricted: 7,
}

/** Returns the names of the fields of a content type. */
export const fieldNames = (contentType: ContentType): ReadonlyArray<FieldName> =>
  Object.keys(contentType === 'library' ? LIBRARY_FIELDS : FEED_FIELDS) as ReadonlyArray<FieldName>

/** Returns the fields of a new item. */
export const newFields = (contentType: ContentType, lang: string, today: string): Fields => ({
  itemTitle: '',
  itemDescription: '',
  link: '',
  lang,
  isDonorRestricted: '0',
  ...(contentType === 'library' ? { itemPublicationDate: today } : { itemType: 'photo', vlink: '' }),
})

/** Returns the fields of an item. */
export const fieldsOf = (item: Item): Fields => {
  const { itemTitle, itemDescription, link, lang, isDonorRestricted } = item
  const common = { itemTitle, itemDescription, link, lang, isDonorRestricted }
  return isPost(item)
    ? { ...common, itemType: item.itemType, vlink: item.vlink }
    : { ...common, itemPublicationDate: item.itemPublicationDate }
}
