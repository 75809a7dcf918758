import {
  type Author,
  compareCursors,
  editFeedItem,
  type FeedCursor,
  type FeedItem,
  feedCursor,
  type UnpublishedFeedItem,
} from '@almoner/domain/content'
import { type ClientId, instant, type Language, type PageRequest } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { collect } from './item-store.ts'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, sampleFeedItem, sampleId } from './samples.ts'
import { SAMPLE_MOMENT, sampleEmail } from './samples-people.ts'

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
