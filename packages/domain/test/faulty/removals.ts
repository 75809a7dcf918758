import type { Cursor, DeletionId, DraftRemoval, ItemCore } from '@almoner/domain/content'
import type { ItemStore } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type FaultsOf, returning } from './faults.ts'

const sampleRemoval: DraftRemoval = {
  deletionId: 'faulty' as DeletionId,
  act: { actor: { kind: 'client', id: 'app' }, action: 'delete-item', at: instant(0) },
}

/** Faults of deletions, and of taking them back (C18). */
export const removalFaults = <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  type: 'library' | 'feed',
): FaultsOf<ItemStore<Item, NewItem, Query, Cursor<K>>> => ({
  'deletes nothing': [
    `C18: ${type}, a deleted item is gone`,
    ({ find }) => ({
      remove: (id) => async () => {
        const found = await find(id)()
        return E.isRight(found) ? E.map(() => O.toUndefined(found.right) as Item)(found) : found
      },
    }),
  ],
  'takes every item for one that was never Live': [
    `C18: ${type}, the decision sees whether the item was ever Live`,
    ({ remove }) => ({ remove: (id, decide) => remove(id, (item) => decide(item, false)) }),
  ],
  'deletes an item whose deletion is refused': [
    `C18: ${type}, the decision sees whether the item was ever Live`,
    ({ remove }) => ({
      remove: (id, decide) => async () => {
        const refused = await remove(id, decide)()
        if (E.isLeft(refused)) await remove<never>(id, () => E.right(sampleRemoval))()
        return refused
      },
    }),
  ],
  'brings a deleted item back without its labels': [
    `C18: ${type}, a deletion is taken back with fields, labels`,
    ({ putBack }, { labels }) => ({
      putBack:
        (id, ...given) =>
        async () => {
          const item = await putBack(id, ...given)()
          const own = await labels.ofItem(type, id)()
          for (const { labelId } of E.isRight(own) ? own.right : []) await labels.detach(type, id, labelId)()
          return item
        },
    }),
  ],
  'makes a revision when a deletion is taken back': [
    `C18: ${type}, a deletion is taken back with fields, labels`,
    ({ putBack, change }) => ({
      putBack:
        (id, ...given) =>
        async () => {
          const item = await putBack(id, ...given)()
          const images = { storesImages: [], displaysImages: [], linksToImages: [] }
          await change<never>(id, (current) =>
            E.right({ item: { ...current, revision: current.revision + 1 }, ...images }),
          )()
          return item
        },
    }),
  ],
  'takes deletions back at any time': [
    `C18: ${type}, it is taken back once`,
    ({ putBack }) => ({
      putBack: (id, removal, _since, receipt) => putBack(id, removal, instant(0), receipt),
    }),
  ],
  'takes a deletion back that a clock which was ahead has made': [
    `C18: ${type}, it is taken back once`,
    ({ putBack }) => ({
      putBack: (id, { deletionId, act }, since, receipt) =>
        putBack(id, { deletionId, act: { ...act, at: instant(act.at + 1000) } }, since, receipt),
    }),
  ],
  'forgets deletions at once': [
    `C18: ${type}, images stay known until`,
    ({ remove, purgeRemoved }) => ({
      remove: (id, decide) => async () => {
        const removed = await remove(id, decide)()
        await purgeRemoved(instant(Number.MAX_SAFE_INTEGER), instant(0))()
        return removed
      },
    }),
  ],
  'keeps deletions that a clock which was ahead has made': [
    `C18: ${type}, images stay known until`,
    ({ purgeRemoved }) => ({
      purgeRemoved: (removedBy) => purgeRemoved(removedBy, instant(Number.MAX_SAFE_INTEGER)),
    }),
  ],
  'names no image of forgotten deletions': [
    `C18: ${type}, images stay known until`,
    ({ purgeRemoved }) => ({
      purgeRemoved: returning(purgeRemoved, ({ items }) => ({ items, orphans: [] })),
    }),
  ],
})
