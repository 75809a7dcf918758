import type { ImageFault } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { viewOf } from '../picture/bytes.ts'
import { turned, UPRIGHT } from '../picture/orientation.ts'
import { BROKEN, type Picture } from '../picture/picture.ts'
import { hasEveryBlock } from './baseline-scan.ts'
import { type Frame, isFrame, readFrame } from './frame.ts'
import { definitionsIn } from './huffman.ts'
import {
  exifSegment,
  isExif,
  isHuffman,
  isJfif,
  isNeeded,
  isRestartInterval,
  JFIF,
  orientationOf,
} from './kinds.ts'
import { scanComponents } from './scan-header.ts'
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
  const scanned = new Set(segments.filter(isScan).flatMap((scan) => scanComponents(scan).map(({ id }) => id)))
  return frame.components.every(({ id }) => scanned.has(id))
}

/** A scan with all components of a baseline frame is read by the decoder as it goes; all others it takes in whole first. */
const isComplete = async (frame: Frame, segments: ReadonlyArray<Segment>): Promise<boolean> => {
  const at = segments.findIndex(isScan)
  const segment = segments[at]
  if (segment === undefined) return false
  if (frame.progressive || scanComponents(segment).length < frame.components.length)
    return hasEveryColour(frame, segments)
  const tables = segments.slice(0, at)
  const definitions = definitionsIn(tables.filter(isHuffman).map(({ payload }) => payload))
  const restart = tables.findLast(isRestartInterval)
  const restartAfter = restart === undefined ? 0 : viewOf(restart.payload).getUint16(0)
  if (O.isNone(definitions)) return false
  return hasEveryBlock({ frame, segment, definitions: definitions.value, restartAfter })
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
    isComplete: () => isComplete(frame, segments),
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
    E.map((read) => pictureOf(read, segments)),
  )
}
