import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { phoneExif, plainExif, SECRET } from './exif.ts'
import { HEIGHT, noise, pixelsOf, STORED_CORNERS, storedSize, WIDTH } from './pixels.ts'
import {
  COMPRESSED,
  chunk,
  END,
  GREY,
  GREY_ALPHA,
  header,
  PALETTE,
  PLAIN,
  plainPng,
  png,
  pngOf,
  RGB,
  RGB_ALPHA,
} from './png-file.ts'
import { pngUpload, type Upload } from './upload.ts'

const text = (value: string): Buffer => Buffer.from(value, 'latin1')

/** 64 MiB in some sixty kilobytes. */
const BOMB = deflateSync(Buffer.alloc(64 * 1024 * 1024))

const PHP = '<?php system($_GET["c"]); ?>'

/** Every chunk that can carry text or a profile, with a secret in it. */
export const talkativePng = (): Buffer => {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`
  return Buffer.concat([
    plainPng(
      [
        chunk('tEXt', text(`Comment\0${SECRET}`)),
        chunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)),
        chunk('zTXt', Buffer.concat([text(`${SECRET}\0\0`), deflateSync(text(SECRET))])),
        chunk('eXIf', phoneExif(1)),
        chunk('tIME', Buffer.from([7, 0xea, 1, 1, 0, 0, 0])),
        chunk('prVt', text(SECRET)),
      ],
      [chunk('tEXt', text(`After\0${SECRET}`))],
    ),
    text(SECRET),
  ])
}

const turnedPng = (orientation: number, where: 'before' | 'after'): Buffer => {
  const size = storedSize(orientation)
  const pixels = pixelsOf(size.width, size.height, STORED_CORNERS[orientation])
  const exif = [chunk('eXIf', plainExif(orientation))]
  return pngOf({ ...PLAIN, ...size }, pixels, where === 'before' ? exif : [], where === 'after' ? exif : [])
}

/** A photo stored on its side. */
export const lyingPng = (): Buffer => turnedPng(6, 'before')

const turned: ReadonlyArray<Upload> = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => pngUpload(`PNG of orientation ${n}`, turnedPng(n, 'before'), 'ok')),
  pngUpload('PNG whose orientation follows its pixels', turnedPng(8, 'after'), 'ok'),
  pngUpload(
    'PNG with a wrong checksum of a comment',
    plainPng([chunk('tEXt', Buffer.from('a\0b'), 1)]),
    'ok',
  ),
  pngUpload(
    'PNG with a wrong checksum of IEND',
    png(header(PLAIN), chunk('IDAT', COMPRESSED), chunk('IEND', Buffer.alloc(0), 1)),
    'ok',
  ),
  pngUpload('PNG of an orientation that does not exist', plainPng([chunk('eXIf', plainExif(9))]), 'ok'),
]

const bits = (depth: number, colour: number, bytes: number, before: ReadonlyArray<Buffer> = []): Buffer =>
  pngOf({ ...PLAIN, depth, colour }, noise(bytes), before)

const PIXELS = WIDTH * HEIGHT
const other = { fourColours: false }

const layouts = (): ReadonlyArray<Upload> => [
  pngUpload('grey PNG', bits(8, GREY, PIXELS), 'ok', other),
  pngUpload('grey PNG of 1 bit', bits(1, GREY, PIXELS / 8), 'ok', other),
  pngUpload('grey PNG of 16 bits', bits(16, GREY, PIXELS * 2), 'ok', other),
  pngUpload('grey PNG with alpha', bits(8, GREY_ALPHA, PIXELS * 2), 'ok', other),
  pngUpload('PNG of 16 bits', bits(16, RGB, PIXELS * 6), 'ok', other),
  pngUpload('PNG of 16 bits with alpha', bits(16, RGB_ALPHA, PIXELS * 8), 'ok', other),
  pngUpload(
    'PNG with one transparent colour',
    bits(8, RGB, PIXELS * 3, [chunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 3]))]),
    'ok',
    other,
  ),
  pngUpload(
    'palette PNG with transparency',
    bits(8, PALETTE, PIXELS, [chunk('PLTE', noise(768)), chunk('tRNS', noise(200))]),
    'ok',
    other,
  ),
]

const profiled = (profile: Uint8Array): Buffer =>
  plainPng([chunk('iCCP', Buffer.concat([text('profile\0\0'), profile]))])

const claimed = (): Buffer => {
  const profile = Buffer.alloc(32 * 1024 * 1024)
  profile.writeUInt32BE(profile.length, 0)
  profile.write('acsp', 36, 'latin1')
  return deflateSync(profile)
}

const passengers = (): ReadonlyArray<Upload> => [
  pngUpload('PNG that tells everything', talkativePng(), 'ok'),
  pngUpload('PNG with PHP in a comment', plainPng([chunk('tEXt', text(`Comment\0${PHP}`))]), 'ok'),
  pngUpload('PNG with PHP appended', Buffer.concat([plainPng(), text(PHP)]), 'ok'),
  pngUpload('PNG with a ZIP appended', Buffer.concat([plainPng(), text('PK\x03\x04'), noise(2000)]), 'ok'),
  pngUpload('PNG with a second PNG appended', Buffer.concat([plainPng(), plainPng()]), 'ok'),
  pngUpload('PNG sent as SVG', plainPng(), 'ok', { declaredType: 'image/svg+xml', fileName: '../../x.svg' }),
  pngUpload('PNG with a bomb in zTXt', plainPng([chunk('zTXt', Buffer.concat([text('a\0\0'), BOMB]))]), 'ok'),
  pngUpload(
    'PNG with a bomb in iTXt',
    plainPng([chunk('iTXt', Buffer.concat([text('a\0\x01\0\0\0'), BOMB]))]),
    'ok',
  ),
  pngUpload('PNG with a bomb as profile', profiled(BOMB), 'ok'),
  pngUpload('PNG with a profile of 32 MiB', profiled(claimed()), 'ok'),
  pngUpload('PNG with a profile that is none', profiled(deflateSync(noise(500))), 'ok'),
  pngUpload(
    'PNG whose pixels inflate to a hundred times its size',
    png(header(PLAIN), chunk('IDAT', BOMB), END),
    'ok',
    other,
  ),
  pngUpload('PNG in many IDAT chunks', png(header(PLAIN), ...slices(COMPRESSED, 100), END), 'ok'),
  pngUpload(
    'PNG with bytes after its pixels inside IDAT',
    png(header(PLAIN), chunk('IDAT', Buffer.concat([COMPRESSED, BOMB])), END),
    'ok',
  ),
]

/** Pixels whose compressed stream states something wrong that browsers pass over. */
const misstated = (): ReadonlyArray<Upload> => {
  const withData = (data: Uint8Array) => png(header(PLAIN), chunk('IDAT', data), END)
  const wrongSum = Buffer.from(COMPRESSED)
  wrongSum[wrongSum.length - 1] = (wrongSum.at(-1) ?? 0) ^ 1
  // A window of 512 bytes, which rows of 1,201 bytes do not fit into.
  const smallWindow = Buffer.concat([Buffer.from([0x18, 0x19]), COMPRESSED.subarray(2)])
  return [
    pngUpload('PNG with a wrong checksum of its inflated pixels', withData(wrongSum), 'ok'),
    pngUpload('PNG that states too small a window', withData(smallWindow), 'ok'),
    pngUpload(
      'PNG of both in many IDAT chunks',
      png(
        header(PLAIN),
        chunk('eXIf', plainExif(1)),
        ...slices(Buffer.concat([smallWindow.subarray(0, -1), Buffer.from([7])]), 5000),
        END,
      ),
      'ok',
    ),
  ]
}

const slices = (bytes: Buffer, size: number): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    chunk('IDAT', bytes.subarray(n * size, (n + 1) * size)),
  )

/** PNGs that are to be taken. */
export const soundPngs = async (): Promise<ReadonlyArray<Upload>> => {
  const image = sharp(pixelsOf(WIDTH, HEIGHT), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  return [
    pngUpload('PNG', plainPng(), 'ok'),
    pngUpload('interlaced PNG', await image.clone().png({ progressive: true }).toBuffer(), 'ok'),
    pngUpload('PNG in Display P3', await image.clone().withIccProfile('p3').png().toBuffer(), 'ok'),
    ...turned,
    ...layouts(),
    ...passengers(),
    ...misstated(),
  ]
}
