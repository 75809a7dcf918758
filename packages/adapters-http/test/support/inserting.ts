import type { FeedItem, LibraryItem, Ports } from '@almoner/domain'
import {
  FEED_KINDS,
  type FeedKind,
  type ItemCore,
  type ShownContent,
  STATUSES,
  type Status,
} from '@almoner/domain/content'
import { linked } from '@almoner/domain/media'
import { instant, LANGUAGES, type Language, type WebUrl } from '@almoner/domain/values'
import { done, sampleDay, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

/** The traits that decide the visibility and position of an item. */
export interface Traits {
  readonly status: Status
  readonly isDonorRestricted: boolean
  readonly lang: Language
  readonly kind: FeedKind
  /** Days after the first of 2025: the publication date, and for the feed the moment of creation. */
  readonly day: number
}

/** Every combination of traits, with this number of days. Adjacent items differ in day. */
export const everyTrait = (days: number): ReadonlyArray<Traits> =>
  STATUSES.flatMap((status) =>
    [false, true].flatMap((isDonorRestricted) =>
      LANGUAGES.flatMap((lang) =>
        FEED_KINDS.flatMap((kind) =>
          Array.from({ length: days }, (_, day) => ({ status, isDonorRestricted, lang, kind, day })),
        ),
      ),
    ),
  )

const url: O.Some<WebUrl> = { _tag: 'Some', value: 'https://example.org/shown' as WebUrl }
const image: O.Some<ReturnType<typeof linked>> = { _tag: 'Some', value: linked(url.value) }

/** The n-th library item, with these traits. */
export const libraryItem = (n: number, { status, day, kind: _, ...rest }: Traits): LibraryItem => {
  const item = sampleLibraryItem(n, { ...rest, publicationDate: sampleDay(day) })
  return status === 'Live'
    ? { ...item, status, images: { cover: image, notification: image } }
    : { ...item, status }
}

/** The n-th feed item, with these traits. */
export const feedItem = (n: number, { status, day, kind, ...rest }: Traits): FeedItem => ({
  ...sampleFeedItem(n, { ...rest, createdAt: instant(Date.UTC(2025, 0, 1 + day)) }),
  status,
  content: { kind, link: url, vlink: url, image: O.none } as ShownContent,
})

const asIs =
  <I extends ItemCore>(item: I) =>
  () =>
    E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] })

/** Stores a library item in any status. */
export const insertLibraryItem = async (
  { libraryItems }: Pick<Ports, 'libraryItems'>,
  item: LibraryItem,
): Promise<void> => {
  const { images: _, ...content } = item
  const draft = { ...content, status: 'Draft' as const, images: { cover: O.none, notification: O.none } }
  await done(libraryItems.add({ item: draft, linksToImages: [] }))
  if (item.status !== 'Draft') await done(libraryItems.change<never>(item.id, asIs(item)))
}

/** Stores a feed item in any status. */
export const insertFeedItem = async (
  { feedItems }: Pick<Ports, 'feedItems'>,
  item: FeedItem,
): Promise<void> => {
  await done(feedItems.add({ item: { ...item, status: 'Draft' }, linksToImages: [] }))
  if (item.status !== 'Draft') await done(feedItems.change<never>(item.id, asIs(item)))
}
