import { deflateSync } from 'node:zlib'
import { HEIGHT, pixelsOf, WIDTH } from './pixels.ts'
import {
  COMPRESSED,
  chunk,
  END,
  filtered,
  header,
  type Layout,
  PLAIN,
  PNG_MAGIC,
  plainPng,
  png,
} from './png-file.ts'
import { pngUpload, type Upload } from './upload.ts'

const broken = (name: string, bytes: Uint8Array): Upload => pngUpload(name, bytes, 'broken')

const WHOLE = plainPng()
const withData = (data: Uint8Array): Buffer => png(header(PLAIN), chunk('IDAT', data), END)
const withLayout = (layout: Partial<Layout>): Buffer =>
  png(header({ ...PLAIN, ...layout }), chunk('IDAT', COMPRESSED), END)

const rows = (): Buffer => filtered(PLAIN, pixelsOf(WIDTH, HEIGHT))

const withFilter = (filter: number): Buffer => {
  const spoilt = rows()
  spoilt[0] = filter
  return deflateSync(spoilt)
}

const flipped = (at: number): Buffer => {
  const copy = Buffer.from(WHOLE)
  copy[at] = (copy[at] ?? 0) ^ 0x10
  return copy
}

const cut: ReadonlyArray<Upload> = [
  broken('only the PNG signature', PNG_MAGIC),
  broken('PNG cut inside its header', WHOLE.subarray(0, 20)),
  broken('PNG cut after its header', WHOLE.subarray(0, 33)),
  broken('PNG cut in the middle', WHOLE.subarray(0, WHOLE.length / 2)),
  broken('PNG without its last pixels', WHOLE.subarray(0, -40)),
  broken('PNG without IEND', WHOLE.subarray(0, -12)),
  broken('PNG with half an IEND', WHOLE.subarray(0, -6)),
  broken('PNG without its last byte', WHOLE.subarray(0, -1)),
  broken('PNG cut inside its pixels, then closed', withData(COMPRESSED.subarray(0, COMPRESSED.length / 2))),
  broken('PNG short of a few bytes of pixels', withData(COMPRESSED.subarray(0, -8))),
  broken('PNG short of one byte of its pixel checksum', withData(COMPRESSED.subarray(0, -1))),
  broken('PNG short of one row', withData(deflateSync(rows().subarray(0, -(WIDTH * 3 + 1))))),
]

const FLAWED_HEADER = chunk('IHDR', header(PLAIN).subarray(8, 21), 1)

const inconsistent: ReadonlyArray<Upload> = [
  broken('PNG with a wrong checksum of its header', png(FLAWED_HEADER, chunk('IDAT', COMPRESSED), END)),
  broken('PNG with a wrong checksum of its pixels', png(header(PLAIN), chunk('IDAT', COMPRESSED, 1), END)),
  broken('PNG with one bit changed in its pixels', flipped(WHOLE.length >> 1)),
  broken('PNG with a filter that does not exist', withData(withFilter(9))),
  broken('PNG whose pixels are not compressed data', withData(Buffer.alloc(5000, 0xaa))),
  broken('PNG without pixels', png(header(PLAIN), END)),
  broken('PNG whose header comes second', png(chunk('IDAT', COMPRESSED), header(PLAIN), END)),
  broken('PNG with two headers', png(header(PLAIN), header(PLAIN), chunk('IDAT', COMPRESSED), END)),
  broken('PNG 0 wide', withLayout({ width: 0 })),
  broken('PNG 0 high', withLayout({ height: 0 })),
  broken('PNG of a depth that does not exist', withLayout({ depth: 7 })),
  broken('PNG of colours that do not exist', withLayout({ colour: 5 })),
  broken('PNG with a palette missing', withLayout({ colour: 3 })),
  broken('PNG with an unknown chunk that matters', plainPng([chunk('ABCD', Buffer.from('x'))])),
  broken('PNG with a chunk longer than the file', png(header(PLAIN), Buffer.from('7fffffff49444154', 'hex'))),
]

const CROWD = Buffer.alloc(6_000_000, chunk('IDAT'))

const hostile: ReadonlyArray<Upload> = [
  broken('PNG of half a million empty chunks', png(header(PLAIN), CROWD, chunk('IDAT', COMPRESSED), END)),
]

/** Animation control of a number of frames. */
const animation = (frames: number): Buffer => Buffer.from([0, 0, 0, frames, 0, 0, 0, 0])
const frame = Buffer.concat([
  Buffer.alloc(4),
  header(PLAIN).subarray(8, 16),
  Buffer.alloc(8),
  Buffer.from([0, 1, 0, 10, 0, 0]),
])

/** PNGs that must be rejected at any size. */
export const refusedPngs = (): ReadonlyArray<Upload> => [
  ...cut,
  ...inconsistent,
  ...hostile,
  pngUpload('animated PNG', plainPng([chunk('acTL', animation(2)), chunk('fcTL', frame)]), 'animated'),
  pngUpload(
    'PNG with an animation of one frame',
    plainPng([chunk('acTL', animation(1)), chunk('fcTL', frame)]),
    'ok',
  ),
]
