import type { Unavailable } from '@almoner/domain'
import {
  type CheckedImage,
  FEED_IMAGE,
  fits,
  type ImageFault,
  type ImageRule,
  LIBRARY_IMAGE,
} from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { sharpImageChecker } from '../src/index.ts'
import { SECRET } from './corpus/exif.ts'
import { FOUR_COLOURS } from './corpus/pixels.ts'
import { buildCorpus, type Expectation, type Upload } from './corpus.ts'
import { cornersOf, decode, furthest, PLAIN_PARTS, partsOf } from './inspect.ts'

const OUTCOMES: Readonly<Record<(ImageFault | Unavailable)['_tag'], Expectation | 'unavailable'>> = {
  ImageTooLarge: 'too-large',
  UnsupportedImage: 'unsupported',
  BrokenImage: 'broken',
  AnimatedImage: 'animated',
  WrongImageSize: 'wrong-size',
  Unavailable: 'unavailable',
  OutcomeUnknown: 'unavailable',
}

const MAGIC = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e470d0a1a0a' } as const

/** The noise of the picture, and what JPEG and a change of colours add to it. */
const TOLERANCE = 12

const checker = sharpImageChecker()
const corpus = await buildCorpus()

/** Lists the flaws of an accepted image. */
const flawsOf = async (
  upload: Upload,
  rule: ImageRule,
  image: CheckedImage,
): Promise<ReadonlyArray<string>> => {
  const bytes = Buffer.from(image.bytes)
  const pixels = await decode(image.bytes)
  const extra = partsOf(image).filter((part) => !PLAIN_PARTS[image.type].has(part))
  const distance = cornersOf(pixels).map((corner, i) => furthest(corner, FOUR_COLOURS[i] ?? []))
  const findings: Readonly<Record<string, boolean>> = {
    'is of another type': image.type !== (upload.bytes[0] === 0xff ? 'image/jpeg' : 'image/png'),
    'is not what it says': !bytes.toString('hex', 0, 8).startsWith(MAGIC[image.type]),
    [`has more than a picture: ${extra}`]: extra.length > 0,
    'tells a secret': bytes.includes(SECRET),
    'is of another size': !fits(rule, pixels.width, pixels.height),
    'shows other colours': upload.fourColours && Math.max(...distance) > TOLERANCE,
  }
  return Object.keys(findings).filter((finding) => findings[finding])
}

const RULES = [
  ['feed', FEED_IMAGE, (upload: Upload) => upload.expectFeed],
  ['library', LIBRARY_IMAGE, (upload: Upload) => upload.expectLibrary],
] as const

for (const [place, rule, expected] of RULES) {
  t.test(`D1: each upload to the ${place} has its expected result`, async (t) => {
    for (const upload of corpus) {
      const result = await checker.check(upload.bytes, rule)()
      t.equal(E.isRight(result) ? 'ok' : OUTCOMES[result.left._tag], expected(upload), upload.name)
      if (E.isRight(result)) t.strictSame(await flawsOf(upload, rule, result.right), [], upload.name)
    }
  })
}

t.test('names of uploads in the corpus are unique', async (t) => {
  t.equal(new Set(corpus.map(({ name }) => name)).size, corpus.length)
})

t.test('D1: the reason for a rejection says what to send instead', async (t) => {
  for (const { name, bytes, expectLibrary } of corpus) {
    if (expectLibrary !== 'unsupported') continue
    const result = await checker.check(bytes, LIBRARY_IMAGE)()
    const reason = E.isLeft(result) && result.left._tag === 'UnsupportedImage' ? result.left.reason : ''
    t.match(reason, /^must /, name)
  }
})
