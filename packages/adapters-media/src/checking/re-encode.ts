import { crc32, createInflateRaw } from 'node:zlib'
import type { Unavailable } from '@almoner/domain'
import type { ImageFault, ImageType, MeasuredImage } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { JpegOptions, Metadata, PngOptions } from 'sharp'
import { attempt } from '../storage.ts'
import { decoder } from './decoder.ts'
import { type Chunk, chunksOf, DAMAGED, dataOf, isSound, pictureOf, SIGNATURE } from './pictures.ts'

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

/** Channels of each kind of colour. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Returns how many bytes the pixels can have at most, with the byte for the filter of each row. Interlaced ones have more rows. */
const mostBytes = (header: Buffer): number => {
  if (header.length < 13) return 0
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const bits = (header[8] ?? 0) * (CHANNELS[header[9] ?? 0] ?? 0)
  return (Math.ceil((width * bits) / 8) + 1) * height * 2
}

/** Bytes after which the sums of Adler-32 must be reduced, to stay exact. */
const STRIDE = 5552
const PRIME = 65_521

const adler = ([a, b]: readonly [number, number], bytes: Uint8Array): readonly [number, number] => {
  let [low, high] = [a, b]
  for (let start = 0; start < bytes.length; start += STRIDE) {
    const end = Math.min(start + STRIDE, bytes.length)
    for (let at = start; at < end; at++) {
      low += bytes[at] ?? 0
      high += low
    }
    low %= PRIME
    high %= PRIME
  }
  return [low, high]
}

interface Inflated {
  /** Compressed bytes up to the end of the data. */
  readonly consumed: number
  readonly checksum: Buffer
}

/** Bytes that are inflated at once. */
const PART = 256 * 1024

/** Inflates compressed data without a header. Resolves to undefined if they are damaged, have no end, or are longer than `most`. */
const inflated = async (data: Buffer, most: number): Promise<Inflated | undefined> => {
  const stream = createInflateRaw({ chunkSize: PART })
  stream.end(data)
  let sums: readonly [number, number] = [1, 0]
  let length = 0
  try {
    for await (const part of stream) {
      length += part.length
      if (length > most) return undefined
      sums = adler(sums, part)
    }
  } catch {
    return undefined
  }
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE(sums[1], 0)
  checksum.writeUInt16BE(sums[0], 2)
  return { consumed: stream.bytesWritten, checksum }
}

/** A header of zlib for windows of any size. */
const ZLIB_HEAD = Buffer.from([0x78, 0x01])
const ZLIB_CHECKSUM = 4

const chunkOf = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/**
 * Returns a PNG whose compressed pixels state too small a window or a wrong checksum with the right ones: browsers show such images whole
 * (D7), and the decoder refuses them. Resolves to undefined if the pixels are damaged or cut. Takes time: only for images that were refused.
 */
const withRightStream = async (png: Buffer): Promise<Buffer | undefined> => {
  const chunks = [...chunksOf(png)]
  const [header] = chunks
  const firstAt = chunks.findIndex(({ type }) => type === 'IDAT')
  const lastAt = chunks.findLastIndex(({ type }) => type === 'IDAT')
  if (header?.type !== 'IHDR' || firstAt < 0 || !chunks.every(isSound)) return undefined
  const stream = Buffer.concat(chunks.slice(firstAt, lastAt + 1).map(dataOf))
  const found = await inflated(stream.subarray(ZLIB_HEAD.length), mostBytes(dataOf(header)))
  const end = ZLIB_HEAD.length + (found?.consumed ?? 0)
  if (found === undefined || stream.length < end + ZLIB_CHECKSUM) return undefined
  const data = Buffer.concat([ZLIB_HEAD, stream.subarray(ZLIB_HEAD.length, end), found.checksum])
  const bytesOf = (some: ReadonlyArray<Chunk>) => some.map(({ bytes }) => bytes)
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    ...bytesOf(chunks.slice(0, firstAt)),
    chunkOf('IDAT', data),
    ...bytesOf(chunks.slice(lastAt + 1)),
  ])
}

/** Seconds that decoding and encoding may take; the largest picture allowed needs about three on a small machine. */
export const TIME_LIMIT = 20

/**
 * 4:4:4, because covers contain lettering, and a second chroma subsampling blurs its edges. From quality 90 on, a second compression is
 * invisible. Optimized coding would shorten the file by a tenth, but needs the whole image in memory a second time.
 */
const JPEG: JpegOptions = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false }

const END_MARKER = Buffer.from([0xff, 0xd9])

/** Lossless. Choosing a filter for each row takes a quarter off a photograph. */
const PNG: PngOptions = { adaptiveFiltering: true }

/** Encodes an image. A warning of the decoder counts as damage. */
const encode = async ({ type, bytes, width, height }: ImageInfo): Promise<MeasuredImage> => {
  const sharp = await decoder()
  const options = { autoOrient: true, failOn: 'warning', limitInputPixels: width * height } as const
  const image = sharp(bytes, options).timeout({ seconds: TIME_LIMIT })
  const encoder = type === 'image/jpeg' ? image.jpeg(JPEG) : image.png(PNG)
  return { type, bytes: await encoder.toBuffer(), size: { width, height } }
}

/** The decoder's warning of bytes between the last scan and the end marker. */
const FILLED_END = /^VipsJpeg: Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9/

/**
 * Returns a JPEG without the bytes before its end marker that the decoder warned of; undefined if it warned of something else. The rest may
 * still lack pixels: a filled gap leads to the same warning as a filled end.
 */
const withoutFilledEnd = (bytes: Buffer, warning: string): Buffer | undefined => {
  const filled = Number(FILLED_END.exec(warning)?.[1] ?? 0)
  const end = bytes.lastIndexOf(END_MARKER)
  return filled > 0 && filled < end
    ? Buffer.concat([bytes.subarray(0, end - filled), bytes.subarray(end)])
    : undefined
}

/** Returns the bytes of an image without a fault that browsers pass over; undefined if it has none of these. */
const mended = async ({ type, bytes }: ImageInfo, warning: string): Promise<Buffer | undefined> =>
  type === 'image/png' ? withRightStream(bytes) : withoutFilledEnd(bytes, warning)

/**
 * Encodes an image. A warning counts as damage, except for two faults that browsers pass over: bytes before the end marker of a JPEG, and a
 * wrong header or checksum of a PNG's compressed pixels. Without that fault, the image must decode without a warning.
 */
const run = async (info: ImageInfo): Promise<MeasuredImage> => {
  try {
    return await encode(info)
  } catch (error) {
    const bytes = await mended(info, String(error instanceof Error ? error.message : error))
    if (bytes === undefined) throw error
    return encode({ ...info, bytes })
  }
}

/**
 * Decodes a whole image, applies its orientation, converts its colours to sRGB of 8 bits and encodes it in the type it came in, with its
 * alpha channel and without metadata (D1, D7). A warning of the decoder counts as damage: an image cut short inside its data is BrokenImage.
 * JPEG has no checksum, so some damage cannot be detected. Unavailable when the time is up, since a busy machine may be the reason.
 */
export const reEncode =
  (info: ImageInfo): TE.TaskEither<ImageFault | Unavailable, MeasuredImage> =>
  async () => {
    const started = performance.now()
    return pipe(
      attempt(() => run(info)),
      TE.mapError((failure) => (performance.now() - started < TIME_LIMIT * 1000 ? DAMAGED : failure)),
    )()
  }
