import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { exifPayload, plainExif } from '../../../packages/adapters-media/test/corpus/exif.ts'
import {
  beforeEnd,
  EOI,
  flatData,
  flatHead,
  markerAt,
  patched,
  restartedData,
  segment,
  withoutAll,
  withSegments,
} from '../../../packages/adapters-media/test/corpus/jpeg-file.ts'
import {
  HEIGHT,
  noise,
  STORED_CORNERS,
  storedSize,
  WIDTH,
} from '../../../packages/adapters-media/test/corpus/pixels.ts'
import {
  chunk,
  END,
  filtered,
  GREY,
  header,
  type Layout,
  PLAIN,
  png,
  pngOf,
  RGB,
  RGB_ALPHA,
} from '../../../packages/adapters-media/test/corpus/png-file.ts'
import {
  exif,
  film,
  imageOf,
  jpeg,
  multiPicture,
  pixelsOf,
  samsungTrailer,
  text,
  turnedJpeg,
  xmp,
} from './image-parts.ts'
import { CORPUS_IMAGES, CUTS, cutName, IMAGE_FOLDER, WHOLE } from './images.ts'

// Writes the images of the corpus: node testing/corpus/test/write-images.ts

type Files = Readonly<Record<string, Uint8Array>>

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2)

const baseline = await jpeg()
const progressive = await jpeg({ progressive: true })
const small = await imageOf(100, 140).jpeg({ quality: 60 }).toBuffer()

const turned = async (): Promise<Files> =>
  Object.fromEntries(
    await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(
        async (n) => [`jpeg-exif-orientation-${n}.jpg`, await turnedJpeg(n)] as const,
      ),
    ),
  )

const GREY_FLAT = { width: WIDTH, height: HEIGHT, factors: [0x11], restartAfter: 0 }
const restarts = Buffer.concat([
  flatHead({ ...GREY_FLAT, restartAfter: 4 }),
  restartedData(((WIDTH / 8) * (HEIGHT / 8)) / 4),
  EOI,
])

const segmentOf = (marker: number): Buffer => {
  const at = markerAt(baseline, marker)
  return baseline.subarray(at, at + 2 + baseline.readUInt16BE(at + 2))
}

const adobe = (transform: number): Buffer =>
  segment(0xee, Buffer.concat([text('Adobe\0\x64\0\0\0\0'), Buffer.from([transform])]))

const jfif = (major: number, minor: number): Buffer =>
  segment(0xe0, Buffer.concat([text('JFIF\0'), Buffer.from([major, minor, 0, 0, 1, 0, 1, 0, 0])]))

const profileOf = (file: Buffer): Buffer => {
  const at = markerAt(file, 0xe2)
  return file.subarray(at, at + 2 + file.readUInt16BE(at + 2))
}

const soundJpegs = async (): Promise<Files> => {
  const cmyk = await imageOf().toColourspace('cmyk').jpeg({ quality: 85 }).toBuffer()
  const wide = await imageOf().withIccProfile('p3').jpeg({ quality: 85 }).toBuffer()
  const motion = xmp(
    'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" GCamera:MicroVideoOffset="800"',
  )
  const gain = withSegments(
    small,
    xmp('xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="2"'),
  )
  return {
    'jpeg-baseline.jpg': baseline,
    'jpeg-progressive.jpg': progressive,
    'jpeg-444.jpg': await jpeg({ chromaSubsampling: '4:4:4' }),
    'jpeg-grey.jpg': await imageOf().greyscale().jpeg({ quality: 85 }).toBuffer(),
    'jpeg-restarts.jpg': restarts,
    'jpeg-cmyk.jpg': cmyk,
    'jpeg-ycck.jpg': patched(cmyk, 0xee, 15, 2),
    'jpeg-display-p3.jpg': wide,
    'jpeg-icc-broken.jpg': withSegments(
      baseline,
      segment(0xe2, Buffer.concat([text('ICC_PROFILE\0\x01\x01'), noise(500)])),
    ),
    'jpeg-icc-twice.jpg': withSegments(wide, profileOf(wide)),
    'jpeg-samsung-trailer.jpg': Buffer.concat([
      withSegments(baseline, exif(1)),
      samsungTrailer({ Image_UTC_Data: text('1700000000000'), MCC_Data: text('208') }),
    ]),
    'jpeg-samsung-motion.jpg': Buffer.concat([
      baseline,
      samsungTrailer({ MotionPhoto_Data: film(), Image_UTC_Data: text('1700000000000') }),
    ]),
    'jpeg-pixel-motion.jpg': Buffer.concat([withSegments(baseline, exif(1), motion), film()]),
    'jpeg-mpf-gain-map.jpg': multiPicture(withSegments(baseline, exif(1)), gain),
    'jpeg-mpf-three.jpg': Buffer.concat([
      multiPicture(baseline, gain, small),
      samsungTrailer({ Camera_Capture_Mode_Info: text('1') }),
    ]),
    'jpeg-mpf-cut-second.jpg': multiPicture(baseline, half(gain)),
    'jpeg-zeros-after.jpg': Buffer.concat([baseline, Buffer.alloc(4096 - (baseline.length % 4096))]),
    'jpeg-unknown-markers.jpg': withSegments(
      baseline,
      ...[0xe3, 0xe4, 0xe7, 0xea, 0xeb, 0xef].map((marker) =>
        segment(marker, text(`unknown ${marker}\xff\xd9\xff\xda`)),
      ),
    ),
    'jpeg-repeated-markers.jpg': withSegments(
      baseline,
      jfif(1, 1),
      jfif(1, 2),
      ...[0xdb, 0xc4].map(segmentOf),
      exif(1),
      exif(6),
      segment(0xfe, text('a')),
      segment(0xfe, text('b')),
    ),
    'jpeg-jfif-of-the-future.jpg': withSegments(baseline, jfif(7, 7)),
    'jpeg-noise-between-segments.jpg': withSegments(baseline, exif(1), Buffer.alloc(18, 7)),
    'jpeg-filled-end.jpg': beforeEnd(baseline, Buffer.alloc(22)),
    'jpeg-progressive-filled-end.jpg': beforeEnd(progressive, Buffer.alloc(22)),
    'jpeg-progressive-parameters.jpg': patched(baseline, 0xda, 4 + 1 + 2 * 3, 0, 0, 0),
    'jpeg-adobe-unknown.jpg': withSegments(withoutAll(baseline, 0xe0), adobe(9)),
    'jpeg-exif-broken.jpg': withSegments(baseline, segment(0xe1, exifPayload(noise(400)))),
  }
}

const refusedJpegs = async (): Promise<Files> => ({
  'jpeg-cut-then-closed.jpg': Buffer.concat([half(baseline), EOI]),
  'jpeg-progressive-cut-then-closed.jpg': Buffer.concat([half(progressive), EOI]),
  'jpeg-restarts-then-zeros.jpg': Buffer.concat([half(restarts), Buffer.alloc(5000), EOI]),
  'jpeg-cut-then-another.jpg': Buffer.concat([half(baseline), baseline]),
  'jpeg-no-tables.jpg': withoutAll(baseline, 0xdb),
  'jpeg-lossless.jpg': patched(baseline, 0xc0, 1, 0xc3),
  'jpeg-5000-wide.jpg': await imageOf(5000, 40).jpeg({ quality: 40 }).toBuffer(),
  'jpeg-40-megapixels.jpg': Buffer.concat([
    flatHead({ ...GREY_FLAT, width: 8000, height: 5001 }),
    flatData((WIDTH / 8) * (HEIGHT / 8)),
    EOI,
  ]),
})

const RAW = filtered(PLAIN, pixelsOf(WIDTH, HEIGHT))
const PIXELS = deflateSync(RAW, { level: 9 })

const pngOfStream = (stream: Uint8Array): Buffer => png(header(PLAIN), chunk('IDAT', stream), END)

/** A PNG with chunks around its pixels. */
const pngWith = (before: ReadonlyArray<Uint8Array> = [], after: ReadonlyArray<Uint8Array> = []): Buffer =>
  png(header(PLAIN), ...before, chunk('IDAT', PIXELS), ...after, END)

const turnedPng = (orientation: number): Buffer => {
  const size = storedSize(orientation)
  const pixels = pixelsOf(size.width, size.height, STORED_CORNERS[orientation])
  return pngOf({ ...PLAIN, ...size }, pixels, [chunk('eXIf', plainExif(orientation))])
}

/** The picture in 16 bits: each level twice, and full opacity where there is a fourth channel. */
const deep = (colour: number, channels: number): Buffer => {
  const plain = pixelsOf(WIDTH, HEIGHT)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * channels * 2, 255)
  for (let at = 0; at < WIDTH * HEIGHT; at++)
    for (let channel = 0; channel < Math.min(3, channels); channel++)
      pixels.fill(
        plain[at * 3 + channel] ?? 0,
        (at * channels + channel) * 2,
        (at * channels + channel) * 2 + 2,
      )
  return pngOf({ ...PLAIN, depth: 16, colour }, pixels)
}

const blank = (layout: Partial<Layout>): Buffer =>
  pngOf({ width: 8000, height: 5001, depth: 1, colour: GREY, ...layout }, Buffer.alloc(0))

const uint32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}

/** The control of a frame that covers all of the picture and lasts a tenth of a second. */
const frame = (sequence: number): Buffer =>
  chunk('fcTL', Buffer.concat([uint32(sequence, WIDTH, HEIGHT, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]))

const animation = (frames: number): Buffer => chunk('acTL', uint32(frames, 0))

const pngs = async (): Promise<Files> => {
  const wide = await imageOf().withIccProfile('p3').png().toBuffer()
  const profile = deflateSync(noise(300))
  return {
    'png-rgb.png': pngWith(),
    'png-interlaced.png': await imageOf().png({ progressive: true }).toBuffer(),
    'png-palette.png': await imageOf().png({ palette: true, colours: 64 }).toBuffer(),
    'png-alpha.png': await imageOf().ensureAlpha(1).png().toBuffer(),
    'png-16-bit.png': deep(RGB, 3),
    'png-16-bit-alpha.png': deep(RGB_ALPHA, 4),
    'png-grey-16-bit.png': deep(GREY, 1),
    'png-display-p3.png': wide,
    'png-exif-orientation-6.png': turnedPng(6),
    'png-bad-checksum-text.png': pngWith([chunk('tEXt', text('Comment\0hello'), 1)]),
    'png-bad-checksum-exif.png': pngWith([chunk('eXIf', plainExif(6), 1)]),
    'png-bad-checksum-profile.png': pngWith([
      chunk('iCCP', Buffer.concat([text('profile\0\0'), profile]), 1),
    ]),
    'png-data-after.png': Buffer.concat([pngWith(), text('PK\x03\x04'), noise(300)]),
    'png-second-after.png': Buffer.concat([
      pngWith(),
      await imageOf(100, 140).png({ palette: true }).toBuffer(),
    ]),
    'png-unknown-chunks.png': pngWith(
      [
        chunk('iDOT', noise(28)),
        chunk('prVW', noise(200)),
        chunk('gAMA', uint32(45455)),
        chunk('gAMA', uint32(45455)),
        chunk('sBIT', Buffer.from([9, 9, 9])),
        chunk('tIME', Buffer.alloc(7, 255)),
      ],
      [chunk('tEXt', text('After\0pixels'))],
    ),
    'png-wrong-adler.png': pngOfStream(Buffer.concat([PIXELS.subarray(0, -1), Buffer.from([7])])),
    'png-small-window.png': pngOfStream(Buffer.concat([Buffer.from([0x18, 0x19]), PIXELS.subarray(2)])),
    'png-one-frame.png': pngWith([animation(1), frame(0)]),
    'png-animated.png': pngWith(
      [animation(2), frame(0)],
      [frame(1), chunk('fdAT', Buffer.concat([uint32(2), PIXELS]))],
    ),
    'png-cut-then-closed.png': pngOfStream(half(PIXELS)),
    'png-bad-checksum-pixels.png': png(header(PLAIN), chunk('IDAT', PIXELS, 1), END),
    'png-unknown-critical.png': pngWith([chunk('ABCD', text('x'))]),
    'png-40-megapixels.png': blank({}),
    'png-5000-high.png': blank({ width: 10, height: 5000 }),
    'png-small.png': await imageOf(40, 30).png().toBuffer(),
  }
}

const NAMESPACE = 'http://www.w3.org/2000/svg'
const drawing = (attributes: string, inside = '<rect width="100" height="100" fill="#1F4E79"/>'): string =>
  `<svg ${attributes} width="100" height="100">\n${inside}\n</svg>\n`
const SVG = drawing(`xmlns="${NAMESPACE}"`)

/** The head of an ISO media file with its brands, the main one first. */
const branded = (...brands: ReadonlyArray<string>): Buffer =>
  Buffer.concat([
    uint32(16 + brands.length * 4),
    text(`ftyp${brands[0]}\0\0\0\0${brands.join('')}`),
    uint32(8),
    text('free'),
  ])

const PDF = text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

const foreign = async (): Promise<Files> => {
  const image = imageOf()
  const webp = await image.clone().webp({ quality: 50 }).toBuffer()
  const avif = await image.clone().avif({ quality: 30, effort: 1 }).toBuffer()
  const gif = await image.clone().gif().toBuffer()
  const heic = Buffer.concat([branded('heic', 'mif1', 'heic'), noise(400)])
  const svg = (value: string): Buffer => Buffer.from(value)
  return {
    'heic-iphone.heic': heic,
    'heic-named-jpg.jpg': heic,
    'heif-generic.heif': Buffer.concat([branded('mif1', 'mif1', 'miaf', 'heic'), noise(400)]),
    'webp.webp': webp,
    'webp-named-png.png': webp,
    'avif.avif': avif,
    'avif-named-jpg.jpg': avif,
    'gif.gif': gif,
    'gif-named-png.png': gif,
    'tiff.tif': await imageOf(40, 56).tiff({ compression: 'deflate' }).toBuffer(),
    'bmp.bmp': Buffer.concat([
      Buffer.from('424d460000000000000036000000280000000200000002000000010018000000000010000000', 'hex'),
      Buffer.alloc(32, 0x7f),
    ]),
    'pdf.pdf': PDF,
    'pdf-named-jpg.jpg': PDF,
    'mov-live-photo.mov': Buffer.concat([branded('qt  ', 'qt  '), noise(200)]),
    'mp4.mp4': film(),
    'svg.svg': svg(SVG),
    'svg-named-png.png': svg(SVG),
    'svg-prologue.svg': svg(
      `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- <svg> by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${SVG}`,
    ),
    'svg-entity.svg': svg(`<!DOCTYPE svg [<!ENTITY ns_svg "${NAMESPACE}">]>\n${drawing('xmlns="&ns_svg;"')}`),
    'svg-no-xmlns.svg': svg(drawing('viewBox="0 0 100 100"')),
    'svg-wrong-xmlns.svg': svg(drawing(`xmlns="${NAMESPACE.replace('http', 'https')}"`)),
    'svg-no-xlink.svg': svg(drawing(`xmlns="${NAMESPACE}"`, '<use xlink:href="#a"/>')),
    'svg-cut.svg': svg(SVG.slice(0, SVG.length / 2)),
  }
}

const ENDS: Readonly<Record<string, number>> = { 'png-rgb.png': 12 }

const cut = (name: string, bytes: Uint8Array, place: (typeof CUTS)[number]): Uint8Array => {
  if (place === 'byte') return bytes.subarray(0, -1)
  return place === 'end'
    ? bytes.subarray(0, -(ENDS[name] ?? 2))
    : bytes.subarray(0, Math.floor((bytes.length * place) / 100))
}

const whole: Files = { ...(await soundJpegs()), ...(await pngs()) }

const cuts: Files = Object.fromEntries(
  Object.keys(WHOLE).flatMap((name) =>
    CUTS.map((place) => [cutName(name, place), cut(name, whole[name] ?? new Uint8Array(), place)] as const),
  ),
)

const files: Files = {
  ...whole,
  ...cuts,
  ...(await turned()),
  ...(await refusedJpegs()),
  ...(await foreign()),
}

const [made, listed] = [Object.keys(files).sort(), Object.keys(CORPUS_IMAGES).sort()]
if (made.join() !== listed.join()) {
  const strange = [
    ...made.filter((name) => !listed.includes(name)),
    ...listed.filter((name) => !made.includes(name)),
  ]
  throw new Error(`images.ts and write-images.ts differ in: ${strange.join(', ')}`)
}
mkdirSync(IMAGE_FOLDER, { recursive: true })
for (const name of readdirSync(IMAGE_FOLDER)) rmSync(join(IMAGE_FOLDER, name))
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(IMAGE_FOLDER, name), bytes)
