import { FEED_IMAGE } from '@almoner/domain/library'
import t from 'tap'
import { failure } from '../../domain/contracts/samples.ts'
import { sharpImageChecker } from '../src/index.ts'
import { plainJpeg } from './corpus/jpeg-file.ts'
import { COMPRESSED, chunk, END, header, PLAIN, plainPng, png } from './corpus/png-file.ts'

const checker = sharpImageChecker()
const outcome = (bytes: Uint8Array): Promise<string> => failure(checker.check(bytes, FEED_IMAGE))

/** The last bytes: the end of a PNG, the checksums of its pixels, and a few of their bytes. */
const LAST = 28
const STRIDES = 30

/** Each of the last bytes, then strides, so that every region of a file is cut. */
const cutsOf = (length: number): ReadonlyArray<number> => [
  ...Array.from({ length: LAST }, (_, n) => n + 1),
  ...Array.from({ length: STRIDES }, (_, n) => LAST + 1 + Math.floor((n * (length - LAST - 1)) / STRIDES)),
]

/** The cuts that were let through. */
const survivors = async (
  length: number,
  cut: (lost: number) => Uint8Array,
): Promise<ReadonlyArray<number>> => {
  const through: Array<number> = []
  for (const lost of cutsOf(length)) if ((await outcome(cut(lost))) !== 'BrokenImage') through.push(lost)
  return through
}

const KINDS = [
  ['baseline', {}],
  ['baseline of halved colour', { chromaSubsampling: '4:2:0' }],
  ['progressive', { progressive: true }],
] as const

for (const [kind, options] of KINDS) {
  t.test(`D1: a ${kind} JPEG must decode completely`, async (t) => {
    const jpeg = await plainJpeg(options)
    t.equal(await outcome(jpeg), 'none')
    const lost = (bytes: number) => jpeg.subarray(0, -bytes)
    t.strictSame(await survivors(jpeg.length, lost), [], 'truncated')
  })
}

t.test('D1: a PNG must decode completely', async (t) => {
  const whole = plainPng()
  t.equal(await outcome(whole), 'none')
  const closed = (bytes: number) => png(header(PLAIN), chunk('IDAT', COMPRESSED.subarray(0, -bytes)), END)
  t.strictSame(await survivors(whole.length, (bytes) => whole.subarray(0, -bytes)), [], 'truncated')
  t.strictSame(await survivors(COMPRESSED.length, closed), [], 'truncated, then closed as if complete')
})

t.test('D1: a PNG with any changed byte in its header or pixels is rejected', async (t) => {
  const whole = plainPng()
  const changed = async (at: number): Promise<string> => {
    const copy = Buffer.from(whole)
    copy[at] = (copy[at] ?? 0) ^ 1
    return outcome(copy)
  }
  for (const lost of cutsOf(whole.length).filter((bytes) => bytes > END.length))
    t.not(await changed(whole.length - lost), 'none', `${lost} bytes before the end`)
})
