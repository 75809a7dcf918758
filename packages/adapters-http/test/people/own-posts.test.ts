import t from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { itemIn, itemsIn, onEachStore, onServer, PHOTO, update } from '../support/items.ts'
import { AMINA, BRUNO, newClient } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM } from '../support/samples.ts'
import { imagePath, upload } from '../support/uploads.ts'

// L3: GET /user/<email>/feed.

const path = (email: string) => `/user/${encodeURIComponent(email)}/feed`

const post = async (fixture: Fixture, send: Send, over: object = {}) =>
  itemIn(await fixture.call('POST', '/feed/', { json: { ...FEED_ITEM, ...over }, ...send }))

const own = async (fixture: Fixture, send: Send, email = AMINA) =>
  itemsIn(await fixture.call('GET', path(email), send))

const BRUNOS = { scopes: ['user-donor'], email: BRUNO } as const

onEachStore(t, 'L3: own posts in every state, newest first, and none of others', async (t, fixture) => {
  const bruno = await newClient(fixture, 'bruno', BRUNOS)
  const first = await post(fixture, { as: 'donor' })
  const theirs = await post(fixture, bruno)
  await post(fixture, { as: 'manager' })
  const second = await post(fixture, { as: 'donor' }, { lang: 'fr' })
  t.strictSame(await own(fixture, { as: 'donor' }), [second, first])
  t.strictSame(await own(fixture, bruno, AMINA), [theirs], 'the path is not used (F3)')
  const live = await itemIn(await update(fixture, 'feed', first.itemId, { ...FEED_ITEM, status: 'Live' }))
  t.strictSame(await own(fixture, { as: 'donor' }), [second, live])
  t.strictSame(await own(fixture, { as: 'donor', query: { lang: 'fr' } }), [second])
  t.strictSame(await own(fixture, { as: 'userManager' }, BRUNO), [theirs])
  t.strictSame(await own(fixture, { as: 'userManager' }, 'unknown@example.org'), [])
})

onEachStore(t, 'L3, C11: Link walks the own posts, each once', async (t, fixture) => {
  const made = []
  for (let n = 0; n < 7; n += 1) made.unshift(await post(fixture, { as: 'donor' }, { itemTitle: `${n}` }))
  const walked = []
  let next: string | undefined = `${path(AMINA)}?lim=3`
  while (next !== undefined) {
    const answer: Response = await fixture.call('GET', next, { as: 'donor' })
    walked.push(...(await itemsIn(answer)))
    const link = /^<https?:\/\/[^/]+(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')
    next = link?.[1]
  }
  t.strictSame(walked, made)
  t.strictSame(await own(fixture, { as: 'donor', query: { lim: '2', offset: '4' } }), made.slice(4, 6))
})

onEachStore(
  t,
  'L3, D9, J6: include=images adds the images of own posts, page by page',
  async (t, fixture) => {
    const photo = await post(fixture, { as: 'donor' }, { ...PHOTO, imgAlt: 'A pump', link: undefined })
    await upload(fixture, imagePath('feed', photo.itemId))
    const linked = await post(fixture, { as: 'donor' }, { ...PHOTO, link: 'https://example.org/well.jpg' })
    const plain = await post(fixture, { as: 'donor' })
    const imagesOf = (items: ReadonlyArray<object>) => items.map((item) => 'images' in item && item.images)
    const expected = [
      { image: null },
      { image: { url: linked.link, alt: '', width: null, height: null, renditions: [] } },
      { image: { alt: 'A pump', width: 400, height: 560, renditions: [{ width: 160 }, {}, {}] } },
    ]
    const all = await own(fixture, { as: 'donor', query: { include: 'images,labels' } })
    t.match(imagesOf(all), expected)
    t.match(all, [{ itemId: plain.itemId }, { itemId: linked.itemId }, { itemId: photo.itemId }])
    t.strictSame(
      imagesOf(await own(fixture, { as: 'donor', query: { include: 'labels,author' } })),
      [false, false, false],
      'other names of J4 are ignored',
    )
    const first = await fixture.call('GET', `${path(AMINA)}?lim=1&include=images`, { as: 'donor' })
    const [, next = ''] = /^<https?:\/\/[^/]+(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    t.match(imagesOf(await itemsIn(await fixture.call('GET', next, { as: 'donor' }))), [expected[1]])
  },
)

onServer(t, 'L3: the author shows in no answer', async (t, fixture) => {
  const { itemId } = await post(fixture, { as: 'donor' })
  for (const as of ['donor', 'manager'] as const) {
    const answers = [
      await fixture.call('GET', path(AMINA), { as: 'userManager' }),
      await fixture.call('GET', `/feed/${itemId}`, { as }),
      await fixture.call('GET', '/feed/', { as }),
    ]
    for (const answer of answers) t.notMatch(await answer.text(), AMINA)
  }
})

onEachStore(
  t,
  'L3, L1: author and managers see why a post is not taken, until it is Live or its author is erased',
  async (t, fixture) => {
    const { itemId } = await post(fixture, { as: 'donor' })
    const write = (over: object) => update(fixture, 'feed', itemId, { ...FEED_ITEM, ...over })
    const seen = async (path: string, as: 'donor' | 'manager') =>
      (await itemsIn(await fixture.call('GET', path, { as, query: { include: 'reason,images' } }))).map(
        (item) => (item as { readonly reason?: string }).reason,
      )
    const both = async () => [...(await seen(path(AMINA), 'donor')), ...(await seen('/feed/', 'manager'))]
    t.strictSame(await both(), ['', ''])
    const archived = await itemIn(await write({ status: 'Archived', reason: 'Trop sombre 🙏' }))
    t.notOk('reason' in archived, 'only with include')
    t.strictSame(await both(), ['Trop sombre 🙏', 'Trop sombre 🙏'])
    const { history } = (await (
      await fixture.call('GET', `/feed/${itemId}/history`, { as: 'manager' })
    ).json()) as { readonly history: ReadonlyArray<{ readonly revision: { readonly changes: unknown } }> }
    t.match(history[0]?.revision.changes, [{ field: 'status' }, { field: 'reason', after: 'Trop sombre 🙏' }])
    await write({ status: 'Draft' })
    await write({ status: 'Live' })
    t.strictSame(await both(), ['', ''])
    for (const [over, field] of [
      [{ status: 'Live', reason: 'x' }, 'reason'],
      [{ status: 'Archived', reason: 'x'.repeat(501) }, 'reason'],
    ] as const)
      t.strictSame(fieldsOf(await seeProblem(t, await write(over), 'invalid_request')), [field])
    await seeProblem(
      t,
      await fixture.call('GET', '/feed/', { as: 'donor', query: { include: 'reason' } }),
      'insufficient_scope',
    )
    await write({ status: 'Archived', reason: 'Trop sombre' })
    t.equal((await fixture.call('DELETE', `/user/${AMINA}`, { as: 'userManager' })).status, 200)
    t.strictSame(await seen('/feed/', 'manager'), [''])
    t.notMatch(await (await fixture.call('GET', `/feed/${itemId}/history`, { as: 'manager' })).text(), 'Trop')
  },
)

onServer(
  t,
  'L3: itemType and parameters of J but include=images,reason are ignored, wrong pages are 400',
  async (t, fixture) => {
    const made = await post(fixture, { as: 'donor' })
    const query = { itemType: 'vlink', q: 'nothing', status: 'Live', labelId: 'x', count: '?', include: '?' }
    t.strictSame(await own(fixture, { as: 'donor', query }), [made])
    const wrong = await fixture.call('GET', path(AMINA), {
      as: 'donor',
      query: { lim: '0', offset: '-1', lang: 'de' },
    })
    t.strictSame(fieldsOf(await seeProblem(t, wrong, 'invalid_request')), ['lang', 'lim', 'offset'])
  },
)

onServer(t, 'L3, F3: who may ask', async (t, fixture) => {
  const ask = (as: 'user' | 'manager' | 'userManager', email = AMINA) =>
    fixture.call('GET', path(email), { as })
  await seeProblem(t, await ask('user'), 'insufficient_scope')
  await seeProblem(t, await ask('manager'), 'no_user')
  t.strictSame(fieldsOf(await seeProblem(t, await ask('userManager', 'malformed'), 'invalid_request')), [
    'email',
  ])
})
