import {
  type CheckedImage,
  FEED_IMAGE,
  type ImageRule,
  type ImageType,
  LIBRARY_IMAGE,
  UPLOAD_LIMIT,
} from '@almoner/domain/media'
import type { ImageChecker } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Check, ContractRunner } from './runner.ts'
import { done, failure } from './samples.ts'

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
