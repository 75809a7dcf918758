import { type CheckedImage, FEED_IMAGE, type ImageRule, LIBRARY_IMAGE } from '@almoner/domain/media'
import { done } from '@almoner/testkit/contracts'
import sharp from 'sharp'
import t from 'tap'
import { sharpImageChecker } from '../src/index.ts'
import { exifPayload, phoneExif } from './corpus/exif.ts'
import { plainJpeg, segment, withSegments } from './corpus/jpeg-file.ts'
import { HEIGHT, noise, pixelsOf, WIDTH } from './corpus/pixels.ts'
import { chunk, PALETTE, PLAIN, plainPng, pngOf, RGB_ALPHA } from './corpus/png-file.ts'
import { cornersOf, decode, furthest } from './inspect.ts'

const checked = (bytes: Uint8Array, rule: ImageRule = FEED_IMAGE): Promise<CheckedImage> =>
  done(sharpImageChecker().check(bytes, rule))

t.test('D1: a PNG keeps its exact pixels', async (t) => {
  const image = await decode((await checked(plainPng())).bytes)
  t.ok(image.data.equals(pixelsOf(WIDTH, HEIGHT)))
})

t.test('D1: a PNG keeps its exact transparency', async (t) => {
  const pixels = noise(WIDTH * HEIGHT * 4)
  const image = await decode((await checked(pngOf({ ...PLAIN, colour: RGB_ALPHA }, pixels))).bytes)
  t.equal(image.channels, 4)
  t.ok(image.data.equals(pixels))
})

t.test('D1: a palette is converted to its colours and transparency', async (t) => {
  const palette = noise(768, 3)
  const opacity = noise(256, 4)
  const pixels = noise(WIDTH * HEIGHT, 5)
  const chunks = [chunk('PLTE', palette), chunk('tRNS', opacity)]
  const image = await decode((await checked(pngOf({ ...PLAIN, colour: PALETTE }, pixels, chunks))).bytes)
  const expected = Buffer.alloc(pixels.length * 4)
  for (const [i, entry] of pixels.entries())
    expected.set([...palette.subarray(entry * 3, entry * 3 + 3), opacity[entry] ?? 0], i * 4)
  t.ok(image.data.equals(expected))
})

t.test('D1: 16 bits per channel are converted to 8', async (t) => {
  const pixels = noise(WIDTH * HEIGHT * 8)
  const image = await checked(pngOf({ ...PLAIN, depth: 16, colour: RGB_ALPHA }, pixels))
  t.match(await sharp(image.bytes).metadata(), { depth: 'uchar', channels: 4, bitsPerSample: 8 })
})

t.test('D1: a JPEG stays close to the original', async (t) => {
  const jpeg = await plainJpeg()
  const [before, after] = [await decode(jpeg), await decode((await checked(jpeg)).bytes)]
  t.ok(furthest(before.data, after.data) <= 16)
})

t.test('D1: colours of a profile are converted to sRGB before the profile is removed', async (t) => {
  const wide = await sharp(pixelsOf(WIDTH, HEIGHT), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const [red = []] = cornersOf(await decode(wide))
  const [shown = []] = cornersOf(await decode((await checked(wide)).bytes))
  const [meant = []] = cornersOf(await decode(plainPng()))
  t.ok(furthest(red, meant) > 10, 'the levels in the file are those of its profile')
  t.ok(furthest(shown, meant) <= 3, 'the resulting levels are sRGB')
})

t.test('D1: only image data reaches the decoder, so that unusual EXIF has no effect', async (t) => {
  const jpeg = withSegments(
    await plainJpeg(),
    segment(0xe1, exifPayload(phoneExif(1))),
    segment(0xe1, exifPayload(phoneExif(6))),
  )
  t.match(await decode((await checked(jpeg)).bytes), { width: WIDTH, height: HEIGHT }, 'the first one counts')
})

t.test('D1: checking an accepted image again does not change its size', async (t) => {
  const once = await checked(await plainJpeg(), LIBRARY_IMAGE)
  const twice = await checked(once.bytes, LIBRARY_IMAGE)
  t.ok(Math.abs(twice.bytes.length - once.bytes.length) < once.bytes.length / 20)
})
