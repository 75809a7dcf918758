import type { ImageFault } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import { broken, CUT, DAMAGED } from './image-type.ts'

/** The most scans of a JPEG: a progressive one needs about ten. The decoder goes over the image for each, outside its time limit. */
const MOST_SCANS = 100

const [SOI, EOI, SOS, APP0, APP1, ADOBE] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xee]

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7

/** Markers without a length: TEM, restarts, beginning and end. */
const standsAlone = (code: number): boolean => code === 0x01 || (code >= 0xd0 && code <= EOI)

/** Tables of Huffman and arithmetic coding, of quantization, and the restart interval. */
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xcc, 0xdb, 0xdd])

/** Start of a frame, of any kind; the other codes of the range are tables and one that is reserved. */
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && code !== 0xc8 && !TABLES.has(code)

/** Frames that are coded in one pass: baseline and extended, with Huffman or arithmetic coding. */
const SEQUENTIAL: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc9])

/** How the data of the application segments begin that matter, and the least length of their data: orientation and colours. */
const APPLICATIONS: Readonly<Record<number, readonly [text: string, least: number]>> = {
  [APP0]: ['JFIF\0', 14],
  [APP1]: ['Exif\0', 6],
  226: ['ICC_PROFILE\0', 14],
  [ADOBE]: ['Adobe', 12],
}

/** A segment, from its marker on. A scan ends with its data. */
interface Segment {
  readonly code: number
  readonly start: number
  readonly dataAt: number
  readonly end: number
}

/** Returns the place of the next marker. 0xFF may be repeated before it. Inside a scan, restart markers are data. */
const nextMarker = (bytes: Buffer, from: number, inScan = false): number => {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const code = bytes[at + 1] ?? 0
    if (code !== 0x00 && code !== 0xff && !(inScan && isRestart(code))) return at
  }
  return bytes.length
}

const lengthAt = (bytes: Buffer, start: number): number =>
  standsAlone(bytes[start + 1] ?? 0) || start + 3 >= bytes.length
    ? 0
    : Math.max(2, bytes.readUInt16BE(start + 2))

/** Returns the segment at a marker; undefined if its length leads out of the file. */
const segmentAt = (bytes: Buffer, start: number): Segment | undefined => {
  const code = bytes[start + 1] ?? 0
  const dataAt = start + 2 + lengthAt(bytes, start)
  if (dataAt > bytes.length) return undefined
  return { code, start, dataAt, end: code === SOS ? nextMarker(bytes, dataAt, true) : dataAt }
}

/** Yields the segments of a JPEG up to its end, as far as they are whole. After a scan, noise that looks like a marker is passed over. */
function* segmentsOf(bytes: Buffer): Generator<Segment, void> {
  let hasScan = false
  for (let start = nextMarker(bytes, 2); start + 1 < bytes.length; ) {
    const segment = segmentAt(bytes, start)
    if (segment === undefined && !hasScan) return
    if (segment !== undefined) yield segment
    if (segment?.code === EOI) return
    hasScan ||= segment?.code === SOS
    start = nextMarker(bytes, segment?.end ?? start + 2)
  }
}

/** Collects the segments that the decoder needs, and corrects fields that it would warn of without need. */
class Picture {
  readonly #bytes: Buffer
  readonly #kept: Buffer
  #length: number
  #frame: { readonly isSequential: boolean; readonly components: number } | undefined
  #hasExif = false
  readonly #transforms: Array<number> = []

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#kept = Buffer.allocUnsafe(bytes.length)
    this.#length = bytes.copy(this.#kept, 0, 0, 2)
  }

  keep(segment: Segment): void {
    if (!this.#needs(segment)) return
    const place = this.#length
    this.#length += this.#bytes.copy(this.#kept, place, segment.start, segment.end)
    this.#mend(segment, place)
  }

  #needs({ code, start, end }: Segment): boolean {
    if (code === SOS || code === EOI || TABLES.has(code) || isFrame(code)) return true
    // The first orientation counts, as in browsers.
    if (code === APP1 && this.#hasExif) return false
    const [text, least] = APPLICATIONS[code] ?? []
    if (text === undefined || least === undefined || end - start - 4 < least) return false
    return this.#bytes.toString('latin1', start + 4, start + 4 + text.length) === text
  }

  #mend({ code, start, dataAt }: Segment, place: number): void {
    if (isFrame(code))
      this.#frame = { isSequential: SEQUENTIAL.has(code), components: this.#bytes[start + 9] ?? 0 }
    if (code === APP1) this.#hasExif = true
    // The decoder reads all versions of JFIF alike.
    if (code === APP0) this.#kept.set([1, 1], place + 9)
    if (code === ADOBE) this.#transforms.push(place + 15)
    // Some phones give a scan of one pass the parameters of a progressive one. They have no meaning there.
    if (code === SOS && this.#frame?.isSequential && dataAt - start >= 10)
      this.#kept.set([0, 63, 0], place + dataAt - start - 3)
  }

  /** Returns the file of the kept segments. An unknown colour transform of Adobe is taken as the usual one, as browsers do. */
  file(): Buffer {
    for (const place of this.#transforms)
      if (this.#kept[place] !== 0) this.#kept[place] = this.#frame?.components === 4 ? 2 : 1
    return this.#kept.subarray(0, this.#length)
  }
}

/**
 * Returns the first picture of a JPEG file (D7): the segments that decoding needs, from its beginning to its end marker. Bytes between
 * segments, unknown markers, other metadata and everything after the end are left out. The decoder therefore warns of damaged pixels only.
 * BrokenImage if the file ends before the picture does, or has too many scans.
 */
export const jpegPicture = (bytes: Buffer): E.Either<ImageFault, Buffer> => {
  const picture = new Picture(bytes)
  let scans = 0
  for (const segment of segmentsOf(bytes)) {
    if (segment.code === SOI) return E.left(DAMAGED)
    if (segment.code === SOS) scans += 1
    if (scans > MOST_SCANS) return E.left(broken(`it has more than ${MOST_SCANS} scans`))
    picture.keep(segment)
    if (segment.code === EOI) return scans === 0 ? E.left(DAMAGED) : E.right(picture.file())
  }
  return E.left(CUT)
}
