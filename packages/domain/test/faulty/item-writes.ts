import type { Cursor, ItemCore } from '@almoner/domain/content'
import type { ItemStore, ItemWrite } from '@almoner/domain/ports'
import type { ItemDescription } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type FaultsOf, returning } from './faults.ts'

const unchanged = <Item>(item: Item): ItemWrite<Item> => ({
  ...{ item, storesImages: [], displaysImages: [], linksToImages: [] },
})

/** Replaces the write that a change decides on. */
const rewritten =
  <E, Item>(decide: (current: Item) => E.Either<E, ItemWrite<Item>>, rewrite: Partial<ItemWrite<Item>>) =>
  (current: Item): E.Either<E, ItemWrite<Item>> =>
    E.map((write: ItemWrite<Item>) => ({ ...write, ...rewrite }))(decide(current))

const withoutAct = <Write extends { readonly act?: unknown }>({ act: _act, ...write }: Write) => write

/** Faults of writes. */
export const writeFaults = <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  isLibrary: boolean,
): FaultsOf<ItemStore<Item, NewItem, Query, Cursor<K>>> => {
  const [adding, changing] = isLibrary
    ? ['adding a library item', 'changing an item']
    : ['adding a feed item', 'changing a post']
  const content = isLibrary ? 'a publication' : 'a post'
  const type = isLibrary ? 'library' : 'feed'
  return {
    'leaves the proposals open that it carries out': [
      `C16: ${type}, the write that carries a proposal out closes it`,
      ({ change }) => ({
        change: (id, decide, receipt) =>
          change(
            id,
            (current) => E.map(({ carriesOut: _, ...write }: ItemWrite<Item>) => write)(decide(current)),
            receipt,
          ),
      }),
    ],
    'carries proposals out at moments that they have no longer': [
      `C16: ${type}, a closed proposal is put back for a while`,
      ({ change }, { proposals }) => ({
        change: (id, decide, receipt) => async () => {
          const open = await done(proposals.find(type, id))
          const now = O.isSome(open) ? { publishAt: open.value.publishAt } : {}
          return change(
            id,
            (current) =>
              E.map(({ carriesOut, ...write }: ItemWrite<Item>) => ({
                ...write,
                ...(carriesOut && { carriesOut: { ...carriesOut, ...now } }),
              }))(decide(current)),
            receipt,
          )()
        },
      }),
    ],
    'forgets when items are archived': [
      `C15: the moments of ${type} items come in the order of time`,
      ({ upcoming }, { clock }) => ({
        upcoming: returning(upcoming, (moments) => moments.filter(({ at }) => at <= clock.now())),
      }),
    ],
    'returns the moments of items in the order of their creation': [
      `C15: the moments of ${type} items come in the order of time`,
      ({ upcoming }) => ({
        upcoming: returning(upcoming, (moments) =>
          moments.toSorted((one, other) => (one.itemId < other.itemId ? -1 : 1)),
        ),
      }),
    ],
    'carries out schedules of items as they were when it was asked': [
      `C15: many ${type} items change at once, each once`,
      ({ findAll, carryOut }) => ({
        carryOut: (ids, decide) => async () => {
          const found = await findAll(ids)()
          const items = new Map(E.isRight(found) ? found.right.map((item) => [item.id, item]) : [])
          return carryOut(ids, (current) => decide(items.get(current.id) ?? current))()
        },
      }),
    ],
    'leaves out the last item with a schedule': [
      `C15: many ${type} items change at once, each once`,
      ({ carryOut }) => ({
        carryOut: (ids, decide) => carryOut(ids.length < 9 ? ids : ids.slice(0, 99), decide),
      }),
    ],
    'carries out only the first of two moments that come late': [
      `C15, K2: moments of ${type} items that come late leave a revision each`,
      ({ carryOut }) => ({
        carryOut: (ids, decide) => carryOut(ids, (current) => decide(current).slice(0, 1)),
      }),
    ],
    'carries out moments in the order of the items': [
      `C15, K2: moments of ${type} items that come late leave a revision each`,
      ({ carryOut }) => ({
        carryOut: returning(carryOut, (changes) =>
          changes.toSorted((one, other) => (one.item.id < other.item.id ? -1 : 1)),
        ),
      }),
    ],
    'does not record what a schedule lacked': [
      `C15, K1: a schedule of ${type} items that fails leaves its conditions`,
      ({ carryOut }) => ({
        carryOut: (ids, decide) =>
          carryOut(ids, (current) => decide(current).map((change) => ({ ...change, missing: [] }))),
      }),
    ],
    'stores the first line of a description only': [
      'an added item is found with all its fields',
      ({ add }) => ({
        add: ({ item, ...write }, receipt) => {
          const description = item.description.replace(/\n.*/s, '') as ItemDescription
          return add({ ...write, item: { ...item, description } }, receipt)
        },
      }),
    ],
    'decides on an item that it has read before': [
      'concurrent changes run one after another',
      ({ find, change }) => ({
        change: (id, decide, receipt) => async () => {
          const before = await find(id)()
          return change(
            id,
            (current) => decide(E.isRight(before) && O.isSome(before.right) ? before.right.value : current),
            receipt,
          )()
        },
      }),
    ],
    'makes a revision of a refused change': [
      'a change gets the current item; if it returns Left',
      ({ change }) => ({
        change: (id, decide, receipt) => async () => {
          const changed = await change(id, decide, receipt)()
          if (E.isLeft(changed))
            await change(id, (item) => E.right(unchanged({ ...item, revision: item.revision + 1 })))()
          return changed
        },
      }),
    ],
    'forgets images that a link leads to': [
      'D5: an image is known while an item displays it or links to it',
      ({ change }) => ({
        change: (id, decide, receipt) => change(id, rewritten(decide, { linksToImages: [] }), receipt),
      }),
    ],
    'forgets images that a link of a new item leads to': [
      'D5: a new item’s link references a stored image',
      ({ add }) => ({ add: (write, receipt) => add({ ...write, linksToImages: [] }, receipt) }),
    ],
    'names no image that is unused': [
      'D5: an image is known while an item displays it or links to it',
      ({ change }) => ({
        change: returning(change, (written) => ({ ...written, orphans: [] })),
      }),
    ],
    'lets an item display a missing image': [
      'an item cannot display a missing image',
      ({ change }) => ({
        change: (id, decide, receipt) => change(id, rewritten(decide, { displaysImages: [] }), receipt),
      }),
    ],
    'stores no receipt of a new item': [
      `I4: ${adding} stores its key`,
      ({ add }) => ({ add: (write) => add(write) }),
    ],
    'stores no receipt of a change': [
      `I4: ${changing} stores its key`,
      ({ change }) => ({ change: (id, decide) => change(id, decide) }),
    ],
    'stores the receipt of a new item in another transaction': [
      `I4: ${adding} with a used key changes nothing`,
      ({ add, change }) => ({
        add: (write, receipt) => async () => {
          const added = await add(write)()
          if (receipt === undefined || E.isLeft(added)) return added
          const answered = { ...receipt, responseTo: () => receipt.responseTo(write.item) }
          const kept = await change<never>(write.item.id, (item) => E.right(unchanged(item)), answered)()
          return E.isLeft(kept) && kept.left._tag === 'Unavailable' ? E.left(kept.left) : added
        },
      }),
    ],
    'stores the receipt of a refused change': [
      `I4: a rejected change of ${content} leaves its key free`,
      ({ change }) => ({
        change: (id, decide, receipt) => async () => {
          const changed = await change(id, decide, receipt)()
          if (E.isLeft(changed)) await change(id, (item) => E.right(unchanged(item)), receipt)()
          return changed
        },
      }),
    ],
    'keeps the response for the item before its change': [
      `I4: ${changing} stores its key and its response`,
      ({ find, change }) => ({
        change: (id, decide, receipt) => async () => {
          const before = await find(id)()
          if (receipt === undefined || E.isLeft(before) || O.isNone(before.right))
            return change(id, decide, receipt)()
          const { value } = before.right
          return change(id, decide, { ...receipt, responseTo: () => receipt.responseTo(value) })()
        },
      }),
    ],
    'leaves no record of a new item': [
      isLibrary ? 'K2: a creation changes every field' : 'K1, K2: creating and changing a post',
      ({ add }) => ({ add: (write, receipt) => add(withoutAct(write) as typeof write, receipt) }),
    ],
    'leaves no record of a change': [
      isLibrary ? 'K1: a change names each changed field' : 'K1, K2: creating and changing a post',
      ({ change }) => ({
        change: (id, decide, receipt) =>
          change(
            id,
            (current) =>
              E.map((write: ItemWrite<typeof current>) => withoutAct(write) as typeof write)(decide(current)),
            receipt,
          ),
      }),
    ],
  }
}
