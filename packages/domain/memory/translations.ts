import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  COUNTERPART_NOT_FOUND,
  type Counterpart,
  counterpartOf,
  ITEM_NOT_FOUND,
  type ItemId,
  pairOf,
  type Translations,
} from '../src/all.ts'
import type { Tables } from './tables.ts'

/** Translations in memory. */
export const memoryTranslations = ({ library, counterparts }: Tables): Translations => {
  const remove = (id: ItemId): boolean => {
    const other = counterparts.get(id)
    if (other !== undefined) counterparts.delete(other)
    return counterparts.delete(id)
  }
  return {
    ofItems: (ids) =>
      TE.fromIO(
        () =>
          new Map(
            ids.flatMap((id): ReadonlyArray<readonly [ItemId, Counterpart]> => {
              const counterpart = library.get(counterparts.get(id) ?? id)
              return counterpart === undefined || counterpart.id === id
                ? []
                : [[id, counterpartOf(counterpart)]]
            }),
          ),
      ),
    link: (id, counterpartId) => async () => {
      const [item, counterpart] = [library.get(id), library.get(counterpartId)]
      if (item === undefined) return E.left(ITEM_NOT_FOUND)
      if (counterpart === undefined) return E.left(COUNTERPART_NOT_FOUND)
      const pair = pairOf(item, counterpart)
      if (E.isLeft(pair)) return pair
      remove(id)
      remove(counterpartId)
      counterparts.set(id, counterpartId).set(counterpartId, id)
      return E.right(counterpartOf(counterpart))
    },
    unlink: (id) => async () => {
      if (!library.has(id)) return E.left(ITEM_NOT_FOUND)
      return remove(id) ? E.right(undefined) : E.left(COUNTERPART_NOT_FOUND)
    },
  }
}
