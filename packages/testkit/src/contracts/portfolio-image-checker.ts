import type { PortfolioImageType } from '@almoner/domain/media'
import type { PortfolioImageChecker } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'
import { done, failure } from './samples.ts'

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
