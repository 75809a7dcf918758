import type { PortfolioImageChecker, PortfolioImageType } from '../src/all.ts'
import type { ContractRunner } from './runner.ts'
import { done, failure } from './samples.ts'

/** Files for the suite, which makes no images itself. */
export interface PortfolioImageSamples {
  /** Sound images by type, 120 pixels wide and 80 high. */
  readonly sound: Readonly<Record<PortfolioImageType, Uint8Array>>
  /** Files that begin as one of the types and do not decode whole, by name. */
  readonly broken: Readonly<Record<string, Uint8Array>>
  /** Files of other types, by name. */
  readonly foreign: Readonly<Record<string, Uint8Array>>
  /** Images with more bytes or pixels than are taken, by name. */
  readonly large: Readonly<Record<string, Uint8Array>>
}

/** What every checker of the portfolio's images must do (H1). */
export const portfolioImageCheckerContract = (
  runner: ContractRunner,
  make: () => PortfolioImageChecker,
  samples: PortfolioImageSamples,
): void => {
  for (const [type, bytes] of Object.entries(samples.sound)) {
    runner(`H1: a sound ${type} is known by its content, measured, and taken again`, async (check) => {
      const checked = await done(make().check(bytes))
      check.same([checked.type, checked.width, checked.height], [type, 120, 80])
      check.ok(/^[0-9a-f]{64}$/.test(checked.digest))
      const again = await done(make().check(checked.bytes))
      check.same([again.type, again.width, again.height], [type, 120, 80])
    })

    runner(`H1: the same ${type} always gives the same bytes and digest`, async (check) => {
      const [one, two] = [await done(make().check(bytes)), await done(make().check(bytes))]
      check.same([...one.bytes], [...two.bytes])
      check.same(one.digest, two.digest)
    })
  }

  runner('H1: other images have other digests', async (check) => {
    const digests: Array<string> = []
    for (const bytes of Object.values(samples.sound)) digests.push((await done(make().check(bytes))).digest)
    check.same(new Set(digests).size, digests.length)
  })

  runner('H1: what does not decode whole is refused', async (check) => {
    for (const [name, bytes] of Object.entries(samples.broken))
      check.same(await failure(make().check(bytes)), 'BrokenImage', name)
  })

  runner('H1: SVG, PNG or JPEG by content, nothing else', async (check) => {
    for (const [name, bytes] of Object.entries(samples.foreign))
      check.same(await failure(make().check(bytes)), 'UnsupportedImage', name)
  })

  runner('H1: images have a bound in bytes and in pixels', async (check) => {
    for (const [name, bytes] of Object.entries(samples.large)) {
      const tag = await failure(make().check(bytes))
      check.ok(tag === 'ImageTooLarge' || tag === 'WrongImageSize', `${name}: ${tag}`)
    }
  })
}
