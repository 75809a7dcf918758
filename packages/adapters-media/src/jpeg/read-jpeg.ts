import type { ImageFault } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { turned, UPRIGHT } from '../picture/orientation.ts'
import { BROKEN, type Picture } from '../picture/picture.ts'
import { type Frame, isFrame, readFrame } from './frame.ts'
import { exifSegment, isExif, isJfif, isNeeded, JFIF, orientationOf } from './kinds.ts'
import { coloursOf } from './scan-header.ts'
import { EOI, type Segment, SOI, SOS, segmentsOf } from './segments.ts'

export const JPEG_MAGIC = Uint8Array.of(0xff, SOI, 0xff)

/**
 * Scans that a file may have. A progressive one needs about ten; the decoder goes over the whole picture for each, outside
 * the reach of its time limit.
 */
const MOST_SCANS = 100

const isScan = ({ marker }: Segment): boolean => marker === SOS

/** One frame, scans after it and no more of them than are reasonable, one beginning and one end. */
const isInOrder = (segments: ReadonlyArray<Segment>): boolean => {
  const frame = segments.findIndex(({ marker }) => isFrame(marker))
  const scans = segments.filter(isScan).length
  return (
    segments.at(-1)?.marker === EOI &&
    !segments.some(({ marker }) => marker === SOI) &&
    segments.findLastIndex(({ marker }) => isFrame(marker)) === frame &&
    frame < segments.findIndex(isScan) &&
    scans <= MOST_SCANS
  )
}

/** Whether each colour is in some scan. */
const hasEveryColour = (frame: Frame, segments: ReadonlyArray<Segment>): boolean => {
  const scanned = new Set(segments.filter(isScan).flatMap((scan) => coloursOf(scan)))
  return frame.colours.every((colour) => scanned.has(colour))
}

const pictureOf = (frame: Frame, segments: ReadonlyArray<Segment>): Picture => {
  const exif = segments.find(isExif)
  const orientation = exif === undefined ? UPRIGHT : orientationOf(exif)
  const kept = segments.filter((segment) => isNeeded(segment) || isFrame(segment.marker) || isScan(segment))
  return {
    type: 'image/jpeg',
    ...turned(frame.width, frame.height, orientation),
    bytes: Buffer.concat([
      Uint8Array.of(0xff, SOI),
      ...(segments.some(isJfif) ? [JFIF] : []),
      exifSegment(orientation),
      ...kept.map(({ whole }) => whole),
      Uint8Array.of(0xff, EOI),
    ]),
  }
}

/**
 * Reads a JPEG's segments up to EOI, without decoding a pixel. A file that ends before it is BrokenImage. What follows it
 * is left out, since phones append there (a film, a second picture), like every segment that no pixel depends on: comments,
 * XMP, EXIF but for the orientation, gain maps.
 */
export const readJpeg = (bytes: Uint8Array): E.Either<ImageFault, Picture> => {
  const segments = [...segmentsOf(bytes)]
  const frame = segments.find(({ marker }) => isFrame(marker))
  if (frame === undefined || !isInOrder(segments)) return E.left(BROKEN)
  return pipe(
    readFrame(frame),
    E.filterOrElse(
      (read) => hasEveryColour(read, segments),
      () => BROKEN,
    ),
    E.map((read) => pictureOf(read, segments)),
  )
}
