import type { PortfolioImage } from '@almoner/domain/media'
import type { Clock, PortfolioImages, StoredPortfolioImage } from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import { type ContractRunner, onEach } from './runner.ts'
import { done } from './samples.ts'

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
