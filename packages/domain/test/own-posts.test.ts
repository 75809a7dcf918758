import assert from 'node:assert/strict'
import { collect } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  AMINA,
  amina,
  callerWith,
  donor,
  type Fixture,
  feedUpdate,
  manager,
  newFixture,
  user,
  userManager,
} from './fixtures/fixture.ts'

// L3: what a user posted, and who sees whose posts.

const BRUNO = 'bruno@example.org' as domain.Email
const bruno = callerWith(['user-donor'], [], BRUNO)
const LINK = 'https://example.org/page'

const post = ({ act }: Fixture, caller: domain.Caller, itemTitle = 'Post', lang = 'en') => {
  const sent = { itemType: 'link', itemTitle, itemDescription: 'Text', link: LINK, lang }
  return done(act.createFeedItem(caller, read(domain.CreateFeedItem, sent)))
}

const own = async ({ act }: Fixture, caller: domain.Caller, raw: domain.RawParameters = {}) =>
  collect(await done(act.listOwnPosts(caller, read(domain.ListOwnPosts, { email: 'me', ...raw }))))

const feed = async ({ act }: Fixture, caller: domain.Caller, raw: domain.RawParameters = {}) =>
  collect(await done(act.listFeedItems(caller, read(domain.ListFeedItems, raw))))

t.test('L3: a user lists the own posts in every state, newest first, by language', async (t) => {
  const fixture = newFixture()
  const [first, second] = [await post(fixture, amina, 'first'), await post(fixture, amina, 'second', 'fr')]
  await post(fixture, bruno)
  await post(fixture, donor)
  t.same(await own(fixture, amina), [second, first])
  t.same(await own(fixture, amina, { lang: 'fr' }), [second])
  t.same(await own(fixture, amina, { lim: '1', offset: '1' }), [first])
  const update = feedUpdate(first.id, { itemType: 'link', link: LINK, status: 'Archived' })
  const archived = await done(fixture.act.updateFeedItem(manager, update, O.none))
  t.same(await own(fixture, amina), [second, archived])
})

t.test(
  'L3, F3: the token says whose posts; a user-manager names a user; unknown users have none',
  async (t) => {
    const fixture = newFixture()
    const made = await post(fixture, amina)
    t.same(await own(fixture, bruno, { email: AMINA }), [])
    t.same(await own(fixture, userManager, { email: 'AMINA@example.org' }), [made])
    t.same(await own(fixture, userManager, { email: 'unknown@example.org' }), [])
    const list = (caller: domain.Caller, email: string) =>
      failure(fixture.act.listOwnPosts(caller, read(domain.ListOwnPosts, { email })))
    t.equal(await list(donor, AMINA), 'NoActingUser')
    t.equal(await list(user, AMINA), 'InsufficientScope')
    t.equal(await list(userManager, 'malformed'), 'ValidationFailed')
  },
)

t.test(
  'L3, D9, J4: include=images costs one statement a page, and no other name adds anything',
  async (t) => {
    const fixture = newFixture()
    await post(fixture, amina, 'first')
    await post(fixture, amina, 'second')
    let asked = 0
    const knownImages: domain.Ports['knownImages'] = {
      ...fixture.ports.knownImages,
      sizesOf: (names) => {
        asked += 1
        return fixture.ports.knownImages.sizesOf(names)
      },
    }
    const list = domain.makeListOwnPosts({ ...fixture.ports, knownImages })
    const included = async (raw: domain.RawParameters) => {
      const found = await done(list(amina, read(domain.ListOwnPosts, { email: 'me', ...raw })))
      return (await collect(found)).map((item) => item.included)
    }
    t.same(await included({ lim: '2', include: 'images,images' }), [
      { images: { image: O.none } },
      { images: { image: O.none } },
    ])
    t.equal(asked, 1)
    t.same(await included({ include: 'images' }), Array(2).fill({ images: { image: O.none } }), 'streamed')
    t.same(await included({ include: 'author,older,?' }), [undefined, undefined])
  },
)

t.test('L3: the author is the client and the user of its creation', async (t) => {
  const fixture = newFixture()
  const [bound, unbound] = [await post(fixture, amina), await post(fixture, donor)]
  const authors = await done(fixture.ports.feedAuthors.ofPosts([bound.id, unbound.id]))
  t.same(authors.get(bound.id), { clientId: 'app', email: O.some(AMINA) })
  t.same(authors.get(unbound.id), { clientId: 'app', email: O.none })
})

const DONORS = [amina, bruno] as const

/** A fixture with the posts of two donors in it. */
interface Play extends Fixture {
  readonly posts: Array<{ readonly by: number; item: domain.FeedItem }>
}

/** What a donor does, or a manager about a post. Returns what the donor sees. */
type Act = (play: Play, who: 0 | 1, n: number) => Promise<ReadonlyArray<domain.FeedItem>>

const chosen = ({ posts }: Play, n: number) => posts[n % Math.max(1, posts.length)]

const setStatus =
  (status: domain.Status): Act =>
  async (play, _, n) => {
    const one = chosen(play, n)
    if (one === undefined) return []
    const update = feedUpdate(one.item.id, { itemType: 'link', link: LINK, status })
    one.item = await done(play.act.updateFeedItem(manager, update, O.none))
    return []
  }

const ACTS = {
  post: async (play, who) => {
    play.posts.push({ by: who, item: await post(play, DONORS[who]) })
    return []
  },
  approve: setStatus('Live'),
  withdraw: setStatus('Draft'),
  list: (play, who) => feed(play, DONORS[who]),
  fetch: (play, who, n) => feed(play, DONORS[who], { itemId: chosen(play, n)?.item.id ?? 'none' }),
  own: async (play, who) => {
    const seen = await own(play, DONORS[who])
    assert.equal(seen.length, play.posts.filter(({ by }) => by === who).length, 'all own posts')
    return seen
  },
} satisfies Readonly<Record<string, Act>>

const step = fc.record({
  kind: fc.constantFrom(...(Object.keys(ACTS) as ReadonlyArray<keyof typeof ACTS>)),
  who: fc.constantFrom(0 as const, 1 as const),
  n: fc.nat(5),
})

t.test('L3, A3: in 1,000 random sequences no donor sees the draft of the other', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
    const play: Play = { ...newFixture(), posts: [] }
    for (const { kind, who, n } of steps)
      for (const { id, status } of await ACTS[kind](play, who, n)) {
        const isOwn = play.posts.some(({ item, by }) => item.id === id && by === who)
        assert.ok(status === 'Live' || isOwn, `${kind} shows a ${status} of the other`)
      }
  })
  await fc.assert(property, { numRuns: 1000 })
  t.pass('none')
})
