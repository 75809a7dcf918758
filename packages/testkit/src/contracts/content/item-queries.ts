import {
  type Author,
  type Cursor,
  compareCursors,
  editFeedItem,
  type FeedCursor,
  type FeedItem,
  feedCursor,
  type ItemCore,
  type ItemFilters,
  type ItemQuery,
  STATUSES,
  type Status,
  type UnpublishedFeedItem,
  type Visibility,
} from '@almoner/domain/content'
import type { ItemStore } from '@almoner/domain/ports'
import {
  type ClientId,
  collect,
  instant,
  LANGUAGES,
  type Language,
  type PageRequest,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleDay, sampleEmail, sampleFeedItem, sampleId } from '../samples.ts'

/** The fields of a sample that queries look at. */
export interface Traits
  extends Pick<ItemCore, 'isDonorRestricted' | 'lang' | 'title' | 'publishAt' | 'archiveAt'> {
  readonly status: Status
  /** The number of its day or moment. */
  readonly day: number
}

/** A content type whose lists are tested. */
export interface QueriedContent<Item, NewItem, Query, K extends string | number> {
  /** The n-th item as a new one. */
  readonly make: (n: number) => NewItem
  /** The item with these fields, complete enough to be Live. */
  readonly withTraits: (item: Item, traits: Traits) => Item
  /** The place of an item in the order of its collection. */
  readonly cursor: (item: Item) => Cursor<K>
  /** Completes a query that selects nothing more. */
  readonly query: (query: ItemQuery<never>) => Query
  /** The date of a day by its number. */
  readonly date: (day: number) => K
  /** Whether an embargo hides items of later days (C9). */
  readonly isUnderEmbargo: boolean
}

/** A store of one content type for one test. */
export interface QueriedStore<Item, NewItem extends Item, Query, K extends string | number> {
  readonly items: ItemStore<Item, NewItem, Query, Cursor<K>>
  /** Releases the resources of the store. */
  readonly close: () => Promise<void>
}

const NO_FILTERS: ItemFilters<never> = {
  words: [],
  labelId: O.none,
  status: O.none,
  isDonorRestricted: O.none,
  isScheduled: O.none,
  from: O.none,
  until: O.none,
}

const DAYS = 4

/** Each combination of state, restriction and language, over a few days. */
const SAMPLES: ReadonlyArray<Traits> = STATUSES.flatMap((status) =>
  [false, true].flatMap((isDonorRestricted) =>
    LANGUAGES.map((lang) => ({ status, isDonorRestricted, lang })),
  ),
).map((traits, n) => ({
  ...traits,
  title: (n % 5 === 0 ? 'Clean waterways' : 'Wells, not underwater') as Traits['title'],
  day: n % DAYS,
  publishAt: n % 3 === 0 ? O.some(SAMPLE_MOMENT) : O.none,
  archiveAt: n % 5 === 0 ? O.some(SAMPLE_MOMENT) : O.none,
}))

const EVERYTHING: Visibility = { kind: 'everything' }
const USERS = { kind: 'published', restricted: false, until: O.none } as const
const DONORS = { ...USERS, restricted: true } as const

/** Contract tests of the lists of one content type: visibility, filters and counts, each under its own name (A3, J1 to J5). */
export const itemQueriesContract = <
  Item extends ItemCore,
  NewItem extends Item,
  Query,
  K extends string | number,
>(
  runner: ContractRunner,
  make: () => Promise<QueriedStore<Item, NewItem, Query, K>>,
  content: QueriedContent<Item, NewItem, Query, K>,
): void => {
  const given = onEach(runner, make, async ({ items }) => {
    const added: Array<readonly [Item, Traits]> = []
    for (const [n, traits] of SAMPLES.entries()) {
      const item = content.make(n)
      const changed = content.withTraits(item, traits)
      const write = { item: changed, storesImages: [], displaysImages: [], linksToImages: [] }
      await done(items.add({ item, linksToImages: [] }))
      await done(items.change<never>(item.id, () => E.right(write)))
      added.push([changed, traits])
    }
    return { items, added }
  })

  /** Registers a test that a query selects exactly these samples, in order. */
  const selects = (
    name: string,
    query: Partial<ItemQuery<never>>,
    isSelected: (traits: Traits) => boolean,
  ): void =>
    given(name, async (check, { items, added }) => {
      const asked = content.query({ visibility: EVERYTHING, lang: O.none, ...query })
      const expected = added
        .filter(([, traits]) => isSelected(traits))
        .map(([item]) => item)
        .sort((a, b) => compareCursors(content.cursor(a), content.cursor(b)))
      check.same(await collect(await done(items.list(asked, WHOLE_COLLECTION))), expected)
    })
  const filters = (some: Partial<ItemFilters<K>>) =>
    ({ filters: { ...NO_FILTERS, ...some } as ItemFilters<never> }) as const
  const isLive = ({ status }: Traits) => status === 'Live'

  selects('A3: users read Live items that are public', { visibility: USERS }, (traits) => {
    return isLive(traits) && !traits.isDonorRestricted
  })
  selects('A3: donors also read Live items that are restricted', { visibility: DONORS }, isLive)
  selects('A3: content managers read items in every state', {}, () => true)
  selects(
    content.isUnderEmbargo
      ? 'C9: an embargo hides Live items of later days'
      : 'C9: an embargo hides no item of this content type',
    { visibility: { ...DONORS, until: O.some(sampleDay(1)) } },
    (traits) => isLive(traits) && (!content.isUnderEmbargo || traits.day <= 1),
  )
  selects('B5: a list in one language', { lang: O.some('fr') }, ({ lang }) => lang === 'fr')
  selects(
    'J2: a word finds the items of which a word begins so',
    filters({ words: ['water'] }),
    ({ title }) => title.startsWith('Clean'),
  )
  selects(
    'J2: an item that lacks one of the words is not found',
    filters({ words: ['water', 'wells'] }),
    () => false,
  )
  selects('J3: a list of one state', filters({ status: O.some('Draft') }), ({ status }) => status === 'Draft')
  for (const isDonorRestricted of [false, true])
    selects(
      `J3: a list of ${isDonorRestricted ? 'restricted' : 'public'} items`,
      filters({ isDonorRestricted: O.some(isDonorRestricted) }),
      (traits) => traits.isDonorRestricted === isDonorRestricted,
    )
  for (const isScheduled of [false, true])
    selects(
      `J1: a list of items ${isScheduled ? 'with' : 'without'} a schedule`,
      filters({ isScheduled: O.some(isScheduled) }),
      ({ publishAt, archiveAt }) => (O.isSome(publishAt) || O.isSome(archiveAt)) === isScheduled,
    )
  selects(
    'J3: a list from a date, which is included',
    filters({ from: O.some(content.date(2)) }),
    ({ day }) => day >= 2,
  )
  selects(
    'J3: a list to a date, which is included',
    filters({ until: O.some(content.date(1)) }),
    ({ day }) => day <= 1,
  )
  selects(
    'J1: filters combine: an item must match all of them',
    {
      lang: O.some('en'),
      ...filters({ words: ['wells'], status: O.some('Live'), isDonorRestricted: O.some(true) }),
    },
    ({ lang, title, status, isDonorRestricted }) =>
      lang === 'en' && title.startsWith('Wells') && status === 'Live' && isDonorRestricted,
  )
  selects(
    'J1: filters narrow what the caller may see',
    { visibility: USERS, ...filters({ status: O.some('Draft') }) },
    () => false,
  )

  given('J5: each page has the number of all items that match', async (check, { items }) => {
    const counted = async (query: Partial<ItemQuery<never>>, window: PageRequest<Cursor<K>>) => {
      const asked = content.query({ visibility: EVERYTHING, lang: O.none, ...query })
      const page = await done(items.list(asked, window, true))
      return [page.total, (await collect(page)).length]
    }
    const page = { lim: O.some(2), offset: 1, after: O.none }
    check.same(await counted({}, page), [SAMPLES.length, 2])
    check.same(await counted(filters({ status: O.some('Live') }), page), [4, 2])
    check.same(await counted({}, { ...page, offset: 100 }), [SAMPLES.length, 0])
    check.same(await counted({}, WHOLE_COLLECTION), [SAMPLES.length, SAMPLES.length])
  })

  given('J5: the number counts only what the caller may see', async (check, { items }) => {
    const asked = content.query({ visibility: USERS, lang: O.none, ...filters({}) })
    const page = await done(items.list(asked, { lim: O.some(1), offset: 0, after: O.none }, true))
    check.same([page.total, (await collect(page)).length], [2, 1])
  })
}

/** A store of one test, alone with its data. */
export type FeedAuthorsUnderTest = UnderTest<'feedAuthors' | 'feedItems'>

const author = (n: number): Author => ({ clientId: `app-${n}` as ClientId, email: O.some(sampleEmail(n)) })

const ANONYMOUS: Author = { clientId: 'kiosk' as ClientId, email: O.none }

/** Several samples share a moment, so that the id decides. */
const post = (n: number, over: Partial<UnpublishedFeedItem> = {}): UnpublishedFeedItem =>
  sampleFeedItem(n, { id: sampleId(n * 7919), createdAt: instant(1_700_000_000_000 + (n % 5)), ...over })

const page = (lim: number, offset = 0, after: O.Option<FeedCursor> = O.none): PageRequest<FeedCursor> => ({
  lim: O.some(lim),
  offset,
  after,
})

const WHOLE: PageRequest<FeedCursor> = { lim: O.none, offset: 0, after: O.none }

/** What every `FeedAuthors` must do, together with the store of posts. */
export const feedAuthorsContract = (
  runner: ContractRunner,
  make: () => Promise<FeedAuthorsUnderTest>,
): void => {
  const given = onEach(runner, make)
  const add = ({ feedItems }: FeedAuthorsUnderTest, item: UnpublishedFeedItem, by?: Author) =>
    done(feedItems.add({ item, linksToImages: [], ...(by && { author: by }) }))
  const own = async (
    { feedAuthors }: FeedAuthorsUnderTest,
    n: number,
    lang: O.Option<Language> = O.none,
    request = WHOLE,
  ) => collect(await done(feedAuthors.list({ email: sampleEmail(n), lang }, request)))
  const inOrder = (items: ReadonlyArray<FeedItem>) =>
    [...items].sort((a, b) => compareCursors(feedCursor(a), feedCursor(b)))

  given('L3: the author of a post is recorded with it, and only then', async (check, store) => {
    await add(store, post(1), author(1))
    await add(store, post(2), ANONYMOUS)
    await add(store, post(3))
    const ids = [1, 2, 3, 4].map((n) => post(n).id)
    const found = await done(store.feedAuthors.ofPosts([...ids, ...ids]))
    check.same(found.size, 2)
    check.same(found.get(post(1).id), author(1))
    check.same(found.get(post(2).id), ANONYMOUS)
    check.same(await done(store.feedAuthors.ofPosts([])), new Map())
  })

  given(
    'L3: own posts are those of the author, newest first; of others there are none',
    async (check, store) => {
      const posts = Array.from({ length: 12 }, (_, n) => post(n))
      for (const [n, item] of posts.entries()) await add(store, item, author(n % 2))
      await add(store, post(20), ANONYMOUS)
      await add(store, post(21))
      check.same(await own(store, 0), inOrder(posts.filter((_, n) => n % 2 === 0)))
      check.same(await own(store, 1), inOrder(posts.filter((_, n) => n % 2 === 1)))
      check.same(await own(store, 2), [])
    },
  )

  given('L3: own posts are listed in every state and by language, as they are now', async (check, store) => {
    await add(store, post(1), author(1))
    check.same(await own(store, 1), [post(1)], 'a Draft')
    const edit = editFeedItem(
      {
        isDonorRestricted: true,
        lang: 'fr',
        title: post(1).title,
        description: post(1).description,
        content: post(1).content,
        status: 'Live',
      },
      SAMPLE_MOMENT,
    )
    const write = (item: FeedItem) => ({ item, storesImages: [], displaysImages: [], linksToImages: [] })
    const changed = await done(store.feedItems.change(post(1).id, (item) => E.map(write)(edit(item))))
    check.same(changed.item.status, 'Live')
    check.same(await own(store, 1), [changed.item])
    check.same(await own(store, 1, O.some('fr')), [changed.item])
    check.same(await own(store, 1, O.some('en')), [])
    const authors = await done(store.feedAuthors.ofPosts([post(1).id]))
    check.same(authors.get(post(1).id), author(1), 'a change leaves the author')
  })

  given('C11, L3: pages of own posts meet each once, by cursors and by offsets', async (check, store) => {
    const posts = Array.from({ length: 23 }, (_, n) => post(n, { lang: n % 3 === 0 ? 'fr' : 'en' }))
    for (const [n, item] of posts.entries()) await add(store, item, author(n % 2))
    for (const lang of [O.none, O.some('en' as const)]) {
      const expected = inOrder(
        posts.filter((item, n) => n % 2 === 0 && (O.isNone(lang) || lang.value === item.lang)),
      )
      const walked: Array<FeedItem> = []
      let next: O.Option<FeedCursor> = O.none
      do {
        const request = page(4, 0, next)
        const listing = await done(store.feedAuthors.list({ email: sampleEmail(0), lang }, request))
        walked.push(...(await collect(listing)))
        next = listing.next
      } while (O.isSome(next))
      check.same(walked, expected)
      check.same(await own(store, 0, lang, page(3, 5)), expected.slice(5, 8))
      check.same(await own(store, 0, lang, page(600)), expected)
    }
  })
}
