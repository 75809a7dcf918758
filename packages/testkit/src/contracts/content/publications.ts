import {
  comparePublications,
  isOlder,
  type LibraryItem,
  matchesPublication,
  nextRevision,
  PUBLICATION_ORDERS,
  type Publication,
  type PublicationCursor,
  type PublicationQuery,
  publicationCursor,
  publicationOf,
  type Status,
  TRANSLATION_GAPS,
} from '@almoner/domain/content'
import { type ItemId, type ItemTitle, instant, type LabelId, type Language } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { BY_APP, CREATED } from '../history/fixture.ts'
import { type Check, type ContractRunner, onEach, seeded, type UnderTest } from '../runner.ts'
import { done, sampleDay, sampleId, sampleLibraryItem } from '../samples.ts'
import { FINDING_LABELS, FOUND_LIBRARY, oneOf } from './finding-samples.ts'

/** A store for one test, with its own data. */
export type PublicationsUnderTest = UnderTest<'translations' | 'libraryItems' | 'labels'>

const ALL: PublicationQuery = { order: 'date', lang: O.none, gap: O.none }

/** Returns a query for the publications in a state, in one language or in any. */
const inState = (status: Status, lang?: Language): PublicationQuery => ({
  ...ALL,
  lang: O.fromNullable(lang),
  filters: {
    ...{
      words: [],
      labelId: O.none,
      isDonorRestricted: O.none,
      isScheduled: O.none,
      from: O.none,
      until: O.none,
    },
    status: O.some(status),
  },
})

/** Writes an item as it is to be, under an act. */
const write = ({ libraryItems }: Pick<PublicationsUnderTest, 'libraryItems'>, item: LibraryItem) =>
  done(
    libraryItems.change<never>(item.id, (current) =>
      E.right({
        item: nextRevision(item, instant(current.updatedAt + 1)),
        ...{ storesImages: [], displaysImages: [], linksToImages: [], act: BY_APP },
      }),
    ),
  )

/** Adds the n-th publication: in English if n is even, published on a day, in a state. */
const add = async (
  store: PublicationsUnderTest,
  n: number,
  day: number,
  { title = `Title ${n}`, status = 'Draft' as Status } = {},
): Promise<ItemId> => {
  const lang = n % 2 === 0 ? 'en' : 'fr'
  const publicationDate = sampleDay(day)
  const item = sampleLibraryItem(n, { title: title as ItemTitle, lang, publicationDate })
  await done(store.libraryItems.add({ item, linksToImages: [], act: CREATED }))
  const varied = FOUND_LIBRARY.vary(item, () => 0)
  if (status !== 'Draft') await write(store, { ...item, images: varied.images, status } as LibraryItem)
  return item.id
}

const idsOf = (publications: ReadonlyArray<Publication>): ReadonlyArray<string> =>
  publications.map(({ sides }) => sides.map(({ id }) => Number.parseInt(id.slice(-4), 16)).join('+'))

const WHOLE = { lim: 1000, offset: 0, after: O.none, isCounted: true }

/** Reads all publications of a query. */
const listed = async ({ translations }: PublicationsUnderTest, query: PublicationQuery) => {
  const { publications, total } = await done(translations.publications(query, WHOLE))
  return [total, idsOf(publications)] as const
}

/** Reads all publications of a query page by page, beginning at an offset. */
const paged = async (
  { translations }: PublicationsUnderTest,
  query: PublicationQuery,
  lim: number,
  offset: number,
) => {
  const found: Array<string> = []
  let [after, total]: [O.Option<PublicationCursor>, number | undefined] = [O.none, undefined]
  for (let skipped = offset; ; skipped = 0) {
    const page = await done(
      translations.publications(query, { lim, offset: skipped, after, isCounted: true }),
    )
    found.push(...idsOf(page.publications))
    total = page.total
    after = page.next
    // An adapter that repeats a page has no end.
    if (O.isNone(after) || found.length > 100) return [total, found]
  }
}

const randomQuery = (chance: (below: number) => number): PublicationQuery => {
  const { lang, filters } = FOUND_LIBRARY.query(chance)
  return {
    order: oneOf(chance, PUBLICATION_ORDERS),
    gap: chance(4) === 0 ? O.some(oneOf(chance, TRANSLATION_GAPS)) : O.none,
    lang,
    ...(chance(3) > 0 && { filters }),
  }
}

const checkRandom = async (check: Check, store: PublicationsUnderTest, seed: number): Promise<void> => {
  const chance = seeded(seed)
  const { libraryItems, translations, labels } = store
  const labelled = new Map<ItemId, Set<LabelId>>()
  await done(labels.replaceAll(FINDING_LABELS))
  const ids = Array.from({ length: 30 }, (_, n) => sampleId(n))
  for (const [n, id] of ids.entries()) {
    await done(libraryItems.add({ item: sampleLibraryItem(n), linksToImages: [], act: CREATED }))
    await write(store, FOUND_LIBRARY.vary(sampleLibraryItem(n), chance))
    if (chance(2) > 0) continue
    const { labelId } = oneOf(chance, FINDING_LABELS)
    labelled.set(id, new Set([labelId]))
    await done(labels.attach('library', id, labelId))
  }
  for (let n = 0; n < 12; n += 1) await translations.link(oneOf(chance, ids), oneOf(chance, ids))()
  for (let n = 0; n < 20; n += 1) {
    const item = await done(libraryItems.find(oneOf(chance, ids)))
    if (O.isSome(item))
      await write(store, { ...FOUND_LIBRARY.vary(item.value, chance), lang: item.value.lang } as LibraryItem)
  }
  const items = new Map((await done(libraryItems.findAll(ids))).map((item) => [item.id, item]))
  const links = await done(translations.ofItems(ids))
  const publications = [...items.values()].flatMap((item) => {
    const one = publicationOf(item, items.get(links.get(item.id)?.id as ItemId))
    return one.sides[0] === item ? [one] : []
  })
  for (let n = 0; n < 40; n += 1) {
    const query = randomQuery(chance)
    const matches = matchesPublication(
      query,
      (id) => labelled.get(id) ?? new Set(),
      (id) => {
        const link = links.get(id)
        return link !== undefined && isOlder(link)
      },
    )
    const compare = comparePublications(query.order)
    const cursor = (one: Publication) => publicationCursor(query.order, one)
    const expected = idsOf(publications.filter(matches).sort((a, b) => compare(cursor(a), cursor(b))))
    const [lim, offset] = [1 + chance(7), chance(4)]
    check.same(
      await paged(store, query, lim, offset),
      [expected.length, expected.slice(offset)],
      `pages of ${lim} after ${offset}: ${JSON.stringify(query)}`,
    )
  }
}

/** Contract tests of lists of publications, both languages of each as one (J7). */
export const publicationsContract = (
  runner: ContractRunner,
  make: () => Promise<PublicationsUnderTest>,
): void => {
  const given = onEach(runner, make)

  given('J7: a pair is one publication, which stands where its newer side does', async (check, store) => {
    const old = await add(store, 0, 1)
    await add(store, 2, 5)
    await done(store.translations.link(await add(store, 1, 9), old))
    check.same(await listed(store, ALL), [2, ['1+0', '2']])
  })

  given('J7: a publication matches if one of its sides does, and counts once', async (check, store) => {
    const pair = [await add(store, 0, 1, { status: 'Live' }), await add(store, 1, 9)] as const
    await add(store, 2, 5, { status: 'Archived' })
    await done(store.translations.link(...pair))
    check.same(await listed(store, inState('Live')), [1, ['1+0']])
    check.same(await listed(store, inState('Draft')), [1, ['1+0']])
    check.same(await listed(store, inState('Live', 'en')), [1, ['1+0']])
    check.same(await listed(store, { ...ALL, lang: O.some('en') }), [2, ['1+0', '2']])
  })

  given('J7: a publication matches only if one side matches everything', async (check, store) => {
    const pair = [await add(store, 0, 1, { status: 'Live' }), await add(store, 1, 9)] as const
    await done(store.translations.link(...pair))
    check.same(await listed(store, inState('Live', 'fr')), [0, []])
    check.same(await listed(store, inState('Draft', 'en')), [0, []])
    check.same(await listed(store, inState('Draft', 'fr')), [1, ['1+0']])
  })

  given('J7: a Live side without a Live counterpart lacks one', async (check, store) => {
    const live = { status: 'Live' } as const
    const whole = [await add(store, 0, 1, live), await add(store, 1, 1, live)] as const
    const half = [await add(store, 2, 2, live), await add(store, 3, 2)] as const
    await add(store, 4, 3, live)
    await add(store, 6, 4)
    for (const pair of [whole, half]) await done(store.translations.link(...pair))
    const missing: PublicationQuery = { ...ALL, gap: O.some('missing') }
    check.same(await listed(store, missing), [2, ['4', '3+2']])
    check.same(await listed(store, { ...missing, lang: O.some('fr') }), [0, []])
  })

  given('J8: a Live side is older than a Live counterpart whose words changed', async (check, store) => {
    const live = { status: 'Live' } as const
    const pairs = [
      [await add(store, 0, 1, live), await add(store, 1, 1, live)],
      [await add(store, 2, 2, live), await add(store, 3, 2)],
      [await add(store, 4, 3, live), await add(store, 5, 3, live)],
    ] as const
    for (const pair of pairs) await done(store.translations.link(...pair))
    for (const [id] of pairs.slice(0, 2)) {
      const item = await done(store.libraryItems.find(id))
      if (O.isSome(item))
        await write(store, { ...item.value, title: 'Other words' as ItemTitle } as LibraryItem)
    }
    const older: PublicationQuery = { ...ALL, gap: O.some('older') }
    check.same(await listed(store, older), [1, ['1+0']])
    check.same(await listed(store, { ...older, lang: O.some('fr') }), [1, ['1+0']])
    check.same(await listed(store, { ...older, lang: O.some('en') }), [0, []])
  })

  given('J7: publications are in the order of dates, titles or states', async (check, store) => {
    await add(store, 0, 1, { title: 'Zèbre', status: 'Live' })
    await add(store, 2, 2, { title: 'École', status: 'Archived' })
    await add(store, 4, 3, { title: 'eau' })
    await add(store, 6, 4, { title: 'Fin', status: 'Live' })
    await add(store, 8, 2, { title: '東京' })
    check.same(await listed(store, ALL), [5, ['6', '4', '8', '2', '0']])
    check.same(await listed(store, { ...ALL, order: 'title' }), [5, ['4', '2', '6', '0', '8']])
    check.same(await listed(store, { ...ALL, order: 'state' }), [5, ['4', '8', '6', '0', '2']])
  })

  given('J6: pages by cursor have each publication once, in each order', async (check, store) => {
    for (let n = 0; n < 7; n += 1) await add(store, n, n % 3, { title: n % 2 === 0 ? 'Same' : 'Other' })
    await done(store.translations.link(sampleId(0), sampleId(1)))
    for (const order of PUBLICATION_ORDERS) {
      const whole = await listed(store, { ...ALL, order })
      check.same(await paged(store, { ...ALL, order }, 2, 0), whole, order)
      check.same(await paged(store, { ...ALL, order }, 4, 3), [whole[0], whole[1].slice(3)], order)
    }
    const { total } = await done(store.translations.publications(ALL, { ...WHOLE, isCounted: false }))
    check.same(total, undefined, 'J5: not counted unless asked')
  })

  for (const seed of [1, 2])
    given(`J1, J7, J8: publications are searched as the rule says (${seed})`, (check, store) =>
      checkRandom(check, store, seed),
    )
}
