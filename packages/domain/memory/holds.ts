import * as E from 'fp-ts/lib/Either.js'
import type { ImageGone, ItemCore, ItemWrite, MediaName } from '../src/index.ts'
import type { Tables } from './tables.ts'

/**
 * Writes down which stored images an item holds.
 * @returns the images that nobody holds any more, forgotten with this call; ImageGone, and no change, when one to be shown
 * is not known
 */
export const holdImages = (
  tables: Tables,
  { item, adds, shows, mentions }: ItemWrite<ItemCore>,
): E.Either<ImageGone, ReadonlyArray<MediaName>> => {
  const known = new Set([...tables.images.keys(), ...adds.map(({ name }) => name)])
  const gone = shows.find((name) => !known.has(name))
  if (gone !== undefined) return E.left({ _tag: 'ImageGone', name: gone })
  for (const image of adds) tables.images.set(image.name, image)
  const before = tables.holds.get(item.id) ?? new Set<MediaName>()
  tables.holds.set(item.id, new Set([...shows, ...mentions].filter((name) => known.has(name))))
  const held = new Set([...tables.holds.values()].flatMap((names) => [...names]))
  const orphans = [...before].filter((name) => !held.has(name))
  for (const name of orphans) tables.images.delete(name)
  return E.right(orphans)
}
