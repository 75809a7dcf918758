import type { MediaName } from '@almoner/domain/media'
import type {
  BytePart,
  Clock,
  ImageFile,
  ImageFiles,
  MediaStore,
  PortfolioImages,
} from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { samplePortfolioImage } from './portfolio-images.ts'
import { type ContractRunner, onEach } from './runner.ts'
import { done } from './samples.ts'

/** A reader of images for one test, and the stores that it reads. */
export interface ImageFilesUnderTest {
  readonly files: ImageFiles
  readonly mediaStore: MediaStore
  readonly portfolioImages: PortfolioImages
  /** The clock by which the stores date files. */
  readonly clock: Clock
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

const UPLOAD: ImageFile = { kind: 'upload', name: 'sample_media-00000001.png' as MediaName }
const FILES: ReadonlyArray<ImageFile> = [
  UPLOAD,
  samplePortfolioImage(1, 'logo'),
  samplePortfolioImage(1, 'visual'),
  samplePortfolioImage(3, 'logo'),
]

/** Bytes that every text encoding would change, too many for one chunk. */
const SAMPLE = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7 + (i >> 8)) % 256)

/** Contract tests of readers of images (D2, H1). */
export const imageFilesContract = (
  runner: ContractRunner,
  make: () => Promise<ImageFilesUnderTest>,
): void => {
  const given = onEach(runner, make)
  const put = ({ mediaStore, portfolioImages }: ImageFilesUnderTest, file: ImageFile) =>
    done(
      file.kind === 'upload'
        ? mediaStore.put(file.name, { type: 'image/png', bytes: SAMPLE })
        : portfolioImages.put(file, SAMPLE),
    )
  const read = async ({ files }: ImageFilesUnderTest, file: ImageFile, part?: BytePart) => {
    const opened = await done(files.open(file, part))
    if (O.isNone(opened)) return undefined
    const pieces: Array<Uint8Array> = []
    for await (const piece of opened.value.bytes) pieces.push(piece)
    const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return { size: opened.value.size, bytes }
  }
  const same = (a: Uint8Array | undefined, b: Uint8Array) =>
    a !== undefined && a.length === b.length && a.every((byte, i) => byte === b[i])

  given('D2, H1: a stored file of any kind is read byte for byte', async (check, under) => {
    for (const file of FILES) await put(under, file)
    for (const file of FILES) {
      const found = await read(under, file)
      check.same(found?.size, SAMPLE.length, file.kind)
      check.ok(same(found?.bytes, SAMPLE), file.kind)
    }
  })

  given('D2: a range of a file is read from its first to its last byte', async (check, under) => {
    await put(under, UPLOAD)
    const end = SAMPLE.length - 1
    for (const [first, last] of [
      [0, 0],
      [end, end],
      [0, end],
      [1000, 200_000],
    ] as const) {
      const found = await read(under, UPLOAD, { first, last })
      check.same(found?.size, SAMPLE.length, 'the size is that of the whole file')
      check.ok(same(found?.bytes, SAMPLE.slice(first, last + 1)), `${first}-${last}`)
    }
  })

  given('D2: the details of a file are its size and the time when it was stored', async (check, under) => {
    const before = under.clock.now()
    await put(under, UPLOAD)
    const looked = await done(under.files.look(UPLOAD))
    const opened = await done(under.files.open(UPLOAD))
    if (O.isNone(looked) || O.isNone(opened)) throw new Error('expected a file')
    check.same(looked.value.size, SAMPLE.length)
    check.ok(looked.value.storedAt >= before - SECOND, 'not before')
    check.ok(looked.value.storedAt <= under.clock.now() + SECOND, 'not after')
    check.same(opened.value.storedAt, looked.value.storedAt, 'both calls return the same')
    for await (const _ of opened.value.bytes) break
  })

  given('D2, H1: reading a missing file returns none, not an error', async (check, under) => {
    await put(under, samplePortfolioImage(1, 'logo'))
    for (const file of [UPLOAD, samplePortfolioImage(1, 'visual'), samplePortfolioImage(2, 'logo')]) {
      check.same(await done(under.files.look(file)), O.none)
      check.same(await done(under.files.open(file)), O.none)
      check.same(await done(under.files.open(file, { first: 0, last: 1 })), O.none)
    }
  })

  given('D5: a removed file cannot be read any more', async (check, under) => {
    await put(under, UPLOAD)
    await done(under.mediaStore.remove(UPLOAD.name as MediaName))
    check.same(await done(under.files.look(UPLOAD)), O.none)
    check.same(await read(under, UPLOAD), undefined)
  })

  given('D2: many readers read concurrently, and some stop early', async (check, under) => {
    await put(under, UPLOAD)
    const reading = Array.from({ length: 40 }, async (_, n) => {
      if (n % 2 === 0) return same((await read(under, UPLOAD))?.bytes, SAMPLE)
      const opened = await done(under.files.open(UPLOAD))
      if (O.isNone(opened)) return false
      for await (const piece of opened.value.bytes) return piece.length > 0
      return false
    })
    check.ok((await Promise.all(reading)).every((right) => right))
  })
}
