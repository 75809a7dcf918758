import { deflateSync } from 'node:zlib'
import { exifPayload, plainExif } from './exif.ts'
import { jpegOf, patched, plainJpeg, segment, withSegments } from './jpeg-file.ts'
import { HEIGHT, noise, pixelsOf, WIDTH } from './pixels.ts'
import {
  COMPRESSED,
  chunk,
  END,
  filtered,
  GREY,
  header,
  PLAIN,
  plainPng,
  png,
  pngOf,
  RGB,
} from './png-file.ts'
import { jpegUpload, pngUpload, type Upload } from './upload.ts'

const LIMIT = 10 * 1024 * 1024
const SOF0 = 0xc0

const plainly = { library: 'ok', fourColours: false } as const

const NEARLY: ReadonlyArray<readonly [number, number]> = [
  [WIDTH - 1, HEIGHT],
  [WIDTH + 1, HEIGHT],
  [WIDTH, HEIGHT - 1],
  [WIDTH, HEIGHT + 1],
  [HEIGHT, WIDTH],
  [1, 1],
]

const pngOfSize = (width: number, height: number): Buffer =>
  pngOf({ ...PLAIN, width, height }, pixelsOf(width, height))

/** A picture of one bit a pixel, all of them the same. */
const blank = (width: number, height: number): Buffer =>
  pngOf({ width, height, depth: 1, colour: GREY }, Buffer.alloc(0))

/** A header without the pixels that it promises. */
const promise = (width: number, height: number): Buffer =>
  png(header({ ...PLAIN, width, height }), chunk('IDAT', COMPRESSED), END)

const nearly = async (): Promise<ReadonlyArray<Upload>> => {
  const uploads = NEARLY.map(async ([width, height]) => [
    pngUpload(`PNG of ${width} x ${height}`, pngOfSize(width, height), 'wrong-size', plainly),
    jpegUpload(`JPEG of ${width} x ${height}`, await jpegOf(width, height), 'wrong-size', plainly),
  ])
  return (await Promise.all(uploads)).flat()
}

const exif = (orientation: number) => segment(0xe1, exifPayload(plainExif(orientation)))

const misleading = async (): Promise<ReadonlyArray<Upload>> => [
  jpegUpload(
    'JPEG of the right size until it is rotated',
    withSegments(await plainJpeg(), exif(6)),
    'wrong-size',
    plainly,
  ),
  pngUpload(
    'PNG of the right size until it is rotated',
    plainPng([chunk('eXIf', plainExif(8))]),
    'wrong-size',
    plainly,
  ),
]

const promises = async (): Promise<ReadonlyArray<Upload>> => {
  const jpeg = await plainJpeg()
  return [
    pngUpload('PNG of 30,000 x 30,000', blank(30_000, 30_000), 'wrong-size'),
    pngUpload('PNG that promises 30,000 x 30,000', promise(30_000, 30_000), 'wrong-size'),
    pngUpload('PNG that promises 2,147,483,647 a side', promise(0x7fffffff, 0x7fffffff), 'broken'),
    pngUpload('PNG that promises more than it may', promise(0xffffffff, 0xffffffff), 'broken'),
    pngUpload('PNG one row higher than its pixels', promise(WIDTH, HEIGHT + 1), 'wrong-size', {
      library: 'broken',
    }),
    jpegUpload(
      'JPEG that promises 65,500 x 65,500',
      patched(jpeg, SOF0, 5, 0xff, 0xdc, 0xff, 0xdc),
      'wrong-size',
    ),
    jpegUpload('JPEG that promises 4,096 x 4,096', patched(jpeg, SOF0, 5, 0x10, 0, 0x10, 0), 'wrong-size', {
      library: 'broken',
    }),
  ]
}

const sides: ReadonlyArray<Upload> = [
  pngUpload('PNG of 4,096 x 4,096', blank(4096, 4096), 'wrong-size', plainly),
  pngUpload('PNG of 4,097 x 1', blank(4097, 1), 'wrong-size'),
  pngUpload('PNG of 1 x 4,097', blank(1, 4097), 'wrong-size'),
  pngUpload('PNG of 1 x 4,096', blank(1, 4096), 'wrong-size', plainly),
]

/** A valid file of exactly this number of bytes. */
const weighing = (bytes: number): Buffer => {
  const rest = bytes - plainPng().length - 12
  return plainPng([chunk('teSt', Buffer.alloc(rest))])
}

/** Deflate would not make it smaller, so its pixels are stored. */
const noisy = (): Buffer => {
  const layout = { width: 2000, height: 1923, depth: 8, colour: RGB }
  const pixels = Buffer.alloc(2000 * 1923 * 3, noise(100_003))
  return png(header(layout), chunk('IDAT', deflateSync(filtered(layout, pixels), { level: 0 })), END)
}

const weights: ReadonlyArray<Upload> = [
  pngUpload('PNG of 10 MiB', weighing(LIMIT), 'ok'),
  pngUpload('PNG of 10 MiB and a byte', weighing(LIMIT + 1), 'too-large'),
  pngUpload('PNG of 11 MiB of noise', noisy(), 'too-large'),
  pngUpload('zeros of 11 MiB', Buffer.alloc(11 * 1024 * 1024), 'too-large'),
]

/** Uploads around the limits of size and weight. */
export const sizedUploads = async (): Promise<ReadonlyArray<Upload>> => [
  ...(await nearly()),
  ...(await misleading()),
  ...(await promises()),
  ...sides,
  ...weights,
]
