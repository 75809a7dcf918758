import { latin1, startsWith, viewOf } from './bytes.ts'

/** How a picture is to be turned, in the numbers of EXIF: 1 is upright, 5 to 8 swap width and height. */
export type Orientation = number

export const UPRIGHT: Orientation = 1

const LITTLE_ENDIAN = latin1('II*\0')
const BIG_ENDIAN = latin1('MM\0*')
const HEADER = 8
const ENTRY = 12
const ORIENTATION_TAG = 0x0112
const SHORT = 3

const valueAt = (view: DataView, at: number, little: boolean): Orientation => {
  const value = view.getUint16(at + 8, little)
  return view.getUint16(at + 2, little) === SHORT && value >= 1 && value <= 8 ? value : UPRIGHT
}

/**
 * The orientation in an EXIF block (from its TIFF header on). Looks for that one entry in the first directory and at
 * nothing else, so that no EXIF data, however made, costs more than one pass; what it cannot read counts as upright.
 */
export const orientationIn = (tiff: Uint8Array): Orientation => {
  const little = startsWith(tiff, LITTLE_ENDIAN)
  if (tiff.length < HEADER || !(little || startsWith(tiff, BIG_ENDIAN))) return UPRIGHT
  const view = viewOf(tiff)
  const directory = view.getUint32(4, little)
  if (directory + 2 > tiff.length) return UPRIGHT
  const first = directory + 2
  const end = Math.min(tiff.length, first + view.getUint16(directory, little) * ENTRY)
  for (let at = first; at + ENTRY <= end; at += ENTRY)
    if (view.getUint16(at, little) === ORIENTATION_TAG) return valueAt(view, at, little)
  return UPRIGHT
}

/** The smallest EXIF block that says an orientation, from its TIFF header on: one directory of one entry. */
export const exifOf = (orientation: Orientation): Uint8Array =>
  Uint8Array.from([
    ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, HEADER],
    ...[0, 1],
    ...[0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ])

/** Width and height after turning. */
export const turned = (width: number, height: number, orientation: Orientation) =>
  orientation >= 5 ? { width: height, height: width } : { width, height }
