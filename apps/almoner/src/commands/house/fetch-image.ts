import type { NamedImage } from '@almoner/adapters-kysely'
import { type ImageFile, type ImageFiles, imageFilePath } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { messageOf } from '../../failure.ts'
import { ArchiveFault } from './archive-fault.ts'

/** Why an archive is given up in which some image is missing each time, and always another. */
export const IN_FLIGHT = 'images go away faster than they are copied: let nobody edit meanwhile'

/** An image that rows show is not in the store, or is not the one that was stored. */
export class ImageMissing extends Error {
  override readonly name = 'ImageMissing'
  readonly path: string

  constructor(file: ImageFile) {
    super()
    this.path = imageFilePath(file)
  }
}

const isGone = async (files: ImageFiles, file: ImageFile): Promise<boolean> => {
  const seen = await files.look(file)()
  return E.isRight(seen) && O.isNone(seen.right)
}

/** Everything that is read. A file that goes away after it was found is missing too. */
const gather = async (
  files: ImageFiles,
  file: ImageFile,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Buffer> => {
  const parts: Array<Uint8Array> = []
  try {
    for await (const part of bytes) parts.push(part)
  } catch (cause) {
    throw (await isGone(files, file)) ? new ImageMissing(file) : cause
  }
  return Buffer.concat(parts)
}

/** The bytes of an image, which fit into memory as every image does. Throws {@link ImageMissing}. */
export const fetchImage = async (files: ImageFiles, { file, bytes: size }: NamedImage): Promise<Buffer> => {
  const opened = await files.open(file)()
  if (E.isLeft(opened))
    throw new ArchiveFault(`cannot be written: images are not available: ${messageOf(opened.left.cause)}`)
  if (O.isNone(opened.right)) throw new ImageMissing(file)
  const bytes = await gather(files, file, opened.right.value.bytes)
  if (size !== undefined && size !== bytes.length) throw new ImageMissing(file)
  return bytes
}
