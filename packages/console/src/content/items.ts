import type { FeedItem, LibraryItem } from '@almoner/client'
import { at } from '../paths.ts'

/** The two kinds of content that managers write. */
export type ContentType = 'library' | 'feed'

/** A label as items carry it with `include=labels`. */
export interface Label {
  readonly labelId: string
  readonly en: string
  readonly fr: string
}

export type Status = LibraryItem['status']

/** A publication's counterpart in the other language (J7). */
export interface Counterpart {
  readonly itemId: string
  readonly lang: 'en' | 'fr'
  readonly status: Status
  readonly updatedAt: string
}

/** An image of an item with its description and its renditions (D9). */
export interface ShownImage {
  readonly url: string
  readonly alt: string
  readonly renditions: ReadonlyArray<{ readonly url: string; readonly width: number }>
}

/** The members that `include` adds to an item (J4). */
interface Included {
  /** The counterpart of a publication in the other language; null if there is none. */
  readonly translation?: Counterpart | null
  /** Whether words of the counterpart have changed since; null without a counterpart (J8). */
  readonly older?: boolean | null
  readonly labels?: ReadonlyArray<{ readonly label: Label }>
  readonly author?: { readonly clientId: string; readonly email: string }
  /** The descriptions of images by the names of their fields, as far as they are known. */
  readonly alts?: Readonly<Record<string, string>>
}

/** A publication or a post, with the members that were asked for. */
export type Item = (LibraryItem | FeedItem) & Included

/** Returns an image of an item that was read with `include=images`, by its name (D9). */
export const shownImage = ({ images }: Item, name: string): ShownImage | undefined =>
  (images as Readonly<Partial<Record<string, ShownImage | null>>> | undefined)?.[name] ?? undefined

/** The image that stands for an item: its smallest version, and all versions for denser screens. */
export interface Thumbnail {
  readonly src: string
  readonly srcSet?: string
}

/** Returns the image that stands for an item: the original where there is no smaller one (D8). */
export const thumbnailOf = (item: Item): Thumbnail => {
  const renditions = shownImage(item, 'itemType' in item ? 'image' : 'cover')?.renditions ?? []
  const [smallest] = renditions
  if (smallest === undefined) return { src: item.itemRelatedLink }
  return { src: smallest.url, srcSet: renditions.map(({ url, width }) => `${url} ${width}w`).join(', ') }
}

/** Whether an item shows the image that `include=images` has under a name. */
export const hasImage = (item: Item, name: string | undefined): boolean => {
  if (name === 'notification') return !isPost(item) && item.notificationImgUrl !== ''
  return name !== undefined && item.itemRelatedLink !== ''
}

/** Whether an item that was read with `include=images` shows an image without a description (D9). */
export const lacksDescription = (item: Item): boolean =>
  Object.keys(item.images ?? {}).some((name) => shownImage(item, name)?.alt === '')

/** Whether an item is a post, which has a type. */
export const isPost = (item: Item): item is FeedItem & Included => 'itemType' in item

/** One row of a list: a publication in one language or in both, the newer first, or a post. */
export interface Row {
  /** The id of the first side. */
  readonly id: string
  readonly sides: readonly [Item, ...Array<Item>]
}

/** Returns the row of an item and its counterpart, if it has one. */
export const rowOf = (first: Item, ...others: ReadonlyArray<Item>): Row => ({
  id: first.itemId,
  sides: [first, ...others],
})

/** Returns the items of rows. */
export const sidesOf = (rows: Iterable<Row>): ReadonlyArray<Item> => [...rows].flatMap(({ sides }) => sides)

/** Returns the path of the page that shows a row: both languages side by side, or the only one. */
export const pathOfRow = (contentType: ContentType, { id, sides }: Row): string =>
  sides.length > 1 ? `${pathOf(contentType, id)}/translation` : pathOf(contentType, id)

/** Returns the path of the page of an item. */
export const pathOf = (contentType: ContentType, itemId: string): string =>
  at(`/console/${contentType}/${itemId}`)

/** The parameter of a new item's page that names its working copy. */
export const NEW_COPY = 'copy'

/** Returns the path of a new item, or of another page of it, with its working copy. */
export const pathOfNew = (contentType: ContentType, copyKey: string, page = ''): string =>
  `${pathOf(contentType, 'new')}${page}?${NEW_COPY}=${encodeURIComponent(copyKey)}`

/** Returns the path of the page that writes a notification about a publication, or about none. */
export const pathOfComposer = (itemId: string): string => at(`/console/notifications/new?item=${itemId}`)

/** Returns the id in the path of an item's page; undefined on the page of a new item. */
export const itemIdOf = (segment: string | undefined): string | undefined =>
  segment === 'new' ? undefined : segment

/** The part of a `Link` header that says that a page follows. */
export const NEXT_PAGE = /rel="?next"?/

/** How a publication stands to its counterpart in the other language. */
export type TranslationState = 'missing' | 'older' | 'current'

/**
 * Returns how a publication that was read with `include=translation,older` stands to its counterpart. A Live publication without a Live
 * counterpart misses one; the service says which is older.
 */
export const translationState = ({ status, translation, older }: Item): TranslationState => {
  if (translation === undefined || (translation === null && status !== 'Live')) return 'current'
  if (translation === null || (status === 'Live' && translation.status !== 'Live')) return 'missing'
  return older === true ? 'older' : 'current'
}
