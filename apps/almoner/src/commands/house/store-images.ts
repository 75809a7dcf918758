import {
  type ImageFile,
  type ImageType,
  imageFilePath,
  imageFileType,
  type Unavailable,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Media } from '../../compose/media.ts'
import { messageOf } from '../../failure.ts'
import { ArchiveFault } from './archive-fault.ts'
import type { ArchiveReader, Entry } from './archive-reader.ts'
import { imageOf } from './format.ts'

/** Images that are stored at a time: a store waits for its disk or its network more than it works. */
const AT_ONCE = 8

const put = (
  { mediaStore, portfolioImages }: Media,
  file: ImageFile,
  bytes: Uint8Array,
): TE.TaskEither<Unavailable, void> =>
  file.kind === 'upload'
    ? // An upload's name ends as its type does, and is of an image that was checked when it came.
      mediaStore.put(file.name, { type: imageFileType(file) as ImageType, bytes })
    : portfolioImages.put(file, bytes)

/**
 * Stores the images of an archive. Those that are there already are replaced, so that what was cut off can be done again.
 * @param told hears how many bytes are done
 */
export const storeImages = async (
  reader: ArchiveReader,
  media: Media,
  told: (bytes: number) => void,
): Promise<void> => {
  const store = async (file: ImageFile, entry: Entry): Promise<void> => {
    const stored = await put(media, file, await reader.bytes(entry))()
    if (E.isLeft(stored))
      throw new ArchiveFault(
        `is not taken in: ${imageFilePath(file)} cannot be stored: ${messageOf(stored.left.cause)}`,
      )
  }
  let running: Array<Promise<void>> = []
  for await (const entry of reader.entries()) {
    const file = imageOf(entry.name)
    if (file === undefined) continue
    running.push(store(file, entry))
    if (running.length < AT_ONCE) continue
    await Promise.all(running)
    running = []
    told(entry.at)
  }
  await Promise.all(running)
}
