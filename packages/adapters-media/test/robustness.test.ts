import { LIBRARY_IMAGE } from '@almoner/domain/media'
import { failure } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'
import { sharpImageChecker } from '../src/index.ts'
import { plainJpeg, SOI } from './corpus/jpeg-file.ts'
import { talkativeJpeg } from './corpus/jpeg-sound.ts'
import { PNG_MAGIC } from './corpus/png-file.ts'
import { talkativePng } from './corpus/png-sound.ts'

const checker = sharpImageChecker()

/** Bytes that mutations leave unchanged, so that files are still recognized. */
const SIGNATURE = 8

const OUTCOMES = ['none', 'UnsupportedImage', 'BrokenImage', 'AnimatedImage', 'WrongImageSize']

/** The possible results for any bytes; never an exception or an error of the service. */
const answers = async (bytes: Uint8Array): Promise<boolean> =>
  OUTCOMES.includes(await failure(checker.check(bytes, LIBRARY_IMAGE)))

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.uint8Array({ maxLength: 8 }),
})

const SAMPLES = [
  ['PNG', talkativePng()],
  ['JPEG', await talkativeJpeg()],
  ['progressive JPEG', await plainJpeg({ progressive: true })],
] as const

for (const [kind, sample] of SAMPLES) {
  t.test(`D1: a damaged ${kind} gets the response of any other upload`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.boolean(), async (edits, early) => {
        const copy = Buffer.from(sample)
        // Most of what can go wrong lies in the first bytes: headers and tables.
        const reach = (early ? 1200 : copy.length) - SIGNATURE - 8
        for (const { at, bytes } of edits) copy.set(bytes, SIGNATURE + (at % reach))
        return answers(copy)
      }),
      { numRuns: 60 },
    )
  })
}

t.test('D1: noise after a signature gets the response of any other upload', async () => {
  const signature = fc.constantFrom(PNG_MAGIC, Buffer.concat([SOI, Buffer.from([0xff])]))
  await fc.assert(
    fc.asyncProperty(signature, fc.uint8Array({ maxLength: 300 }), (magic, rest) =>
      answers(Buffer.concat([magic, rest])),
    ),
    { numRuns: 300 },
  )
})
