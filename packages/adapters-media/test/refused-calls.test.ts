import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckedImage, MediaName, PortfolioImageName, StorageId } from '@almoner/domain/media'
import { done, failure } from '@almoner/testkit/contracts'
import { setClock } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { openFolderMediaStore, openFolderPortfolioImages, probeMediaFolder } from '../src/index.ts'
import { FAULTS, OPTIONAL_CALLS, type OptionalCallName, REFUSALS, refuse } from './support/refusing.ts'

const NAME = 'an_unguessable-name.png' as MediaName
const IMAGE: CheckedImage = { type: 'image/png', bytes: Buffer.from('the bytes of an image') }
const LOGO = { kind: 'logo', name: 'water.0123456789abcdef.png' as PortfolioImageName } as const

const warnings: Array<string> = []
process.on('warning', ({ message }) => warnings.push(message))
// Warnings are emitted after the running code.
const emitted = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const opened = async (t: Test) => {
  const folder = join(t.testdir(), 'above', 'media')
  const place = { folder, clock: setClock() }
  const portfolio = { ...place, folder: join(folder, 'portfolio') }
  return {
    place,
    store: await done(openFolderMediaStore(place)),
    portfolioImages: await done(openFolderPortfolioImages(portfolio)),
  }
}

const calls = Object.keys(OPTIONAL_CALLS) as ReadonlyArray<OptionalCallName>

for (const call of calls) {
  for (const code of REFUSALS)
    t.test(
      `D10: where a file system refuses to ${call} with ${code}, images are stored all the same`,
      async (t) => {
        await refuse(t, call, code)
        const { place, store, portfolioImages } = await opened(t)
        const { folder } = place
        await done(store.put(NAME, IMAGE))
        await done(portfolioImages.put(LOGO, IMAGE.bytes))
        await done(store.writeMarker('the-storage' as StorageId))
        await done(probeMediaFolder(place))
        t.strictSame(await readFile(join(folder, NAME)), IMAGE.bytes)
        t.strictSame(await readFile(join(folder, 'portfolio', 'logo', LOGO.name)), IMAGE.bytes)
        t.strictSame(await done(store.readMarker()), O.some('the-storage'))
        t.strictSame(
          (await readdir(folder)).toSorted(),
          ['.almoner-identity', NAME, 'portfolio'],
          'nothing else',
        )
      },
    )

  for (const code of FAULTS)
    t.test(`D10: a fault is none that is forgiven: ${code} of the call to ${call}`, async (t) => {
      const { place, store, portfolioImages } = await opened(t)
      await refuse(t, call, code)
      t.equal(await failure(store.put(NAME, IMAGE)), 'Unavailable')
      t.equal(await failure(portfolioImages.put(LOGO, IMAGE.bytes)), 'Unavailable')
      t.match(await probeMediaFolder(place)(), { left: { cause: { code } } }, 'doctor names it')
      t.strictSame(await readdir(place.folder), ['portfolio'], 'no file is left')
    })
}

t.test('D10: one warning a process and kind', async (t) => {
  await emitted()
  t.equal(warnings.length, 2)
  t.match(warnings.toSorted(), [/flushes no folders.*: EINVAL/, /sets no times.*: EINVAL/])
})
