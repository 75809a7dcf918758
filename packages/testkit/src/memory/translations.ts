import {
  COUNTERPART_NOT_FOUND,
  type Counterpart,
  counterpartOf,
  ITEM_NOT_FOUND,
  pairOf,
  translationChange,
} from '@almoner/domain/content'
import type { Translations } from '@almoner/domain/ports'
import type { ItemId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordAct } from './history.ts'
import type { Tables } from './tables.ts'

/** Translations in memory. */
export const memoryTranslations = (tables: Tables): Translations => {
  const { library, counterparts } = tables
  const remove = (id: ItemId): void => {
    const other = counterparts.get(id)
    if (other !== undefined) counterparts.delete(other)
    counterparts.delete(id)
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
    link: (id, counterpartId, act) => async () => {
      const [item, counterpart] = [library.get(id), library.get(counterpartId)]
      if (item === undefined) return E.left(ITEM_NOT_FOUND)
      if (counterpart === undefined) return E.left(COUNTERPART_NOT_FOUND)
      const pair = pairOf(item, counterpart)
      if (E.isLeft(pair)) return pair
      const before = counterparts.get(id)
      if (before === counterpartId) return E.right(counterpartOf(counterpart))
      remove(id)
      remove(counterpartId)
      counterparts.set(id, counterpartId).set(counterpartId, id)
      recordAct(tables, act, { kind: 'library', id }, [translationChange(before, counterpartId)])
      return E.right(counterpartOf(counterpart))
    },
    unlink: (id, act) => async () => {
      if (!library.has(id)) return E.left(ITEM_NOT_FOUND)
      const before = counterparts.get(id)
      if (before === undefined) return E.left(COUNTERPART_NOT_FOUND)
      remove(id)
      recordAct(tables, act, { kind: 'library', id }, [translationChange(before, undefined)])
      return E.right(undefined)
    },
  }
}
