import type { ImageFault } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { viewOf } from '../picture/bytes.ts'
import { BROKEN, unsupported } from '../picture/picture.ts'
import type { Segment } from './segments.ts'

/** What the header of a JPEG's picture says of it. */
export interface Frame {
  /** Pixels as stored. */
  readonly width: number
  readonly height: number
  /** The numbers of its colours. */
  readonly colours: ReadonlyArray<number>
}

const DHT = 0xc4
const JPG = 0xc8
const DAC = 0xcc
const PROGRESSIVE = 0xc2

/** Bytes of a frame header before its components, and of each. */
const HEAD = 6
const EACH = 3

export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC

const frameIn = ({ payload }: Segment): E.Either<ImageFault, Frame> => {
  const view = viewOf(payload)
  const [height, width] = [view.getUint16(1), view.getUint16(3)]
  const colours = Array.from({ length: view.getUint8(HEAD - 1) }, (_, n) => view.getUint8(HEAD + n * EACH))
  return width === 0 || height === 0 ? E.left(BROKEN) : E.right({ width, height, colours })
}

/**
 * Reads a frame header. Four components are CMYK or YCCK, which every device turns into its own colours: UnsupportedImage,
 * as are the rare codings that browsers do not show (D1).
 */
export const readFrame = (segment: Segment): E.Either<ImageFault, Frame> => {
  const { marker, payload } = segment
  const components = payload[HEAD - 1] ?? 0
  if (payload.length < HEAD + components * EACH) return E.left(BROKEN)
  if (marker > PROGRESSIVE || payload[0] !== 8)
    return E.left(unsupported('must be a baseline or progressive JPEG of 8 bits'))
  if (components === 4) return E.left(unsupported('must not be in CMYK colours'))
  if (components !== 1 && components !== 3) return E.left(unsupported('must be in grey or RGB colours'))
  return frameIn(segment)
}
