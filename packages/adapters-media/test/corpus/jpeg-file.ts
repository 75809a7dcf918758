import sharp, { type JpegOptions } from 'sharp'
import { type Corners, HEIGHT, pixelsOf, WIDTH } from './pixels.ts'

export const SOI = Buffer.from([0xff, 0xd8])
export const EOI = Buffer.from([0xff, 0xd9])

export const segment = (marker: number, payload: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

/** Four colours in some size, encoded by libjpeg. */
export const jpegOf = (
  width: number,
  height: number,
  options: JpegOptions = {},
  corners?: Corners,
): Promise<Buffer> =>
  sharp(pixelsOf(width, height, corners), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4', ...options })
    .toBuffer()

export const plainJpeg = (options: JpegOptions = {}): Promise<Buffer> => jpegOf(WIDTH, HEIGHT, options)

/** The file with segments put in front of all others. */
export const withSegments = (jpeg: Buffer, ...segments: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat([SOI, ...segments, jpeg.subarray(2)])

/** The file with something between its last scan and EOI. */
export const beforeEnd = (jpeg: Buffer, bytes: Uint8Array): Buffer =>
  Buffer.concat([jpeg.subarray(0, -2), bytes, EOI])

/** The segments before the first scan, as they stand. */
const heads = (
  jpeg: Buffer,
): ReadonlyArray<{ readonly marker: number; readonly at: number; readonly end: number }> => {
  const found = []
  for (let at = 2; ; ) {
    const marker = jpeg[at + 1] ?? 0
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    found.push({ marker, at, end })
    if (marker === 0xda) return found
    at = end
  }
}

/** Returns the position of the first segment with a marker, up to and including the first scan. */
export const markerAt = (jpeg: Buffer, marker: number): number => {
  const found = heads(jpeg).find((head) => head.marker === marker)
  if (found === undefined) throw new Error(`no segment ${marker}`)
  return found.at
}

/** The file with some bytes overwritten, counted from a marker. */
export const patched = (
  jpeg: Buffer,
  marker: number,
  offset: number,
  ...bytes: ReadonlyArray<number>
): Buffer => {
  const copy = Buffer.from(jpeg)
  copy.set(bytes, markerAt(copy, marker) + offset)
  return copy
}

/** The file without the segments of a marker that lie before the first scan. */
export const withoutAll = (jpeg: Buffer, marker: number): Buffer => {
  const all = heads(jpeg)
  const kept = all.filter((head) => head.marker !== marker).map(({ at, end }) => jpeg.subarray(at, end))
  return Buffer.concat([SOI, ...kept, jpeg.subarray(all.at(-1)?.end)])
}

export interface Flat {
  readonly width: number
  readonly height: number
  /** Sampling factors of each component, as one byte. */
  readonly factors: ReadonlyArray<number>
  /** Units between restart markers; each takes whole bytes. 0: none. */
  readonly restartAfter: number
}

const table = (id: number, symbol: number): Buffer =>
  segment(0xc4, Buffer.from([id, 1, ...Array.from({ length: 15 }, () => 0), symbol]))

/** The segments before the scan's data, with tables that code a grey block as two zero bits. */
export const flatHead = ({ width, height, factors, restartAfter }: Flat, frame = 0xc0): Buffer => {
  const size = [height >> 8, height & 255, width >> 8, width & 255]
  const components = factors.flatMap((factor, n) => [n + 1, factor, 0])
  return Buffer.concat([
    SOI,
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 1)])),
    segment(frame, Buffer.from([8, ...size, factors.length, ...components])),
    table(0x00, 0),
    table(0x10, 0),
    segment(0xdd, Buffer.from([0, restartAfter])),
    segment(0xda, Buffer.from([factors.length, ...factors.flatMap((_, n) => [n + 1, 0]), 0, 63, 0])),
  ])
}

/** Scan data without restart markers for this number of blocks. */
export const flatData = (blocks: number): Buffer => Buffer.alloc(Math.ceil(blocks / 4))

/** Scan data of this number of bytes with a restart marker after each. */
export const restartedData = (bytes: number): Buffer =>
  Buffer.concat(
    Array.from({ length: bytes }, (_, n) => Buffer.from(n === 0 ? [0] : [0xff, 0xd0 + ((n - 1) % 8), 0])),
  )
