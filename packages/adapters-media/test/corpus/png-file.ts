import { crc32, deflateSync } from 'node:zlib'
import { HEIGHT, pixelsOf, WIDTH } from './pixels.ts'

export const PNG_MAGIC = Buffer.from('89504e470d0a1a0a', 'hex')

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A chunk; its checksum is right unless `flaw` is given, which is added to it. */
export const chunk = (type: string, data: Uint8Array = Buffer.alloc(0), flaw = 0): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32((crc32(body) + flaw) % 2 ** 32)])
}

export const GREY = 0
export const RGB = 2
export const PALETTE = 3
export const GREY_ALPHA = 4
export const RGB_ALPHA = 6
const CHANNELS: Readonly<Record<number, number>> = {
  [GREY]: 1,
  [RGB]: 3,
  [PALETTE]: 1,
  [GREY_ALPHA]: 2,
  [RGB_ALPHA]: 4,
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
}

/** Eight bits of red, green and blue, in the feed's size. */
export const PLAIN: Layout = { width: WIDTH, height: HEIGHT, depth: 8, colour: RGB }

export const header = ({ width, height, depth, colour }: Layout): Buffer =>
  chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, colour, 0, 0, 0])]))

/** Pixels with the byte before each row that names its filter: none. */
export const filtered = ({ width, height, depth, colour }: Layout, pixels: Uint8Array): Buffer => {
  const row = Math.ceil((width * depth * (CHANNELS[colour] ?? 1)) / 8)
  const rows = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  return rows
}

export const END = chunk('IEND')

export const png = (...chunks: ReadonlyArray<Uint8Array>): Buffer => Buffer.concat([PNG_MAGIC, ...chunks])

/** A sound file. `before` and `after` are chunks around its pixels. */
export const pngOf = (
  layout: Layout,
  pixels: Uint8Array,
  before: ReadonlyArray<Uint8Array> = [],
  after: ReadonlyArray<Uint8Array> = [],
): Buffer =>
  png(header(layout), ...before, chunk('IDAT', deflateSync(filtered(layout, pixels))), ...after, END)

const PIXELS = pixelsOf(WIDTH, HEIGHT)
export const COMPRESSED = deflateSync(filtered(PLAIN, PIXELS))

/** The four colours in the feed's size, with chunks around the pixels. */
export const plainPng = (
  before: ReadonlyArray<Uint8Array> = [],
  after: ReadonlyArray<Uint8Array> = [],
): Buffer => png(header(PLAIN), ...before, chunk('IDAT', COMPRESSED), ...after, END)
