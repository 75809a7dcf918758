import { deflateSync } from 'node:zlib'
import { exifPayload, plainExif } from './exif.ts'
import { EOI, flatData, flatHead, segment, withSegments } from './jpeg-file.ts'
import { chunk, END, header, png, RGB_ALPHA } from './png-file.ts'

const SIDE = 4096

/** The seven passes of an interlaced PNG: a picture's width and height over these. */
const PASSES = [
  [8, 8],
  [8, 8],
  [4, 8],
  [4, 4],
  [2, 4],
  [2, 2],
  [1, 2],
] as const

/** Sixteen bits of four channels, interlaced, to be turned: the decoder must hold all of it. With a wrong checksum it is inflated twice. */
const png16 = (hasRightChecksum: boolean): Buffer => {
  const layout = { width: SIDE, height: SIDE, depth: 16, colour: RGB_ALPHA }
  const bytes = PASSES.map(([across, down]) => (SIDE / down) * ((SIDE / across) * 8 + 1))
  const pixels = Buffer.alloc(bytes.reduce((sum, length) => sum + length))
  const stream = deflateSync(pixels, { level: 1 })
  if (!hasRightChecksum) stream.writeUInt8((stream.at(-1) ?? 0) ^ 1, stream.length - 1)
  const interlaced = Buffer.from(header(layout).subarray(8, 21))
  interlaced[12] = 1
  return png(chunk('IHDR', interlaced), chunk('eXIf', plainExif(6)), chunk('IDAT', stream), END)
}

/** Progressive, all colours of full size, to be turned. Four are CMYK. */
const progressive = (colours: 3 | 4): Buffer => {
  const factors = Array.from({ length: colours }, () => 0x11)
  const head = flatHead({ width: SIDE, height: SIDE, factors, restartAfter: 0 }, 0xc2)
  // A progressive picture begins with the first coefficients alone.
  head[head.length - 2] = 0
  const data = flatData(((SIDE / 8) * (SIDE / 8) * colours) / 2)
  return withSegments(Buffer.concat([head, data, EOI]), segment(0xe1, exifPayload(plainExif(6))))
}

/** Small files that take as much memory as an upload can. All of them may be taken. */
export const heaviestUploads = (): Readonly<Record<string, Buffer>> => ({
  'sixteen.png': png16(true),
  'sixteen-wrong.png': png16(false),
  'progressive.jpg': progressive(3),
  'progressive-cmyk.jpg': progressive(4),
})
