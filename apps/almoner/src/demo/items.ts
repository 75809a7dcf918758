import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CalendarDay,
  CreateFeedItem,
  CreateLibraryItem,
  type FeedItem,
  ItemAndLabel,
  LIBRARY_IMAGES,
  type LibraryItem,
  makeAttachLabel,
  makeCreateFeedItem,
  makeCreateLibraryItem,
  makeUpdateFeedItem,
  makeUpdateLibraryItem,
  makeUploadFeedImage,
  makeUploadLibraryImage,
  OneFeedImage,
  OneLibraryImage,
  type Shelf,
  UpdateFeedItem,
  UpdateLibraryItem,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import posts from '../../demo/feed.json' with { type: 'json' }
import publications from '../../demo/library.json' with { type: 'json' }
import { EDITOR } from './clients.ts'
import { FOLDER } from './files.ts'
import { at, checkStopping, command, existing, mustSucceed, type Seeding } from './seeding.ts'
import { postMoments, publicationMoments } from './timeline.ts'

const picture = ({ onProgress }: Seeding, path: string): Promise<Uint8Array> => {
  onProgress(path)
  return readFile(join(FOLDER, path))
}

const attachLabels = async (
  { ports }: Seeding,
  shelf: Shelf,
  itemId: string,
  labels: ReadonlyArray<string>,
) => {
  const attach = makeAttachLabel(ports)(shelf)
  for (const labelId of labels) await mustSucceed(attach(EDITOR, command(ItemAndLabel, { itemId, labelId })))
}

/** Seeds the publications, oldest first, each with its two images, its labels and its status. */
export const seedLibrary = async (seeding: Seeding): Promise<void> => {
  const { ports, policy, now } = seeding
  const known = await existing<LibraryItem>(ports.libraryItems)
  for (const [n, content] of publications.entries()) {
    checkStopping(seeding)
    const day = command(CalendarDay, content.itemPublicationDate)
    const { created, published } = publicationMoments(now, publications.length - 1 - n, day)
    const before = at(ports, created)
    const create = makeCreateLibraryItem(before)(EDITOR, command(CreateLibraryItem, content))
    let item: LibraryItem = known.get(content.itemTitle) ?? (await mustSucceed(create))
    const itemId = item.id
    for (const image of LIBRARY_IMAGES) {
      if (O.isSome(item.images[image])) continue
      const bytes = await picture(seeding, content[image])
      const place = command(OneLibraryImage, { itemId, image })
      item = await mustSucceed(makeUploadLibraryImage(before)(EDITOR, place, bytes, O.none))
    }
    if (item.status !== content.status) {
      const update = makeUpdateLibraryItem(at(ports, published), policy)
      await mustSucceed(update(EDITOR, command(UpdateLibraryItem, { ...content, itemId }), O.none))
    }
    await attachLabels(seeding, 'library', itemId, content.labels)
  }
}

/** Seeds the posts, oldest first, each with its image if it has one, its labels and its status. */
export const seedFeed = async (seeding: Seeding): Promise<void> => {
  const { ports, policy, now } = seeding
  const known = await existing<FeedItem>(ports.feedItems)
  for (const [n, content] of posts.entries()) {
    checkStopping(seeding)
    const { created, published } = postMoments(now, posts.length - 1 - n)
    const before = at(ports, created)
    const create = makeCreateFeedItem(before)(EDITOR, command(CreateFeedItem, content))
    const item: FeedItem = known.get(content.itemTitle) ?? (await mustSucceed(create))
    const itemId = item.id
    if (content.image !== undefined && O.isNone(item.content.image)) {
      const bytes = await picture(seeding, content.image)
      const upload = makeUploadFeedImage(before, policy)
      await mustSucceed(upload(EDITOR, command(OneFeedImage, { itemId }), bytes, O.none))
    }
    if (item.status !== content.status) {
      const update = makeUpdateFeedItem(at(ports, published))
      await mustSucceed(update(EDITOR, command(UpdateFeedItem, { ...content, itemId }), O.none))
    }
    await attachLabels(seeding, 'feed', itemId, content.labels)
  }
}
