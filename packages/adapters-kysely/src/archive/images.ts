import { buffer } from 'node:stream/consumers'
import type { Ports, Unavailable } from '@almoner/domain'
import type { ImageType } from '@almoner/domain/media'
import { type ImageFile, type ImageFiles, imageFilePath, imageFileType } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Row } from '../transfer/checks.ts'
import type { NamedImage, TransferTable } from '../transfer/table.ts'
import { type Archive, bytesOf } from './archive-reader.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { ArchiveError, orThrow } from './errors.ts'
import { imageName, imageOfName } from './format.ts'
import { rejectMissing } from './manifest.ts'
import type { OnProgress } from './progress.ts'

/** Images stored at a time: storing one is mostly waiting for the disk or the network. */
const CONCURRENCY = 8

const IN_FLIGHT =
  'cannot be written: images are deleted faster than they are copied. Try again when no items are edited'

/** Makes a function that returns the images that no earlier row shows. Only those of the portfolio can repeat, and are remembered. */
export const makeNewImages = (): ((table: TransferTable, row: Row) => ReadonlyArray<NamedImage>) => {
  const seen = new Set<string>()
  return ({ name, images }, row) => {
    const shown = images?.(row) ?? []
    if (name === 'media') return shown
    return shown.filter(({ file }) => !seen.has(imageName(file)) && seen.add(imageName(file)))
  }
}

/** Reads an image; undefined when it is missing, or not as large as its row says. */
const readImage = async (files: ImageFiles, { file, bytes: size }: NamedImage) => {
  const opened = await orThrow(files.open(file), 'cannot be written: images are not available')
  if (O.isNone(opened)) return undefined
  try {
    const bytes = await buffer(opened.value.bytes)
    return size === undefined || size === bytes.length ? bytes : undefined
  } catch (cause) {
    // It may be deleted after it was opened.
    const found = await files.look(file)()
    if (E.isRight(found) && O.isNone(found.right)) return undefined
    throw cause
  }
}

/** Adds an image to an archive; returns false when it is missing. */
export const addImage = async (writer: ArchiveWriter, files: ImageFiles, image: NamedImage) => {
  const bytes = await readImage(files, image)
  if (bytes !== undefined) await writer.add(imageName(image.file), bytes)
  return bytes !== undefined
}

/**
 * Repeats an attempt until it misses only images that the one before missed too: others were deleted after the database was read. Throws
 * {@link ArchiveError} after too many attempts, and if `isStrict` when any are missing.
 */
export const untilSettled = async <A extends { readonly missing: ReadonlyArray<string> }>(
  attempts: number,
  isStrict: boolean,
  attempt: () => Promise<A>,
): Promise<A> => {
  let before = new Set<string>()
  for (let left = attempts; left > 0; left -= 1) {
    const done = await attempt()
    if (done.missing.every((path) => before.has(path))) {
      if (isStrict) rejectMissing(done.missing)
      return done
    }
    before = new Set(done.missing)
  }
  throw new ArchiveError(IN_FLIGHT)
}

/** Where the images of an archive are stored. */
export type ImageStores = Pick<Ports, 'mediaStore' | 'portfolioImages'>

const store = (
  { mediaStore, portfolioImages }: ImageStores,
  file: ImageFile,
  bytes: Buffer,
): TE.TaskEither<Unavailable, void> =>
  file.kind === 'upload'
    ? // An upload's name ends as its type does, and was checked when it was uploaded.
      mediaStore.put(file.name, { type: imageFileType(file) as ImageType, bytes })
    : portfolioImages.put(file, bytes)

/** Stores the images of an archive, replacing existing ones, so that an interrupted command can be rerun. */
export const storeImages = async (
  archive: Archive,
  stores: ImageStores,
  onProgress: OnProgress,
): Promise<void> => {
  let batch: Array<readonly [ImageFile, Buffer]> = []
  const put = ([file, bytes]: (typeof batch)[number]): Promise<void> =>
    orThrow(store(stores, file, bytes), `is not taken in: ${imageFilePath(file)} cannot be stored`)
  for await (const entry of archive.entries()) {
    const file = imageOfName(entry.name)
    if (file === undefined) continue
    if (batch.push([file, await bytesOf(entry)]) < CONCURRENCY) continue
    await Promise.all(batch.map(put))
    batch = []
    onProgress('storing images', { done: entry.at, total: archive.size, units: 'bytes' })
  }
  await Promise.all(batch.map(put))
}
