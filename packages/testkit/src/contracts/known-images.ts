import { setLibraryImage } from '@almoner/domain/content'
import { stored } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import type { ItemStoresUnderTest } from './item-stores.ts'
import type { ContractRunner } from './runner.ts'
import { done, sampleImage, sampleLibraryItem } from './samples.ts'

/** Contract tests of `KnownImages`. */
export const knownImagesContract = (
  runner: ContractRunner,
  make: () => Promise<Pick<ItemStoresUnderTest, 'libraryItems' | 'knownImages' | 'close'>>,
): void =>
  runner('D5: of many names, those that an item references are known', async (check) => {
    const { libraryItems, knownImages, close } = await make()
    const item = sampleLibraryItem(1)
    const [cover, other] = [sampleImage(1), sampleImage(2)]
    try {
      check.same(await done(knownImages.isEmpty()), true)
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
      const many = Array.from({ length: 2500 }, (_, n) => sampleImage(n + 10).name)
      check.same(await done(knownImages.among([...many, other.name, cover.name])), new Set([cover.name]))
      check.same(await done(knownImages.among([])), new Set())
      check.same(await done(knownImages.isEmpty()), false)
    } finally {
      await close()
    }
  })
