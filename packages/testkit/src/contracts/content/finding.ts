import { compareCursors, type ItemCore, type LibraryQuery } from '@almoner/domain/content'
import {
  collect,
  type ItemDescription,
  type ItemId,
  type LabelId,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, seeded } from '../runner.ts'
import { done, sampleId, sampleLibraryItem } from '../samples.ts'
import {
  type Chance,
  FINDING_LABELS,
  type FindingUnderTest,
  FOUND_FEED,
  FOUND_LIBRARY,
  type FoundContent,
  oneOf,
} from './finding-samples.ts'

export type { FindingUnderTest } from './finding-samples.ts'

/** Items at first, and rounds of one write and some queries. */
const [ITEMS, ROUNDS, QUERIES] = [50, 25, 8]

const write = <Item>(item: Item) => ({ item, storesImages: [], displaysImages: [], linksToImages: [] })

/** Items and labels, beside the store's. */
interface Model<Item> {
  readonly items: Map<ItemId, Item>
  readonly labels: Map<ItemId, Set<LabelId>>
}

const changeOne = async <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  stores: FindingUnderTest,
  content: FoundContent<Item, NewItem, Query, K>,
  { items, labels }: Model<Item>,
  chance: Chance,
): Promise<void> => {
  const item = oneOf(chance, [...items.values()])
  const { labelId } = oneOf(chance, FINDING_LABELS.slice(0, -1))
  const attached = labels.get(item.id) ?? new Set()
  labels.set(item.id, attached)
  if (chance(3) === 0) {
    const varied = content.vary(item, chance)
    await done(content.of(stores).change<never>(item.id, () => E.right(write(varied))))
    items.set(item.id, varied)
  } else if (attached.delete(labelId)) await done(stores.labels.detach(content.name, item.id, labelId))
  else {
    attached.add(labelId)
    await done(stores.labels.attach(content.name, item.id, labelId))
  }
}

const queryOne = async <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  check: Check,
  stores: FindingUnderTest,
  content: FoundContent<Item, NewItem, Query, K>,
  { items, labels }: Model<Item>,
  chance: Chance,
): Promise<void> => {
  const [store, query] = [content.of(stores), content.query(chance)]
  const expected = [...items.values()]
    .filter(content.matches(query, (id) => labels.get(id) ?? new Set()))
    .sort((a, b) => compareCursors(content.cursor(a), content.cursor(b)))
    .map(({ id }) => id)
  const idsOf = (found: ReadonlyArray<Item>) => found.map(({ id }) => id)
  const whole = await done(store.list(query, WHOLE_COLLECTION))
  check.same(idsOf(await collect(whole)), expected, JSON.stringify(query))
  const counted = await done(store.list(query, WHOLE_COLLECTION, true))
  check.same([counted.total, idsOf(await collect(counted))], [expected.length, expected], 'J5: counted')
  const [lim, offset] = [1 + chance(7), chance(4)]
  const paged: Array<ItemId> = []
  for (let window = { lim: O.some(lim), offset, after: O.none as typeof whole.next }; ; ) {
    const page = await done(store.list(query, window, true))
    check.same(page.total, expected.length, 'J5: each page has the number of all items')
    paged.push(...idsOf(await collect(page)))
    if (O.isNone(page.next)) break
    check.same(paged.length % lim, 0, 'a page with a next one is full')
    window = { lim: O.some(lim), offset: 0, after: page.next }
  }
  check.same(paged, expected.slice(offset), `pages of ${lim} after ${offset}: ${JSON.stringify(query)}`)
}

const findingOf = <Item extends ItemCore, NewItem extends Item, Query, K extends string | number>(
  runner: ContractRunner,
  make: () => Promise<FindingUnderTest>,
  content: FoundContent<Item, NewItem, Query, K>,
  seed: number,
): void =>
  runner(`J1, J2, J3, J5, J6: the ${content.name} is searched as the rule says (${seed})`, async (check) => {
    const stores = await make()
    const chance = seeded(seed)
    const model: Model<Item> = { items: new Map(), labels: new Map() }
    await done(stores.labels.replaceAll(FINDING_LABELS))
    for (let n = 0; n < ITEMS; n += 1) {
      const item = content.make(n)
      await done(content.of(stores).add({ item, linksToImages: [] }))
      const varied = content.vary(item, chance)
      await done(content.of(stores).change<never>(item.id, () => E.right(write(varied))))
      model.items.set(item.id, varied)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      await changeOne(stores, content, model, chance)
      for (let query = 0; query < QUERIES; query += 1) await queryOne(check, stores, content, model, chance)
    }
    await stores.close()
  })

const NO_FILTERS = {
  words: [],
  labelId: O.none,
  status: O.none,
  isDonorRestricted: O.none,
  isScheduled: O.none,
  from: O.none,
  until: O.none,
} as const

const search = (...words: ReadonlyArray<string>): LibraryQuery => ({
  visibility: { kind: 'everything' },
  lang: O.none,
  filters: { ...NO_FILTERS, words },
})

/** What every store must find, given filters. */
export const findingContract = (runner: ContractRunner, make: () => Promise<FindingUnderTest>): void => {
  for (const seed of [1, 2]) {
    findingOf(runner, make, FOUND_LIBRARY, seed)
    findingOf(runner, make, FOUND_FEED, seed)
  }

  runner('J2: a short beginning of very many words is found too, alone and with others', async (check) => {
    const stores = await make()
    // Each item has 400 words that begin alike, and each tenth has one that no other has.
    for (let n = 0; n < 60; n += 1) {
      const same = Array.from({ length: 400 }, (_, word) => `a${word}x${n}`).join(' ')
      const description = `${same} ${n % 10 === 0 ? 'tenth' : 'other'}` as ItemDescription
      await done(stores.libraryItems.add({ item: sampleLibraryItem(n, { description }), linksToImages: [] }))
    }
    const found = async (...words: ReadonlyArray<string>) => {
      const page = await done(
        stores.libraryItems.list(search(...words), { lim: O.some(5), offset: 1, after: O.none }, true),
      )
      return [page.total, (await collect(page)).map(({ id }) => id)]
    }
    const newest = (...numbers: ReadonlyArray<number>) => numbers.map(sampleId)
    check.same(await found('a'), [60, newest(58, 57, 56, 55, 54)])
    check.same(await found('a', 'tenth'), [6, newest(40, 30, 20, 10, 0)])
    check.same(await found('a1'), [60, newest(58, 57, 56, 55, 54)])
    check.same(await found('a1x10'), [1, []])
    check.same(await found('a', 'absent'), [0, []])
    await stores.close()
  })

  runner('J2: a word as long as a text is found by its beginning', async (check) => {
    const stores = await make()
    const [word, other] = ['語'.repeat(999), '語'.repeat(998)]
    const item = sampleLibraryItem(1, { description: `${word}.` as ItemDescription })
    await done(stores.libraryItems.add({ item, linksToImages: [] }))
    const countOf = async (asked: string) =>
      (await done(stores.libraryItems.list(search(asked), WHOLE_COLLECTION, true))).total
    check.same(await countOf(word), 1)
    check.same(await countOf(other), 1)
    check.same(await countOf(`${other}x`), 0)
    await stores.close()
  })

  runner('J4: labels of many items come at once, each item’s in the order of the file', async (check) => {
    const stores = await make()
    await done(stores.labels.replaceAll(FINDING_LABELS))
    for (let n = 0; n < 3; n += 1)
      await done(stores.libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [] }))
    const [first, second] = FINDING_LABELS
    if (first === undefined || second === undefined) throw new Error('there are labels')
    for (const { labelId } of [second, first])
      await done(stores.labels.attach('library', sampleId(1), labelId))
    await done(stores.labels.attach('library', sampleId(2), second.labelId))
    const ids = [0, 1, 2, 9].map(sampleId)
    check.same(
      new Map(await done(stores.labels.ofItems('library', ids))),
      new Map([
        [sampleId(1), [first, second]],
        [sampleId(2), [second]],
      ]),
    )
    check.same(new Map(await done(stores.labels.ofItems('library', []))), new Map())
    check.same(new Map(await done(stores.labels.ofItems('feed', ids))), new Map())
    await stores.close()
  })
}
