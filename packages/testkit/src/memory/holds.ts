import type { ItemCore } from '@almoner/domain/content'
import type { MediaName } from '@almoner/domain/media'
import type { ImageMissing, ItemWrite } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Tables } from './tables.ts'

/**
 * Stores which images an item references.
 * @returns the images without references, which this call forgets; ImageGone without a change if a displayed image is unknown
 */
export const holdImages = (
  tables: Tables,
  { item, storesImages, displaysImages, linksToImages }: ItemWrite<ItemCore>,
): E.Either<ImageMissing, ReadonlyArray<MediaName>> => {
  const known = new Set([...tables.images.keys(), ...storesImages.map(({ name }) => name)])
  const gone = displaysImages.find((name) => !known.has(name))
  if (gone !== undefined) return E.left({ _tag: 'ImageMissing', name: gone })
  for (const image of storesImages) tables.images.set(image.name, image)
  const before = tables.holds.get(item.id) ?? new Set<MediaName>()
  tables.holds.set(item.id, new Set([...displaysImages, ...linksToImages].filter((name) => known.has(name))))
  const held = new Set([...tables.holds.values()].flatMap((names) => [...names]))
  const orphans = [...before].filter((name) => !held.has(name))
  for (const name of orphans) tables.images.delete(name)
  return E.right(orphans)
}
