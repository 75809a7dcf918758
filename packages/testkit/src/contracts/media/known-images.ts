import { setLibraryImage } from '@almoner/domain/content'
import { type StoredImage, stored } from '@almoner/domain/media'
import { addMillis, type Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ItemStoresUnderTest } from '../content/ranks.ts'
import { type ContractRunner, onEach } from '../runner.ts'
import { done, sampleImage, sampleLibraryItem } from '../samples.ts'

/** Contract tests of `KnownImages`. */
export const knownImagesContract = (
  runner: ContractRunner,
  make: () => Promise<Pick<ItemStoresUnderTest, 'libraryItems' | 'knownImages' | 'close'>>,
): void => {
  const given = onEach(runner, make)
  type Given = Awaited<ReturnType<typeof make>>
  /** Stores an image as the cover of the n-th sample. */
  const show = async ({ libraryItems }: Given, n: number, cover: StoredImage) => {
    const item = sampleLibraryItem(n)
    await done(libraryItems.add({ item, linksToImages: [] }))
    await done(
      libraryItems.change(item.id, (current) =>
        E.right({
          item: setLibraryImage(current, 'cover', stored(cover.name), current.updatedAt),
          storesImages: [cover],
          displaysImages: [cover.name],
          linksToImages: [],
        }),
      ),
    )
  }
  const withoutSize = ({ name, type, bytes }: StoredImage): StoredImage => ({ name, type, bytes })

  given('D5: of many names, those that an item references are known', async (check, under) => {
    const { knownImages } = under
    const [cover, other] = [sampleImage(1), sampleImage(2)]
    check.same(await done(knownImages.isEmpty()), true)
    await show(under, 1, cover)
    const many = Array.from({ length: 2500 }, (_, n) => sampleImage(n + 10).name)
    check.same(await done(knownImages.among([...many, other.name, cover.name])), new Set([cover.name]))
    check.same(await done(knownImages.among([])), new Set())
    check.same(await done(knownImages.isEmpty()), false)
  })

  given(
    'D5, M12: an image that an act of a person replaced is known for an hour, and after undo',
    async (check, { libraryItems, knownImages, ...under }) => {
      const [cover, next, last] = [sampleImage(1), sampleImage(2), sampleImage(3)]
      await show({ libraryItems, knownImages, ...under }, 1, cover)
      const { id, updatedAt } = sampleLibraryItem(1)
      /** Shows another cover, at a moment. */
      const replace = (image: StoredImage, at: Instant, isStored: boolean, kind: 'person' | 'client') =>
        done(
          libraryItems.change(id, (current) =>
            E.right({
              item: setLibraryImage(current, 'cover', stored(image.name), at),
              storesImages: isStored ? [image] : [],
              displaysImages: [image.name],
              linksToImages: [],
              act: { actor: { kind, id: '1' }, action: 'upload-image' },
            }),
          ),
        )
      const known = () => done(knownImages.among([cover.name, next.name, last.name]))
      const later = (seconds: number) => addMillis(updatedAt, seconds * 1000)
      check.same((await replace(next, later(1), true, 'person')).orphans, [])
      check.same(await known(), new Set([cover.name, next.name]))
      check.same(await done(knownImages.forgetReleased(later(1), later(1))), [], 'not before its time')
      await replace(cover, later(2), false, 'person')
      check.same(
        await done(knownImages.forgetReleased(later(2), later(2))),
        [],
        'an item shows the first one again',
      )
      check.same(await done(knownImages.forgetReleased(later(3), later(3))), [next.name])
      check.same(await known(), new Set([cover.name]))
      check.same((await replace(last, later(4), true, 'client')).orphans, [cover.name], 'a program')
      check.same(await known(), new Set([last.name]))
      check.same(await done(knownImages.forgetReleased(later(9), later(9))), [])
      await replace(next, later(100), true, 'person')
      const [near, far] = [later(40), later(39)]
      check.same(await done(knownImages.forgetReleased(later(5), near)), [], 'a minute ahead')
      check.same(await done(knownImages.forgetReleased(later(5), far)), [last.name], 'far ahead (I9)')
    },
  )

  given('D9: sizes are those of the upload, and images without one are left out', async (check, under) => {
    const [one, other, unknown] = [sampleImage(1), sampleImage(2), sampleImage(3)]
    await show(under, 1, one)
    await show(under, 2, withoutSize(other))
    const names = [one, other, unknown, one].map(({ name }) => name)
    check.same(await done(under.knownImages.sizesOf(names)), new Map([[one.name, one.size]]))
    check.same(await done(under.knownImages.sizesOf([])), new Map())
  })

  given(
    'D9: images without a size are found until it is recorded',
    async (check, { knownImages, ...under }) => {
      const [sized, first, broken] = [sampleImage(1), sampleImage(2), sampleImage(3)]
      for (const [n, image] of [sized, withoutSize(first), withoutSize(broken)].entries())
        await show({ knownImages, ...under }, n, image)
      const found = await done(knownImages.unmeasured(10))
      check.same(new Set(found), new Set([first.name, broken.name]))
      check.same((await done(knownImages.unmeasured(1))).length, 1, 'at most one')
      await done(knownImages.recordSize(first.name, O.some({ width: 3, height: 4 })))
      await done(knownImages.recordSize(broken.name, O.none))
      await done(knownImages.recordSize(sampleImage(4).name, O.some({ width: 3, height: 4 })))
      check.same(await done(knownImages.unmeasured(10)), [])
      const sizes = await done(knownImages.sizesOf([1, 2, 3, 4].map((n) => sampleImage(n).name)))
      check.same(
        sizes,
        new Map([
          [sized.name, sized.size],
          [first.name, { width: 3, height: 4 }],
        ]),
      )
      check.same(await done(knownImages.among([sampleImage(4).name])), new Set(), 'it stays unknown')
    },
  )
}
