import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Fields } from '../history/model.ts'
import { type ImageRef, MEDIA_PATH, type MediaAddresses, type MediaName, stored } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'
import type { FeedItem, ItemCore, LibraryItem, Status } from './model.ts'

/** The fields that hold an image: `itemRelatedLink` is the uploaded image of a post, the only name that the interface has for it. */
const IMAGE_FIELDS: ReadonlySet<string> = new Set(['coverImgUrl', 'notificationImgUrl', 'itemRelatedLink'])

const orEmpty = (text: O.Option<string>): string => O.getOrElse(() => '')(text)

/** The path of an image of ours, the address of any other (D3). */
const placeOf = (image: O.Option<ImageRef>): string =>
  pipe(
    image,
    O.map((ref) => (ref.kind === 'stored' ? `${MEDIA_PATH}${ref.name}` : ref.url)),
    orEmpty,
  )

const coreFields = (item: ItemCore & { readonly status: Status }) => ({
  isDonorRestricted: item.isDonorRestricted ? '1' : '0',
  lang: item.lang,
  itemTitle: item.title,
  itemDescription: item.description,
  status: item.status,
})

/** Returns a publication's fields without those that are derived, and without times. Stored images are paths (K2, D3). */
export const libraryFields = (item: LibraryItem): Fields => ({
  ...coreFields(item),
  link: item.link,
  itemPublicationDate: item.publicationDate,
  coverImgUrl: placeOf(item.images.cover),
  notificationImgUrl: placeOf(item.images.notification),
})

/** Returns a post's fields, as {@link libraryFields} does. */
export const feedFields = (item: FeedItem): Fields => ({
  ...coreFields(item),
  itemType: item.content.kind,
  link: orEmpty(item.content.link),
  vlink: orEmpty(item.content.vlink),
  itemRelatedLink: placeOf(O.map(stored)(item.content.image)),
})

/** Returns the stored image that a field's value names; none for other fields and other images. */
export const imageInField = (field: string, value: string | null): O.Option<MediaName> =>
  IMAGE_FIELDS.has(field) && value?.startsWith(MEDIA_PATH)
    ? O.some(value.slice(MEDIA_PATH.length) as MediaName)
    : O.none

/** Returns a field's value with the present address in place of the path of an image (D3). */
export const presentValue =
  (addresses: MediaAddresses) =>
  <V extends string | null>(field: string, value: V): V | WebUrl =>
    pipe(
      imageInField(field, value),
      O.match((): V | WebUrl => value, addresses.urlOf),
    )
