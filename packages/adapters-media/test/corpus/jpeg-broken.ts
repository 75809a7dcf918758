import {
  EOI,
  type Flat,
  flatData,
  flatHead,
  markerAt,
  patched,
  plainJpeg,
  restartedData,
  SOI,
  segment,
  withoutAll,
  withSegments,
} from './jpeg-file.ts'
import { HEIGHT, noise, WIDTH } from './pixels.ts'
import { jpegUpload, type Upload } from './upload.ts'

const SOF0 = 0xc0
const SOS = 0xda

const broken = (name: string, bytes: Uint8Array): Upload => jpegUpload(name, bytes, 'broken')

const cut = (kind: string, jpeg: Buffer): ReadonlyArray<Upload> => {
  const closed = (bytes: Buffer): Buffer => Buffer.concat([bytes, EOI])
  return [
    broken(`${kind} cut inside its tables`, jpeg.subarray(0, 100)),
    broken(`${kind} cut in the middle`, jpeg.subarray(0, jpeg.length / 2)),
    broken(`${kind} without its last kilobyte`, jpeg.subarray(0, -1024)),
    broken(`${kind} without its end marker`, jpeg.subarray(0, -2)),
    broken(`${kind} without its last byte`, jpeg.subarray(0, -1)),
    broken(`${kind} cut in the middle, then closed`, closed(jpeg.subarray(0, jpeg.length / 2))),
  ]
}

const inconsistent = (jpeg: Buffer): ReadonlyArray<Upload> => [
  broken('only the first bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff])),
  broken('JPEG of a beginning and an end', Buffer.concat([SOI, EOI])),
  broken('JPEG without a frame', withoutAll(jpeg, SOF0)),
  broken('JPEG without quantisation', withoutAll(jpeg, 0xdb)),
  broken('JPEG without a scan', Buffer.concat([jpeg.subarray(0, markerAt(jpeg, SOS)), EOI])),
  broken(
    'JPEG with two frames',
    withSegments(jpeg, jpeg.subarray(markerAt(jpeg, SOF0), markerAt(jpeg, SOF0) + 19)),
  ),
  broken('JPEG that begins twice', Buffer.concat([SOI, jpeg])),
  broken('JPEG 0 wide', patched(jpeg, SOF0, 7, 0, 0)),
  broken('JPEG 0 high', patched(jpeg, SOF0, 5, 0, 0)),
  broken(
    'JPEG with a segment longer than the file',
    Buffer.concat([jpeg.subarray(0, 20), Buffer.from([0xff, 0xe5, 0xff, 0xff])]),
  ),
  broken('JPEG whose Huffman tables are noise', patched(jpeg, 0xc4, 5, ...noise(16))),
]

const GREY: Flat = { width: WIDTH, height: HEIGHT, factors: [0x11], restartAfter: 0 }
const BLOCKS = (WIDTH / 8) * (HEIGHT / 8)

/** A progressive picture that comes to its point in very many passes. */
const manyScans = (scans: number): Buffer => {
  const pass = (n: number): Buffer =>
    Buffer.concat([
      segment(SOS, Buffer.from([1, 1, 0, 1 + (n % 63), 1 + (n % 63), 0])),
      Buffer.alloc(BLOCKS / 8),
    ])
  const head = flatHead(GREY, 0xc2)
  head[head.length - 2] = 0
  return Buffer.concat([head, flatData(BLOCKS / 2), ...Array.from({ length: scans }, (_, n) => pass(n)), EOI])
}

/** Pictures whose scan holds too much or too little. */
const miscounted = (): ReadonlyArray<Upload> => {
  const restarted = { ...GREY, restartAfter: 4 }
  const closed = (head: Flat, ...data: ReadonlyArray<Buffer>) => Buffer.concat([flatHead(head), ...data, EOI])
  const marked = restartedData(BLOCKS / 4)
  return [
    broken('JPEG short of half its blocks', closed(GREY, flatData(BLOCKS / 2))),
    broken(
      'JPEG short of a restart marker',
      closed(restarted, marked.subarray(0, 901), marked.subarray(903)),
    ),
  ]
}

/** Baseline, a scan for each colour, the last two lost. */
const oneColour = (): Buffer => {
  const head = flatHead({ ...GREY, factors: [0x11, 0x11, 0x11] })
  const scan = segment(SOS, Buffer.from([1, 1, 0, 0, 63, 0]))
  return Buffer.concat([head.subarray(0, markerAt(head, SOS)), scan, flatData(BLOCKS), EOI])
}

const rare = (jpeg: Buffer): ReadonlyArray<Upload> => [
  broken('JPEG of two components', patched(jpeg, SOF0, 9, 2)),
  broken('JPEG of 12 bits', patched(jpeg, SOF0, 4, 12)),
  broken('lossless JPEG', patched(jpeg, SOF0, 1, 0xc3)),
]

/** Flaws that the decoder tolerates; the resulting image is valid, with arbitrary content. */
const harmless = (jpeg: Buffer): ReadonlyArray<Upload> =>
  (
    [
      ['JPEG with a segment shorter than its length', withSegments(jpeg, Buffer.from([0xff, 0xe5, 0, 1]))],
      [
        'JPEG of two million empty segments',
        withSegments(jpeg, Buffer.alloc(8_000_000, Buffer.from([0xff, 0xfe, 0, 2]))),
      ],
      ['JPEG of three colours with a scan of one', oneColour()],
      ['arithmetic JPEG', patched(jpeg, SOF0, 1, 0xc9)],
    ] as const
  ).map(([name, bytes]) => jpegUpload(name, bytes, 'ok', { fourColours: false }))

/** JPEGs that must be rejected at any size, and some that are damaged and accepted. */
export const refusedJpegs = async (): Promise<ReadonlyArray<Upload>> => {
  const jpeg = await plainJpeg()
  const progressive = await plainJpeg({ progressive: true })
  return [
    ...cut('JPEG', jpeg),
    ...cut('progressive JPEG', progressive),
    ...inconsistent(jpeg),
    ...harmless(jpeg),
    ...miscounted(),
    broken('progressive JPEG of a thousand scans', manyScans(1000)),
    ...rare(jpeg),
  ]
}
