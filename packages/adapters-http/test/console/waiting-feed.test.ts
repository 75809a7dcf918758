import t from 'tap'
import { type ConsoleFixture, EDITOR, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'
import { FEED_ITEM } from '../support/samples.ts'

const start = async (t: Pick<typeof import('tap').default, 'testdir' | 'teardown'>) => {
  const fixture = await startConsole(t.testdir(), { store: 'sqlite' })
  t.teardown(fixture.stop)
  return fixture
}

const MINUTE = 60_000

/** Makes a waiting feed for a signed-in manager. Returns its path. */
const makeFeed = async (fixture: ConsoleFixture, cookie: string): Promise<string> => {
  const made = await fixture.call('PUT', '/console/api/session/waiting-feed', {
    headers: { ...OWN_PAGE, cookie },
  })
  const { waitingFeed } = (await made.json()) as { readonly waitingFeed: { readonly url: string } }
  return new URL(waitingFeed.url).pathname
}

const readFeed = (fixture: ConsoleFixture, path: string, address = '192.0.2.1', method = 'GET') =>
  fixture.call(method, path, { headers: { 'x-forwarded-for': address } })

/** Lets a donor post something that waits for approval. */
const post = async (fixture: ConsoleFixture, itemTitle: string): Promise<void> => {
  const json = { ...FEED_ITEM, itemTitle, itemDescription: 'A text for the editors alone' }
  await fixture.call('POST', '/feed/', { as: 'donor', json })
}

t.test('M14: a feed reader sees how many posts wait, since when, and nothing of a donor', async (t) => {
  const fixture = await start(t)
  const path = await makeFeed(fixture, await signIn(fixture, 'editor'))
  t.match(path, /^\/console\/waiting\/[\w-]{20,}$/)
  const empty = await readFeed(fixture, path)
  t.equal(empty.status, 200)
  t.equal(empty.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  t.equal(empty.headers.get('cache-control'), 'private, no-store')
  t.notMatch(await empty.text(), /<entry>/)
  await post(fixture, 'Our well')
  const one = await (await readFeed(fixture, path)).text()
  t.match(one, /<entry>.*<title>(?:One post waits for approval|Une publication à examiner)<\/title>/)
  await post(fixture, 'Our school')
  const two = await (await readFeed(fixture, path)).text()
  const idOf = (feed: string) => /<entry><id>([^<]*)/.exec(feed)?.[1]
  t.not(idOf(two), idOf(one), 'an entry that readers show again')
  t.equal(idOf(two), idOf(await (await readFeed(fixture, path)).text()))
  for (const hidden of ['Our well', 'the editors', EDITOR, path.split('/').at(-1) ?? ''])
    t.notOk(two.includes(hidden))
  const head = await readFeed(fixture, path, '192.0.2.1', 'HEAD')
  t.strictSame([head.status, await head.text()], [200, ''])
})

t.test('M14: the address ends when it is replaced or removed, and with its manager’s access', async (t) => {
  const fixture = await start(t)
  const cookie = await signIn(fixture, 'editor')
  const own = (method: string) =>
    fixture.call(method, '/console/api/session/waiting-feed', { headers: { ...OWN_PAGE, cookie } })
  t.same(await (await own('GET')).json(), { waitingFeed: { madeAt: '' } })
  const first = await makeFeed(fixture, cookie)
  t.match(await (await own('GET')).json(), { waitingFeed: { madeAt: /^\d{4}-/ } })
  const second = await makeFeed(fixture, cookie)
  await seeProblem(t, await readFeed(fixture, first), 'not_found')
  t.equal((await readFeed(fixture, second)).status, 200)
  t.equal((await own('DELETE')).status, 200)
  await seeProblem(t, await readFeed(fixture, second), 'not_found')
  const third = await makeFeed(fixture, cookie)
  await fixture.ports.managers.change(EDITOR as never, { disabled: true })()
  await seeProblem(t, await readFeed(fixture, third), 'not_found')
})

t.test(
  'M14, A8: wrong addresses count by network: after a hundred a minute also the right one waits',
  async (t) => {
    const fixture = await start(t)
    const path = await makeFeed(fixture, await signIn(fixture, 'editor'))
    for (let n = 0; n < 100; n += 1)
      await seeProblem(t, await readFeed(fixture, `/console/waiting/wrong-${n}`, '192.0.2.7'), 'not_found')
    await seeProblem(t, await readFeed(fixture, path, '192.0.2.7'), 'too_many_requests')
    t.equal((await readFeed(fixture, path, '192.0.2.8')).status, 200)
    fixture.clock.advance(MINUTE)
    t.equal((await readFeed(fixture, path, '192.0.2.7')).status, 200)
  },
)

t.test(
  'M5, M14: neither a cookie nor a token opens a feed, and its address opens nothing else',
  async (t) => {
    const fixture = await start(t)
    const cookie = await signIn(fixture, 'editor')
    const path = await makeFeed(fixture, cookie)
    const wrong = { headers: { cookie, 'x-forwarded-for': '192.0.2.1' } }
    await seeProblem(t, await fixture.call('GET', '/console/waiting/other', wrong), 'not_found')
    const secret = path.split('/').at(-1) ?? ''
    const bearer = await fixture.call('GET', '/library/', { headers: { authorization: `Bearer ${secret}` } })
    t.equal(bearer.status, 401)
  },
)
