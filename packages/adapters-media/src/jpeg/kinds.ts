import { latin1, startsWith } from '../picture/bytes.ts'
import { exifOf, type Orientation, orientationIn } from '../picture/orientation.ts'
import { type Segment, segmentOf } from './segments.ts'

type IsKind = (segment: Segment) => boolean

const startingWith = (marker: number, text: string, least = 0): IsKind => {
  const prefix = latin1(text)
  return (segment) =>
    segment.marker === marker && segment.payload.length >= least && startsWith(segment.payload, prefix)
}

/** That it is there says that three components are not red, green and blue; what it holds does not matter. */
export const isJfif = startingWith(0xe0, 'JFIF\0', 14)

/** A JFIF segment that says nothing more. */
export const JFIF = segmentOf(0xe0, Uint8Array.of(...latin1('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0))

const EXIF = latin1('Exif\0\0')
export const isExif = startingWith(0xe1, 'Exif\0\0')

/** The orientation that an EXIF segment tells. */
export const orientationOf = ({ payload }: Segment): Orientation =>
  orientationIn(payload.subarray(EXIF.length))

/** An EXIF segment that tells an orientation and nothing more. */
export const exifSegment = (orientation: Orientation): Uint8Array =>
  segmentOf(0xe1, Uint8Array.of(...EXIF, ...exifOf(orientation)))

/** The tables of the decoder, and what says which colours are meant: a profile, and Adobe's transformation. */
const TABLES_AND_COLOURS: ReadonlyArray<IsKind> = [
  startingWith(0xc4, ''),
  startingWith(0xdd, '', 2),
  startingWith(0xdb, ''),
  startingWith(0xe2, 'ICC_PROFILE\0'),
  startingWith(0xee, 'Adobe'),
]

/** Whether the pixels depend on a segment that is neither frame nor scan. */
export const isNeeded: IsKind = (segment) => TABLES_AND_COLOURS.some((isKind) => isKind(segment))
