import { crc32, createInflateRaw } from 'node:zlib'
import { type Chunk, chunksOf, dataOf, isSound, SIGNATURE } from './png-picture.ts'

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
export const withRightStream = async (png: Buffer): Promise<Buffer | undefined> => {
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
