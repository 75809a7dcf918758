import type { ImageFault, ImageType } from '@almoner/domain/library'
import * as E from 'fp-ts/lib/Either.js'
import type { Metadata } from 'sharp'
import { decoder } from '../decoder.ts'
import { checkContainer } from './check-container.ts'
import { BROKEN, unsupported } from './image-type.ts'

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
 * Reads the header of an image without decoding a pixel. An animated image and one in CMYK colours is UnsupportedImage; a file that
 * contradicts itself is BrokenImage. Rejects when the decoder cannot be loaded.
 */
export const readHeader = async (
  type: ImageType,
  file: Uint8Array,
): Promise<E.Either<ImageFault, ImageInfo>> => {
  const checked = checkContainer(type, file)
  if (E.isLeft(checked)) return checked
  const bytes = checked.right
  const metadata = await metadataOf(bytes)
  if (metadata === undefined) return E.left(BROKEN)
  if (metadata.space === 'cmyk') return E.left(unsupported('must not be in CMYK colours'))
  return E.right({ type, bytes, ...metadata.autoOrient })
}
