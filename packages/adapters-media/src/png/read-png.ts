import type { ImageFault } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { viewOf } from '../picture/bytes.ts'
import { exifOf, type Orientation, orientationIn, turned, UPRIGHT } from '../picture/orientation.ts'
import { BROKEN, type Picture, unsupported } from '../picture/picture.ts'
import { type Chunk, chunkOf, chunksOf, PNG_MAGIC } from './chunks.ts'

const HEADER_LENGTH = 13

/** The ancillary chunks that pixels depend on. Critical ones, known by their capital, are all kept. */
const KEPT: ReadonlySet<string> = new Set(['tRNS', 'iCCP'])
const isKept = (type: string): boolean => type.charAt(0) < 'a' || KEPT.has(type)

/** Pixels as stored; none when this is no header. */
const sizeIn = ({ type, data }: Chunk): O.Option<{ readonly width: number; readonly height: number }> => {
  if (type !== 'IHDR' || data.length !== HEADER_LENGTH) return O.none
  const view = viewOf(data)
  const size = { width: view.getUint32(0), height: view.getUint32(4) }
  return size.width === 0 || size.height === 0 ? O.none : O.some(size)
}

/**
 * Reads a PNG's chunks up to IEND, without decoding a pixel. A file that ends before it, and one with a wrong checksum
 * anywhere, is BrokenImage. What follows it is left out, like every chunk that no pixel depends on: text, EXIF but for the
 * orientation, all that would inflate to who knows what. An animated PNG is UnsupportedImage: some devices play it, others
 * show one frame (D1).
 */
export const readPng = (bytes: Uint8Array): E.Either<ImageFault, Picture> => {
  const chunks = chunksOf(bytes)
  const header = chunks.next().value
  const size = header === undefined ? O.none : sizeIn(header)
  if (header === undefined || O.isNone(size)) return E.left(BROKEN)
  const kept: Array<Uint8Array> = []
  let orientation: Orientation = UPRIGHT
  for (const { type, data, whole } of chunks) {
    if (type === 'acTL') return E.left(unsupported('must not be animated'))
    if (type === 'eXIf') orientation = orientationIn(data)
    if (isKept(type)) kept.push(whole)
    if (type !== 'IEND') continue
    // Some writers put the orientation after the pixels, where a decoder would not look for it.
    const exif = chunkOf('eXIf', exifOf(orientation))
    return E.right({
      type: 'image/png',
      ...turned(size.value.width, size.value.height, orientation),
      bytes: Buffer.concat([PNG_MAGIC, header.whole, exif, ...kept]),
    })
  }
  return E.left(BROKEN)
}
