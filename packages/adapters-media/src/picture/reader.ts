import type { ImageFault } from '@almoner/domain'
import type * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { JPEG_MAGIC, readJpeg } from '../jpeg/read-jpeg.ts'
import { PNG_MAGIC } from '../png/chunks.ts'
import { readPng } from '../png/read-png.ts'
import { startsWith } from './bytes.ts'
import type { Picture } from './picture.ts'

export type ReadPicture = (bytes: Uint8Array) => E.Either<ImageFault, Picture>

/** How to read a file, told by its first bytes alone (D1); none when it is neither JPEG nor PNG. */
export const readerOf = (bytes: Uint8Array): O.Option<ReadPicture> => {
  if (startsWith(bytes, JPEG_MAGIC)) return O.some(readJpeg)
  return startsWith(bytes, PNG_MAGIC) ? O.some(readPng) : O.none
}
