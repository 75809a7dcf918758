import { crc32 } from 'node:zlib'
import type { ImageFault, ImageType } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'

const MAGIC = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
} as const satisfies Record<ImageType, Buffer>

/** Returns the type of an image by its first bytes alone (D1); undefined when it is neither JPEG nor PNG. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined =>
  (['image/jpeg', 'image/png'] as const).find((type) =>
    MAGIC[type].equals(bytes.subarray(0, MAGIC[type].length)),
  )

/** The fault of a file that cannot be decoded; `reason` completes "does not decode whole: …". */
export const broken = (reason: string): ImageFault => ({ _tag: 'BrokenImage', reason })

/** The file ends too early. */
const CUT = broken('the file ends before the image does')

/** The file contradicts itself, or its pixels are damaged. */
export const DAMAGED = broken('a part of the file is missing or damaged')

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
class JpegPicture {
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
const jpegPicture = (bytes: Buffer): E.Either<ImageFault, Buffer> => {
  const picture = new JpegPicture(bytes)
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

/** The most chunks of a PNG: real ones have hundreds, and ten megabytes have room for millions. */
const MOST_CHUNKS = 20_000

/** Bytes of the signature before the first chunk. */
export const SIGNATURE = 8

/** Bytes of length and type before the data of a chunk, and of its checksum after it. */
const [HEAD, CHECKSUM] = [8, 4]

/** The chunks besides the critical ones that the decoder needs: transparency, profile and orientation. */
const NEEDED: ReadonlySet<string> = new Set(['tRNS', 'iCCP', 'eXIf'])

/** An end with the right checksum. */
const END = Buffer.from('0000000049454e44ae426082', 'hex')

/** A chunk of a PNG. */
export interface Chunk {
  readonly type: string
  /** The whole chunk, from its length to its checksum. */
  readonly bytes: Buffer
}

/** Yields the chunks of a PNG up to IEND, as far as they are whole. */
export function* chunksOf(bytes: Buffer): Generator<Chunk, void> {
  for (let start = SIGNATURE; start + HEAD + CHECKSUM <= bytes.length; ) {
    const type = bytes.toString('latin1', start + 4, start + HEAD)
    const end = start + HEAD + bytes.readUInt32BE(start) + CHECKSUM
    if (end > bytes.length) return
    yield { type, bytes: bytes.subarray(start, end) }
    if (type === 'IEND') return
    start = end
  }
}

/** Whether a chunk's type begins with a capital letter: a decoder that does not know it must give up. */
const isCritical = ({ type }: Chunk): boolean => /^[A-Z]/.test(type)

/** Whether the checksum of a chunk is right. */
export const isSound = ({ bytes }: Chunk): boolean =>
  crc32(bytes.subarray(4, -CHECKSUM)) === bytes.readUInt32BE(bytes.length - CHECKSUM)

/** Returns the data of a chunk. */
export const dataOf = ({ bytes }: Chunk): Buffer => bytes.subarray(HEAD, -CHECKSUM)

/** Whether a chunk announces several frames. */
const isAnimation = ({ type, bytes }: Chunk): boolean =>
  type === 'acTL' && bytes.length >= HEAD + 8 + CHECKSUM && bytes.readUInt32BE(HEAD) > 1

/** Collects the chunks that the decoder needs. */
class PngPicture {
  readonly #before: Array<Buffer> = []
  readonly #pixels: Array<Buffer> = []
  readonly #seen = new Set<string>()

  get hasPixels(): boolean {
    return this.#pixels.length > 0
  }

  keep(chunk: Chunk): void {
    if (isCritical(chunk)) {
      const part = chunk.type === 'IDAT' || this.hasPixels ? this.#pixels : this.#before
      part.push(chunk.bytes)
    } else if (this.#needs(chunk)) {
      this.#seen.add(chunk.type)
      this.#before.push(chunk.bytes)
    }
  }

  /** Some programs write the orientation after the pixels; there the other chunks have no meaning. */
  #needs(chunk: Chunk): boolean {
    const { type } = chunk
    const isInPlace = type === 'eXIf' || !this.hasPixels
    return NEEDED.has(type) && isInPlace && !this.#seen.has(type) && isSound(chunk)
  }

  file(signature: Buffer): Buffer {
    return Buffer.concat([signature, ...this.#before, ...this.#pixels, END])
  }
}

/**
 * Returns the picture of a PNG file (D7): the chunks that decoding needs, up to its end. Chunks that only inform, those among the others
 * that are damaged or repeated and that a decoder may skip, and everything after the end are left out. An orientation is put in front of
 * the pixels, where the decoder looks for it. AnimatedImage if the file has several frames, BrokenImage if it ends before the picture does
 * or has too many chunks.
 */
const pngPicture = (bytes: Buffer): E.Either<ImageFault, Buffer> => {
  const picture = new PngPicture()
  let chunks = 0
  for (const chunk of chunksOf(bytes)) {
    chunks += 1
    if (chunks > MOST_CHUNKS) return E.left(broken(`it has more than ${MOST_CHUNKS} chunks`))
    if (isAnimation(chunk) && !picture.hasPixels) return E.left({ _tag: 'AnimatedImage' })
    if (chunk.type === 'IEND') return E.right(picture.file(bytes.subarray(0, SIGNATURE)))
    picture.keep(chunk)
  }
  return E.left(CUT)
}

const PICTURES = { 'image/jpeg': jpegPicture, 'image/png': pngPicture } as const

/** Returns the file to decode: the first picture of an image file, without what decoding does not need (D7). */
export const pictureOf = (type: ImageType, bytes: Uint8Array): E.Either<ImageFault, Buffer> =>
  PICTURES[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
