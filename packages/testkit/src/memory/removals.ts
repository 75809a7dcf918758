import { ITEM_NOT_FOUND, type ItemCore, type ItemNotFound, type Visible } from '@almoner/domain/content'
import { type ItemFields, wholeChanges } from '@almoner/domain/history'
import type { ItemStore } from '@almoner/domain/ports'
import { type Instant, type ItemId, isFarAhead } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { withReceipt } from './access.ts'
import { changeItem, changeRemoved } from './changes.ts'
import { deleteRecordedReasons, recordAct } from './history.ts'
import { forgetUnheld } from './results.ts'
import type { DeletedItem, Tables } from './tables.ts'

/** Takes the counterpart of an item away, with the base of the pair. */
const takeLink = ({ counterparts, bases }: Tables, id: ItemId): DeletedItem['link'] => {
  const other = counterparts.get(id)
  if (other === undefined) return undefined
  const kept = [id, other].flatMap((side) => {
    const base = bases.get(side)
    return base === undefined ? [] : [[side, base] as const]
  })
  for (const side of [id, other]) {
    counterparts.delete(side)
    bases.delete(side)
  }
  return { id: other, bases: kept }
}

/** Links an item again as before, unless its counterpart has another link or language, or is gone. */
const putLinkBack = (tables: Tables, { id, lang }: ItemCore, link: DeletedItem['link']): void => {
  const { library, counterparts, bases } = tables
  const other = link && library.get(link.id)
  if (other === undefined || other.lang === lang || counterparts.has(other.id)) return
  counterparts.set(id, other.id).set(other.id, id)
  for (const [side, base] of link?.bases ?? []) bases.set(side, base)
}

/** Returns whether a deletion was made since a moment, and not by a clock that was far ahead (I9). */
const isSince =
  (madeSince: Instant, now: Instant) =>
  ({ at }: DeletedItem): boolean =>
    at >= madeSince && !isFarAhead(at, now)

/** Deletes items, and puts them back (C18). */
export const removals = <Item extends ItemCore & Visible>(
  tables: Tables,
  items: Map<ItemId, Item>,
  { contentType, fieldsOf }: ItemFields<Item>,
): Pick<ItemStore<Item, Item, never, never>, 'remove' | 'putBack' | 'purgeRemoved'> => {
  const { attached, authors, deleted, holds, wasLive } = tables
  const subjectOf = (id: ItemId) => ({ kind: contentType, id })
  return {
    remove: (id, decide) => async () => {
      const item = items.get(id)
      if (item === undefined) return E.left(ITEM_NOT_FOUND)
      const decided = decide(item, wasLive.has(id))
      if (E.isLeft(decided)) return decided
      const { deletionId, act } = decided.right
      deleted.set(deletionId, {
        ...{ contentType, item: item as never, at: act.at, author: authors.get(id) },
        labels: attached[contentType].get(id) ?? new Set(),
        link: takeLink(tables, id),
      })
      holds.set(deletionId, holds.get(id) ?? new Set())
      for (const table of [items, attached[contentType], authors, holds]) table.delete(id)
      recordAct(tables, act, subjectOf(id), wholeChanges(fieldsOf(item), false))
      changeRemoved(tables, contentType, id, act.at)
      return E.right(item)
    },
    putBack:
      (id, { deletionId, act }, madeSince, receipt) =>
      async () =>
        withReceipt(tables, receipt, (): E.Either<ItemNotFound, Item> => {
          const found = deleted.get(deletionId)
          if (
            found?.item.id !== id ||
            found.contentType !== contentType ||
            !isSince(madeSince, act.at)(found)
          )
            return E.left(ITEM_NOT_FOUND)
          const item = found.item as unknown as Item
          items.set(id, item)
          const known = new Set(tables.labels.map(({ labelId }) => labelId))
          attached[contentType].set(id, new Set([...found.labels].filter((label) => known.has(label))))
          if (found.author !== undefined) authors.set(id, found.author)
          putLinkBack(tables, item, found.link)
          holds.set(id, holds.get(deletionId) ?? new Set())
          holds.delete(deletionId)
          deleted.delete(deletionId)
          recordAct(tables, act, subjectOf(id), wholeChanges(fieldsOf(item), true))
          changeItem(tables, contentType, undefined, item)
          return E.right(item)
        }),
    purgeRemoved: (removedBy, now) =>
      TE.fromIO(() => {
        const old = [...deleted].filter(
          ([, one]) => one.contentType === contentType && (one.at <= removedBy || isFarAhead(one.at, now)),
        )
        const names = old.flatMap(([deletionId]) => [...(holds.get(deletionId) ?? [])])
        const posts = old.flatMap(([, { item, author }]) =>
          contentType === 'feed' && O.isSome(author?.email ?? O.none) ? [item.id] : [],
        )
        deleteRecordedReasons(tables, new Set(posts))
        for (const [deletionId] of old) {
          holds.delete(deletionId)
          deleted.delete(deletionId)
        }
        return { items: old.length, orphans: forgetUnheld(tables, new Set(names)) }
      }),
  }
}
