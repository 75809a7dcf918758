import type { ImageFault, ImageType } from '@almoner/domain/media'
import type * as E from 'fp-ts/lib/Either.js'
import { jpegPicture } from './jpeg-picture.ts'
import { pngPicture } from './png-picture.ts'

const PICTURES = { 'image/jpeg': jpegPicture, 'image/png': pngPicture } as const

/** Returns the file to decode: the first picture of an image file, without what decoding does not need (D7). */
export const pictureOf = (type: ImageType, bytes: Uint8Array): E.Either<ImageFault, Buffer> =>
  PICTURES[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
