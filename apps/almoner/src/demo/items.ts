import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Almoner,
  CreateFeedItem,
  CreateLibraryItem,
  createAlmoner,
  type FeedItem,
  type Instant,
  type ItemId,
  type LibraryItem,
  UpdateFeedItem,
  UpdateLibraryItem,
} from '@almoner/domain'
import { ItemAndLabel, LIBRARY_IMAGES, OneFeedImage, OneLibraryImage } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import type { ReadImageFile } from '@almoner/domain/portfolio'
import { instant, LocalDate, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import posts from '../../demo/feed.json' with { type: 'json' }
import publications from '../../demo/library.json' with { type: 'json' }
import { openPortfolio } from '../composition/archives.ts'
import {
  at,
  byDemonstration,
  checkStopping,
  command,
  EDITOR,
  existing,
  FOLDER,
  HOUR,
  mustSucceed,
  type Seeding,
  untilOutage,
} from './seeding.ts'

/** Returns the use cases as of an item's creation, and as of its publication 40 minutes later. */
const useCasesAt = (seeding: Seeding, created: number) => ({
  before: at(seeding, instant(created)),
  after: at(seeding, instant(created + 40 * MINUTE)),
})

/** Dates the n-th newest post: the first a few hours ago, the others a few days apart, at irregular times. */
const postedAt = (now: Instant, n: number): number =>
  now - (5 + 67 * n + ((37 * n) % 29)) * HOUR - ((17 * n) % 60) * MINUTE

/** Dates the n-th newest publication six days before its day, and at least n hours ago. */
const publishedAt = (now: Instant, n: number, day: LocalDate): number =>
  Math.min(Date.parse(`${day}T09:20:00Z`) - 6 * 24 * HOUR, now - (n + 1) * HOUR)

const picture = ({ onProgress }: Seeding, path: string): Promise<Uint8Array> => {
  onProgress(path)
  return readFile(join(FOLDER, path))
}

const attachLabels = async (
  seeding: Seeding,
  contentType: ContentType,
  itemId: string,
  labels: ReadonlyArray<string>,
) => {
  const { attach } = createAlmoner(seeding.ports, seeding.policy).labels[contentType]
  for (const labelId of labels) await mustSucceed(attach(EDITOR, command(ItemAndLabel, { itemId, labelId })))
}

const link = async ({ library }: Almoner, itemId: ItemId, counterpartId: ItemId | undefined) => {
  if (counterpartId !== undefined)
    await mustSucceed(library.linkTranslation(EDITOR, { itemId, counterpartId }))
}

/** Seeds the publications, oldest first, each with its images, labels and status; some with a counterpart, and words that came later (J8). */
export const seedLibrary = async (seeding: Seeding): Promise<void> => {
  const { ports, now } = seeding
  const known = new Map(await existing<LibraryItem>(ports.libraryItems))
  for (const [n, content] of publications.entries()) {
    checkStopping(seeding)
    const day = command(LocalDate, content.itemPublicationDate)
    const { before, after } = useCasesAt(seeding, publishedAt(now, publications.length - 1 - n, day))
    const create = before.library.create(EDITOR, command(CreateLibraryItem, content))
    let item: LibraryItem = known.get(content.itemTitle) ?? (await mustSucceed(create))
    const itemId = item.id
    for (const image of LIBRARY_IMAGES) {
      if (O.isSome(item.images[image])) continue
      const bytes = await picture(seeding, content[image])
      const place = command(OneLibraryImage, { itemId, image })
      item = await mustSucceed(before.library.uploadImage(EDITOR, place, bytes, O.none))
    }
    const update = (sent: object) =>
      mustSucceed(after.library.update(EDITOR, command(UpdateLibraryItem, { ...sent, itemId }), O.none))
    if (item.status !== content.status) await update(content)
    await attachLabels(seeding, 'library', itemId, content.labels)
    known.set(content.itemTitle, item)
    await link(after, itemId, known.get(content.counterpart ?? '')?.id)
    const { correction = item.description } = content
    if (item.description !== correction) await update({ ...content, itemDescription: correction })
  }
}

/** Seeds the posts, oldest first, each with its image if it has one, its labels and its status. */
export const seedFeed = async (seeding: Seeding): Promise<void> => {
  const { ports, now } = seeding
  const known = await existing<FeedItem>(ports.feedItems)
  for (const [n, content] of posts.entries()) {
    checkStopping(seeding)
    const { before, after } = useCasesAt(seeding, postedAt(now, posts.length - 1 - n))
    const create = before.feed.create(EDITOR, command(CreateFeedItem, content))
    const item: FeedItem = known.get(content.itemTitle) ?? (await mustSucceed(create))
    const itemId = item.id
    if (content.image !== undefined && O.isNone(item.content.image)) {
      const bytes = await picture(seeding, content.image)
      await mustSucceed(before.feed.uploadImage(EDITOR, command(OneFeedImage, { itemId }), bytes, O.none))
    }
    if (item.status !== content.status) {
      await mustSucceed(after.feed.update(EDITOR, command(UpdateFeedItem, { ...content, itemId }), O.none))
    }
    await attachLabels(seeding, 'feed', itemId, content.labels)
  }
}

/** Loads the portfolio as `portfolio load` loads its folder. Idempotent. */
export const seedPortfolio = async (seeding: Seeding): Promise<void> => {
  const { draft, read: readImage, close } = await openPortfolio(join(FOLDER, 'portfolio'))
  const read: ReadImageFile = (kind, file) =>
    TE.flatMap(() => readImage(kind, file))(untilOutage(async () => checkStopping(seeding)))
  const report = (step: string, done: number, of: number) =>
    seeding.onProgress(`${step} images of the portfolio, ${done} of ${of}`)
  const { load } = createAlmoner(seeding.ports, seeding.policy).portfolio
  try {
    await mustSucceed(load({ draft, read, report }, byDemonstration(seeding.ports)))
  } finally {
    await close()
  }
}
