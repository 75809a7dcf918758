import {
  type CheckedImage,
  EXTENSIONS,
  FEED_IMAGE,
  IMAGE_TYPES,
  type ImageRule,
  type ImageType,
  LIBRARY_IMAGE,
  type MediaAddresses,
  type MediaName,
  renditionName,
  UPLOAD_LIMIT,
} from '@almoner/domain/media'
import type {
  BytePart,
  Clock,
  ImageChecker,
  ImageFile,
  ImageFiles,
  MediaStore,
  PortfolioImages,
} from '@almoner/domain/ports'
import { SECOND, type WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach } from '../runner.ts'
import { done, failure } from '../samples.ts'
import { samplePortfolioImage } from './portfolio-images.ts'

/** Files for the suite, which cannot create images because the domain has no encoder. */
export interface ImageSamples {
  /** Valid images by type: 400 wide and 560 high as stored, with normal orientation. */
  readonly sound: Readonly<Record<ImageType, Uint8Array>>
  /** The same, with `secret` in every place where a file of the type can carry text. */
  readonly talkative: Readonly<Record<ImageType, Uint8Array>>
  readonly secret: string
  /** 560 wide and 400 high as stored; their orientation makes them 400 wide and 560 high. */
  readonly lying: Readonly<Record<ImageType, Uint8Array>>
  /** Files that are neither JPEG nor PNG, by name. */
  readonly foreign: Readonly<Record<string, Uint8Array>>
  /** JPEG and PNG files of several frames, by name. */
  readonly animated: Readonly<Record<string, Uint8Array>>
}

const TYPES = ['image/jpeg', 'image/png'] as const

/** A rule that the upright samples break by one pixel. */
const OFF_BY_ONE: ReadonlyArray<ImageRule> = [
  { kind: 'exactly', width: 399, height: 560 },
  { kind: 'exactly', width: 401, height: 560 },
  { kind: 'exactly', width: 400, height: 559 },
  { kind: 'exactly', width: 400, height: 561 },
  { kind: 'exactly', width: 560, height: 400 },
  { kind: 'within', side: 559 },
]

const includes = (bytes: Uint8Array, text: string): boolean => {
  const wanted = [...text].map((c) => c.charCodeAt(0))
  return bytes.some((_, at) => wanted.every((code, i) => bytes[at + i] === code))
}

/** Contract tests of image checkers (D1). */
export const imageCheckerContract = (
  runner: ContractRunner,
  make: () => ImageChecker,
  samples: ImageSamples,
): void => {
  /** Asserts that the result is valid, of the feed's size and without orientation, because the checker accepts it again. */
  const takesAgain = async (check: Check, checker: ImageChecker, image: CheckedImage) => {
    const again = await done(checker.check(image.bytes, FEED_IMAGE))
    check.same(again.type, image.type)
  }

  for (const type of TYPES) {
    runner(`D1: a valid ${type} is accepted and returned in the same type`, async (check) => {
      const checker = make()
      for (const rule of [FEED_IMAGE, LIBRARY_IMAGE]) {
        const image = await done(checker.check(samples.sound[type], rule))
        check.same(image.type, type)
        await takesAgain(check, checker, image)
      }
    })

    runner(`D1: a ${type} must have exactly the requested size`, async (check) => {
      for (const rule of OFF_BY_ONE) {
        const result = await make().check(samples.sound[type], rule)()
        const fault = { _tag: 'WrongImageSize', rule, width: 400, height: 560 }
        check.same(E.isLeft(result) ? result.left : result, fault, JSON.stringify(rule))
      }
    })

    runner(`D1: all metadata of a ${type} is removed`, async (check) => {
      check.ok(includes(samples.talkative[type], samples.secret), 'the sample contains the secret')
      const image = await done(make().check(samples.talkative[type], FEED_IMAGE))
      check.ok(!includes(image.bytes, samples.secret), 'the result does not')
    })

    runner(`D1: the orientation of a ${type} is applied before its size is measured`, async (check) => {
      const checker = make()
      await takesAgain(check, checker, await done(checker.check(samples.lying[type], FEED_IMAGE)))
    })

    runner(`D1: a ${type} truncated anywhere is rejected`, async (check) => {
      const bytes = samples.sound[type]
      for (const share of [0.1, 0.5, 0.9, 0.99]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share))
        check.same(await failure(make().check(cut, FEED_IMAGE)), 'BrokenImage', `at ${share}`)
      }
      const last = await failure(make().check(bytes.subarray(0, -1), FEED_IMAGE))
      check.same(last, 'BrokenImage', 'without the last byte')
    })

    runner(`D1: checking a ${type} does not change the upload`, async (check) => {
      const bytes = samples.talkative[type].slice()
      await done(make().check(bytes, FEED_IMAGE))
      check.same([...bytes], [...samples.talkative[type]])
    })
  }

  runner('D1: more than 10 MiB of any content is rejected', async (check) => {
    check.same(await failure(make().check(new Uint8Array(UPLOAD_LIMIT + 1), LIBRARY_IMAGE)), 'ImageTooLarge')
    const padded = new Uint8Array(UPLOAD_LIMIT + 1)
    padded.set(samples.sound['image/png'])
    check.same(await failure(make().check(padded, LIBRARY_IMAGE)), 'ImageTooLarge')
  })

  runner('D1: only JPEG and PNG by content are accepted', async (check) => {
    for (const [name, bytes] of Object.entries(samples.foreign))
      check.same(await failure(make().check(bytes, LIBRARY_IMAGE)), 'UnsupportedImage', name)
    check.same(await failure(make().check(new Uint8Array(0), LIBRARY_IMAGE)), 'UnsupportedImage', 'no bytes')
  })

  runner('D7: an animated image is rejected', async (check) => {
    for (const [name, bytes] of Object.entries(samples.animated))
      check.same(await failure(make().check(bytes, LIBRARY_IMAGE)), 'AnimatedImage', name)
  })

  runner('D1: images that are checked concurrently do not mix', async (check) => {
    const checker = make()
    const results = await Promise.all(
      TYPES.flatMap((type) => [
        failure(checker.check(samples.sound[type], FEED_IMAGE)),
        failure(checker.check(samples.sound[type].subarray(0, -1), FEED_IMAGE)),
      ]),
    )
    check.same(results, ['none', 'BrokenImage', 'none', 'BrokenImage'])
  })
}

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

const UPLOAD = { kind: 'upload', name: 'sample_media-00000001.png' as MediaName } as const
const FILES: ReadonlyArray<ImageFile> = [
  UPLOAD,
  { kind: 'rendition', name: renditionName(UPLOAD.name, 320) },
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
        : file.kind === 'rendition'
          ? mediaStore.putRendition(file.name, SAMPLE)
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

const NAMES = IMAGE_TYPES.flatMap((type) =>
  [1, 2].map((n) => `Sample_media-0000000${n}.${EXTENSIONS[type]}` as MediaName),
)

/** Contract tests of `MediaAddresses` (D2, D3). */
export const mediaAddressesContract = (runner: ContractRunner, make: () => MediaAddresses): void => {
  runner('D3: an image is named by its own address, and by no other', async (check) => {
    const addresses = make()
    const urls = NAMES.map((name) => addresses.urlOf(name))
    check.same(new Set(urls).size, NAMES.length)
    check.ok(urls.every((url) => /^https?:\/\//.test(url)))
    check.same(urls.map(addresses.nameOf), NAMES.map(O.some))
  })

  runner('D3: query and fragment make no other image of an address', async (check) => {
    const addresses = make()
    for (const name of NAMES)
      for (const end of ['?width=400', '#top'])
        check.same(addresses.nameOf(`${addresses.urlOf(name)}${end}` as WebUrl), O.some(name))
  })

  runner('D5: an address of another host or path names no image', async (check) => {
    const addresses = make()
    for (const name of NAMES) {
      const url = addresses.urlOf(name)
      for (const other of [
        url.replace(/^https?:\/\/[^/]+/, 'https://elsewhere.example.org'),
        url.replace(/[^/]+$/, ''),
        url.replace(/^(https?:\/\/[^/]+).*/, `$1/elsewhere/${name}`),
      ])
        check.same(addresses.nameOf(other as WebUrl), O.none, other)
    }
  })
}
