import type { PortfolioImage, PortfolioImageType } from '@almoner/domain/media'
import type {
  Clock,
  PortfolioImageChecker,
  PortfolioImages,
  StoredPortfolioImage,
} from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach } from '../runner.ts'
import { done, failure } from '../samples.ts'

/** Files for the suite, which makes no images itself. */
export interface PortfolioImageSamples {
  /** Valid images by type, 120 pixels wide and 80 high. */
  readonly sound: Readonly<Record<PortfolioImageType, Uint8Array>>
  /** Files that begin like one of the types but do not decode completely, by name. */
  readonly broken: Readonly<Record<string, Uint8Array>>
  /** Files of other types, by name. */
  readonly foreign: Readonly<Record<string, Uint8Array>>
  /** Images with too many bytes or pixels, by name. */
  readonly large: Readonly<Record<string, Uint8Array>>
}

/** Contract tests of checkers of portfolio images (H1). */
export const portfolioImageCheckerContract = (
  runner: ContractRunner,
  make: () => PortfolioImageChecker,
  samples: PortfolioImageSamples,
): void => {
  for (const [type, bytes] of Object.entries(samples.sound)) {
    runner(
      `H1: a valid ${type} is recognised by its content, measured, and accepted again`,
      async (check) => {
        const checked = await done(make().check(bytes))
        check.same([checked.type, checked.width, checked.height], [type, 120, 80])
        check.ok(/^[0-9a-f]{64}$/.test(checked.digest))
        const again = await done(make().check(checked.bytes))
        check.same([again.type, again.width, again.height], [type, 120, 80])
      },
    )

    runner(`H1: the same ${type} always gives the same bytes and digest`, async (check) => {
      const checker = make()
      const one = await done(checker.check(bytes))
      for (const other of [checker, make()]) {
        const again = await done(other.check(bytes))
        check.same([...again.bytes], [...one.bytes])
        check.same(again.digest, one.digest)
      }
    })
  }

  runner('H1: a stored image is returned as it is, with its digest', async (check) => {
    for (const [type, bytes] of Object.entries(samples.sound)) {
      const stored = await done(make().check(bytes))
      const asked: Array<string> = []
      const again = await done(
        make().check(stored.bytes, (digest) => {
          asked.push(digest)
          return digest === stored.digest
        }),
      )
      check.same([...again.bytes], [...stored.bytes], type)
      check.same([again.digest, again.type, again.width, again.height], [stored.digest, type, 120, 80])
      check.ok(asked.every((digest) => digest === stored.digest))
    }
  })

  runner('H1: different images have different digests', async (check) => {
    const digests: Array<string> = []
    for (const bytes of Object.values(samples.sound)) digests.push((await done(make().check(bytes))).digest)
    check.same(new Set(digests).size, digests.length)
  })

  runner('H1: an image that does not decode completely is rejected', async (check) => {
    for (const [name, bytes] of Object.entries(samples.broken))
      check.same(await failure(make().check(bytes)), 'BrokenImage', name)
  })

  runner('H1: only SVG, PNG and JPEG by content are accepted', async (check) => {
    for (const [name, bytes] of Object.entries(samples.foreign))
      check.same(await failure(make().check(bytes)), 'UnsupportedImage', name)
  })

  runner('H1: images are limited in bytes and in pixels', async (check) => {
    for (const [name, bytes] of Object.entries(samples.large)) {
      const tag = await failure(make().check(bytes))
      check.ok(tag === 'ImageTooLarge' || tag === 'WrongImageSize', `${name}: ${tag}`)
    }
  })
}

/** A store for one test, with its own files. */
export interface PortfolioImagesUnderTest {
  readonly images: PortfolioImages
  /** The clock by which the store dates its files. */
  readonly clock: Clock & {
    /** Advances it by this number of milliseconds. */
    readonly advance: (by: number) => void
  }
  /** Returns the stored bytes; none if there is no such file. */
  readonly bytesOf: (image: PortfolioImage) => Promise<Uint8Array | undefined>
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** The n-th sample of a kind; the types alternate. */
export const samplePortfolioImage = (n: number, kind: PortfolioImage['kind'] = 'logo'): PortfolioImage => ({
  kind,
  name: `sample.${n.toString(16).padStart(16, '0')}.${['svg', 'png', 'jpg'][n % 3]}` as PortfolioImage['name'],
})

/** Bytes that every text encoding would change. */
const bytesFor = (n: number) => Uint8Array.from({ length: 500 + n }, (_, i) => (i * 7 + n) % 256)

const listed = async (images: PortfolioImages): Promise<ReadonlyArray<StoredPortfolioImage>> => {
  const all: Array<StoredPortfolioImage> = []
  for await (const batch of images.files()) all.push(...batch)
  return all
}

const names = async (images: PortfolioImages): Promise<ReadonlyArray<string>> =>
  (await listed(images)).map(({ image: { kind, name } }) => `${kind}/${name}`).sort()

/** Contract tests of stores of portfolio images (H1). */
export const portfolioImagesContract = (
  runner: ContractRunner,
  make: () => Promise<PortfolioImagesUnderTest>,
): void => {
  const given = onEach(runner, make)

  given(
    'H1: stored images of every type and kind are returned byte for byte',
    async (check, { images, bytesOf }) => {
      for (const kind of ['logo', 'visual'] as const)
        for (const n of [1, 2, 3]) {
          await done(images.put(samplePortfolioImage(n, kind), bytesFor(n)))
          const bytes = await bytesOf(samplePortfolioImage(n, kind))
          check.same(bytes && [...bytes], [...bytesFor(n)])
        }
      check.same((await names(images)).length, 6)
    },
  )

  given('H1: the bytes of a stored image are read, and none of a missing one', async (check, { images }) => {
    await done(images.put(samplePortfolioImage(1), bytesFor(1)))
    const stored = await done(images.read(samplePortfolioImage(1)))
    check.same(O.toUndefined(O.map((bytes: Uint8Array) => [...bytes])(stored)), [...bytesFor(1)])
    check.ok(O.isNone(await done(images.read(samplePortfolioImage(1, 'visual')))))
    check.ok(O.isNone(await done(images.read(samplePortfolioImage(2)))))
  })

  given('H1: a logo and a visual with the same name are two images', async (check, { images, bytesOf }) => {
    await done(images.put(samplePortfolioImage(1, 'logo'), bytesFor(1)))
    await done(images.put(samplePortfolioImage(1, 'visual'), bytesFor(2)))
    await done(images.remove(samplePortfolioImage(1, 'logo')))
    check.same(await bytesOf(samplePortfolioImage(1, 'logo')), undefined)
    check.same((await bytesOf(samplePortfolioImage(1, 'visual')))?.length, bytesFor(2).length)
  })

  given('H1: an empty store lists nothing', async (check, { images }) => {
    check.same(await listed(images), [])
  })

  given('H1: each file is listed once, also those stored concurrently', async (check, { images }) => {
    const numbers = Array.from({ length: 250 }, (_, n) => n)
    await Promise.all(numbers.map((n) => done(images.put(samplePortfolioImage(n), bytesFor(n)))))
    check.same(await names(images), numbers.map((n) => `logo/${samplePortfolioImage(n).name}`).sort())
  })

  given(
    'H1: storing an image again renews its time, so that no sweep deletes it as old',
    async (check, under) => {
      const { images, clock } = under
      await done(images.put(samplePortfolioImage(1), bytesFor(1)))
      clock.advance(100 * SECOND)
      await done(images.put(samplePortfolioImage(1), bytesFor(1)))
      const [file, ...more] = await listed(images)
      check.same(more, [])
      check.ok(file !== undefined && Math.abs(file.storedAt - clock.now()) <= SECOND)
      const bytes = await under.bytesOf(samplePortfolioImage(1))
      check.same(bytes && [...bytes], [...bytesFor(1)])
    },
  )

  given('H1: removing a missing image is not an error', async (check, { images, bytesOf }) => {
    await done(images.put(samplePortfolioImage(1), bytesFor(1)))
    await done(images.remove(samplePortfolioImage(1)))
    await done(images.remove(samplePortfolioImage(1)))
    await done(images.remove(samplePortfolioImage(2, 'visual')))
    check.same(await bytesOf(samplePortfolioImage(1)), undefined)
  })

  given('H1: a sweep may remove files while it lists them', async (check, { images }) => {
    for (let n = 0; n < 120; n += 1) await done(images.put(samplePortfolioImage(n), bytesFor(n)))
    for await (const batch of images.files()) for (const { image } of batch) await done(images.remove(image))
    check.same(await listed(images), [])
  })
}
