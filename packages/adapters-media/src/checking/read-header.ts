import type { ImageFault, ImageType } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import type { Metadata } from 'sharp'
import { decoder } from '../decoder.ts'
import { DAMAGED } from './image-type.ts'
import { pictureOf } from './picture-of.ts'

/** An image whose header was read. */
export interface ImageInfo {
  readonly type: ImageType
  /** Pixels, after the orientation is applied (D1). */
  readonly width: number
  readonly height: number
  /** The file to decode. */
  readonly bytes: Buffer
}

const metadataOf = async (bytes: Buffer): Promise<Metadata | undefined> => {
  const sharp = await decoder()
  try {
    return await sharp(bytes, { failOn: 'warning', limitInputPixels: false }).metadata()
  } catch {
    return undefined
  }
}

/**
 * Reads the header of an image without decoding a pixel. Fails with AnimatedImage or BrokenImage; rejects when the decoder cannot be loaded.
 */
export const readHeader = async (
  type: ImageType,
  file: Uint8Array,
): Promise<E.Either<ImageFault, ImageInfo>> => {
  const picture = pictureOf(type, file)
  if (E.isLeft(picture)) return picture
  const bytes = picture.right
  const metadata = await metadataOf(bytes)
  if (metadata === undefined) return E.left(DAMAGED)
  return E.right({ type, bytes, ...metadata.autoOrient })
}
