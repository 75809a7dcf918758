import { FEED_IMAGE } from '@almoner/domain/media'
import { failure } from '@almoner/testkit/contracts'
import t from 'tap'
import { sharpImageChecker } from '../src/index.ts'
import { EOI, flatHead, plainJpeg } from './corpus/jpeg-file.ts'
import { HEIGHT, WIDTH } from './corpus/pixels.ts'
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

/** Rows of blocks of a grey JPEG with a restart marker after each row, and the bytes of one: a block takes two bits. */
const [ROWS, ROW] = [HEIGHT / 8, Math.ceil(WIDTH / 8 / 4)]
const HEAD = flatHead({ width: WIDTH, height: HEIGHT, factors: [0x11], restartAfter: WIDTH / 8 })
/** The decoder notices too late that the last row of blocks lacks data. */
const LATE = 2

/** The coded rows without a part, each with its restart marker, as in a file whose missing part was filled. */
const rowsWithout = (from: number, count: number): Buffer =>
  Buffer.concat(
    Array.from({ length: ROWS }, (_, row) =>
      row >= from && row < from + count
        ? Buffer.alloc(0)
        : Buffer.concat([
            Buffer.alloc(ROW),
            row === ROWS - 1 ? Buffer.alloc(0) : Buffer.from([0xff, 0xd0 + (row % 8)]),
          ]),
    ),
  )

t.test(
  'D7: bytes before the end marker are passed over only if the picture before them is whole',
  async (t) => {
    for (const filling of [0x00, 0x07, 0x55, 0xfe])
      for (const bytes of [1, 22, 500, 5000]) {
        const filled = Buffer.alloc(bytes, filling)
        const closed = (rows: Buffer) => Buffer.concat([HEAD, rows, filled, EOI])
        t.equal(await outcome(closed(rowsWithout(0, 0))), 'none', `${bytes} of ${filling}`)
        for (const [from, count] of [
          [1, 1],
          [3, 5],
          [8, ROWS - 8],
          [ROWS - LATE - 1, LATE + 1],
          [ROWS / 2, ROWS / 2],
        ] as const)
          t.equal(
            await outcome(closed(rowsWithout(from, count))),
            'BrokenImage',
            `${bytes} of ${filling} without ${count} rows from ${from} on`,
          )
      }
  },
)
