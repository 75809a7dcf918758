import { collect } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  BASE_URL,
  BROKEN,
  donor,
  everythingIn,
  type Fixture,
  feedDraft,
  feedLive,
  feedUpdate,
  IMAGE,
  libraryDraft,
  libraryImage,
  manager,
  newFixture,
  user,
} from './fixtures/fixture.ts'

const ANY: domain.Precondition = O.none
const UNKNOWN = 'unknown' as domain.ItemId
const LINK = 'https://example.org/page'

const update = ({ act }: Fixture, id: string, over: domain.RawParameters = {}, expected = ANY) =>
  act.updateFeedItem(manager, feedUpdate(id, over), expected)

const upload = (
  { act }: Fixture,
  caller: domain.Caller,
  itemId: domain.ItemId,
  bytes = IMAGE,
  expected = ANY,
) => act.uploadFeedImage(caller, { itemId }, bytes, expected)

const remove = ({ act }: Fixture, itemId: domain.ItemId, expected = ANY) =>
  act.removeFeedImage(manager, { itemId }, expected)

const listed = async ({ act }: Fixture, caller: domain.Caller, raw: domain.RawParameters = {}) =>
  collect(await done(act.listFeedItems(caller, read(domain.ListFeedItems, raw))))

t.test('every new post is Draft until a content manager approves it', async (t) => {
  const fixture = newFixture()
  const made = await feedDraft(fixture, { status: 'Live', lang: 'FR', isDonorRestricted: 'yes' })
  t.match(made, { status: 'Draft', lang: 'fr', isDonorRestricted: true, revision: 1 })
  t.same(made.content, { kind: 'photo', link: O.none, vlink: O.none, image: O.none })
  t.match(await feedDraft(fixture), { lang: 'en', isDonorRestricted: false })
  t.same(await listed(fixture, donor), [])
  const live = await done(update(fixture, made.id, { status: 'Live', link: LINK }))
  t.match(live, { status: 'Live', lang: 'fr', isDonorRestricted: true })
  t.same([await listed(fixture, donor), await listed(fixture, user)], [[live], []])
})

t.test('GET /feed/: itemType, lang and itemId filter the list', async (t) => {
  const fixture = newFixture()
  const photo = await feedLive(fixture)
  const page = await feedLive(fixture, { itemType: 'link', link: LINK, lang: 'fr' })
  t.same(await listed(fixture, user), [page, photo])
  t.same(await listed(fixture, user, { itemType: 'photo' }), [photo])
  t.same(await listed(fixture, user, { lang: 'FR' }), [page])
  t.same(await listed(fixture, user, { lang: 'en', itemType: 'link' }), [])
  t.same(await listed(fixture, user, { itemId: page.id, itemType: 'link' }), [page])
  t.same(await listed(fixture, user, { itemId: page.id, itemType: 'photo' }), [])
})

t.test('C7: a photo post needs something to display to be Live, such as an uploaded image', async (t) => {
  const fixture = newFixture()
  const { id } = await feedDraft(fixture)
  const before = await everythingIn(fixture)
  const refused = await update(fixture, id, { status: 'Live' })()
  t.match(refused, E.left({ _tag: 'ValidationFailed', errors: [{ field: 'link' }] }))
  t.same(await everythingIn(fixture), before)
  await done(upload(fixture, user, id))
  t.match(await done(update(fixture, id, { status: 'Live' })), { status: 'Live', content: { link: O.none } })
  await done(update(fixture, id, { status: 'Archived' }))
  t.equal(await failure(update(fixture, id, { status: 'Live' })), 'IllegalTransition', 'C5')
})

t.test('D4: the scope user may add an image to a Draft that has none', async (t) => {
  for (const caller of [user, donor, manager]) {
    const fixture = newFixture()
    const { id } = await feedDraft(fixture, { isDonorRestricted: '1' })
    const shown = await done(upload(fixture, caller, id))
    t.same(fixture.files().map(O.some), [shown.content.image])
    t.match(shown, { status: 'Draft', revision: 2 })
  }
})

t.test('D4: an approved post cannot be changed without a manager', async (t) => {
  const fixture = newFixture()
  const illustrated = await feedDraft(fixture)
  await done(upload(fixture, user, illustrated.id))
  const archived = await feedLive(fixture)
  await done(update(fixture, archived.id, { status: 'Archived' }))
  const open = await feedLive(fixture)
  const restricted = await feedLive(fixture, { isDonorRestricted: '1' })
  const before = await everythingIn(fixture)
  const answers = (caller: domain.Caller) =>
    Promise.all(
      [illustrated, archived, open, restricted].map(({ id }) => failure(upload(fixture, caller, id))),
    )
  const [hidden, told] = ['ItemNotFound', 'InsufficientScope']
  t.same(await answers(user), [hidden, hidden, told, hidden], '403 for a visible item, 404 for a hidden one')
  t.same(await answers(donor), [hidden, hidden, told, told])
  const refused = await upload(fixture, user, open.id)()
  t.same(refused, E.left({ _tag: 'InsufficientScope', scope: 'content-manager' }))
  t.same(await everythingIn(fixture), before)
  t.same(await answers(manager), ['none', 'none', 'none', 'none'])
  t.equal(fixture.files().length, 4, 'D5: the replaced file is deleted')
})

t.test('C4, D4: a hidden post and a missing one give the same responses', async (t) => {
  const fixture = newFixture()
  const { id } = await feedDraft(fixture)
  await done(upload(fixture, user, id))
  const answers = async (itemId: domain.ItemId) => [
    await upload(fixture, user, itemId)(),
    await upload(fixture, user, itemId, BROKEN)(),
    await upload(fixture, user, itemId, IMAGE, O.some(new Set([1])))(),
    await listed(fixture, user, { itemId }),
    await listed(fixture, user, { itemId, lim: '1', itemType: 'photo' }),
  ]
  t.same(await answers(id), await answers(UNKNOWN))
})

t.test('D4: of two concurrent uploads one is stored, and the other leaves no file', async (t) => {
  const fixture = newFixture()
  const { id } = await feedDraft(fixture)
  const answers = await Promise.all([failure(upload(fixture, user, id)), failure(upload(fixture, user, id))])
  t.same(answers.sort(), ['ItemNotFound', 'none'])
  t.equal(fixture.files().length, 1)
})

t.test(
  'D1: an image is checked for 400 by 560 pixels, only if the caller may upload it, and stored if valid',
  async (t) => {
    const rules: Array<domain.ImageRule> = []
    const fixture = newFixture({}, ({ imageChecker }) => ({
      imageChecker: {
        check: (bytes, rule) => {
          rules.push(rule)
          return imageChecker.check(bytes, rule)
        },
      },
    }))
    const { id } = await feedLive(fixture)
    const before = await everythingIn(fixture)
    t.equal(await failure(upload(fixture, user, id)), 'InsufficientScope')
    t.same(rules, [])
    t.equal(await failure(upload(fixture, manager, id, BROKEN)), 'BrokenImage')
    t.same(rules, [domain.FEED_IMAGE])
    t.same(await everythingIn(fixture), before)
  },
)

t.test('C8, D3: the image of a post can be removed, unless a Live photo displays nothing else', async (t) => {
  const fixture = newFixture()
  const { id } = await feedDraft(fixture)
  t.equal(await failure(remove(fixture, id)), 'ImageNotFound')
  await done(upload(fixture, user, id))
  await done(update(fixture, id, { status: 'Live' }))
  t.equal(await failure(remove(fixture, id)), 'ImageNeeded')
  t.equal(fixture.files().length, 1)
  await done(update(fixture, id, { status: 'Live', link: LINK }))
  t.match(await done(remove(fixture, id)), { status: 'Live', content: { image: O.none } })
  t.same(fixture.files(), [], 'D5: the file is deleted')
})

t.test(
  'C10: writes with an outdated ETag change nothing; for an unknown post not found comes first',
  async (t) => {
    const fixture = newFixture()
    const { id } = await feedDraft(fixture)
    await done(upload(fixture, user, id))
    const before = await everythingIn(fixture)
    const [old, present] = [1, 2].map((revision) => O.some(new Set([revision])))
    const writes = (itemId: domain.ItemId, expected = ANY) => [
      failure(update(fixture, itemId, {}, expected)),
      failure(upload(fixture, manager, itemId, IMAGE, expected)),
      failure(remove(fixture, itemId, expected)),
    ]
    t.same(await Promise.all(writes(id, old)), [
      'PreconditionFailed',
      'PreconditionFailed',
      'PreconditionFailed',
    ])
    for (const expected of [old, ANY])
      t.same(await Promise.all(writes(UNKNOWN, expected)), ['ItemNotFound', 'ItemNotFound', 'ItemNotFound'])
    t.same(await everythingIn(fixture), before)
    t.match(await done(update(fixture, id, {}, present)), { revision: 3 })
  },
)

t.test('D5: a post’s links keep an image of another item while they point to it', async (t) => {
  for (const field of ['link', 'vlink']) {
    const fixture = newFixture()
    const { id } = await libraryImage(fixture, (await libraryDraft(fixture)).id)
    const url = `${BASE_URL}/static/media/${fixture.files()[0]}`
    const post = await feedDraft(fixture, { itemType: field, [field]: url })
    await done(fixture.act.removeLibraryImage(manager, { itemId: id, image: 'cover' }, ANY))
    t.equal(fixture.files().length, 1)
    await done(update(fixture, post.id, { itemType: 'photo' }))
    t.same(fixture.files(), [], 'C7: changing its type drops the link')
  }
})
