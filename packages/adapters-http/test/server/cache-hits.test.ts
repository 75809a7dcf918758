import type { ClientId, Ports } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { done, type Fixture, type FixtureOptions, startFixture } from '../support/fixture.ts'
import { create, createLive, itemsIn, look } from '../support/items.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

const UNKNOWN = '01890000-0000-7000-8000-000000000000'

/** A server with a response cache, and counts of its library listings and token lookups. */
const start = async (t: Test, options: FixtureOptions = {}) => {
  const counts = { lists: 0, tokens: 0 }
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    libraryItems: {
      ...ports.libraryItems,
      list: (query, window) => {
        counts.lists += 1
        return ports.libraryItems.list(query, window)
      },
    },
    accessTokens: {
      ...ports.accessTokens,
      grantOf: (digest, now) => {
        counts.tokens += 1
        return ports.accessTokens.grantOf(digest, now)
      },
    },
  })
  const fixture = await startFixture(t.testdir(), { keep: 1_000_000, wrap, ...options })
  t.teardown(fixture.stop)
  return { fixture, counts }
}

const list = async (fixture: Fixture, as: 'user' | 'donor' | 'manager' | 'admin', query = '') =>
  itemsIn(await fixture.call('GET', `/library/${query}`, { as }))

t.test('a response is computed once per kind of caller, until the next write', async (t) => {
  const { fixture, counts } = await start(t)
  await createLive(fixture, 'library')
  await Promise.all([fixture.token('user'), fixture.token('donor')])
  const before = { ...counts }
  for (let n = 0; n < 3; n += 1) t.equal((await list(fixture, 'user')).length, 1)
  // The same query in another form.
  const query = { access_token: await fixture.token('user') }
  t.equal((await itemsIn(await fixture.call('GET', '/library', { query }))).length, 1)
  t.equal(
    (await fixture.call('HEAD', '/library/', { as: 'user' })).headers.get('content-length') !== '0',
    true,
  )
  t.strictSame([counts.lists - before.lists, counts.tokens - before.tokens], [1, 1])
  await list(fixture, 'donor')
  t.equal(counts.lists - before.lists, 2, 'another kind of caller has its own response')
  await list(fixture, 'user', '?lim=1')
  t.equal(counts.lists - before.lists, 3, 'and so has another query')
  await createLive(fixture, 'library')
  t.equal((await list(fixture, 'user')).length, 2)
  t.equal(counts.lists - before.lists, 4)
})

t.test('concurrent identical requests share one computation', async (t) => {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let lists = 0
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    libraryItems: {
      ...ports.libraryItems,
      list: (query, window) => {
        lists += 1
        asked.resolve()
        return TE.flatMap(() => ports.libraryItems.list(query, window))(TE.fromTask(() => gate.promise))
      },
    },
  })
  const { fixture } = await start(t, { wrap })
  await create(fixture, 'library')
  await fixture.token('manager')
  const waiting = Array.from({ length: 20 }, () => list(fixture, 'manager'))
  await asked.promise
  // A blocked request here was sent before the others can be answered.
  t.equal((await fixture.call('GET', '/library/?lim=0', { as: 'manager' })).status, 400)
  gate.resolve()
  for (const items of await Promise.all(waiting)) t.equal(items.length, 1)
  t.equal(lists, 1)
})

t.test('C10: a cached response has its ETag and answers 304 to a matching If-None-Match', async (t) => {
  const { fixture, counts } = await start(t)
  const { itemId } = await create(fixture, 'library')
  const { etag } = await look(fixture, 'library', itemId)
  const before = counts.lists
  const ask = (known: string) =>
    fixture.call('GET', `/library/${itemId}`, { as: 'manager', headers: { 'if-none-match': known } })
  t.same(
    [(await ask(etag)).status, (await ask('"another"')).status, (await ask('*')).status],
    [304, 200, 304],
  )
  const answer = await ask(etag)
  t.same(
    [answer.headers.get('etag'), answer.headers.get('content-type'), await answer.text()],
    [etag, null, ''],
  )
  t.equal(counts.lists, before)
})

t.test(
  'A6: a cached token stays known while content is written, and is dropped when permissions change',
  async (t) => {
    const { fixture, counts } = await start(t)
    await createLive(fixture, 'library')
    await list(fixture, 'user')
    for (let n = 2; n < 5; n += 1) {
      const { tokens } = counts
      await createLive(fixture, 'library')
      t.equal(counts.tokens, tokens + 2, 'each of the two writes reads the rights of its caller (A9)')
      t.equal((await list(fixture, 'user')).length, n, 'the response has the written item')
      t.equal(counts.tokens, tokens + 2, 'a read does not')
    }
    const before = counts.tokens
    await done(fixture.ports.clients.setDisabled('user' as ClientId, true))
    t.equal((await fixture.call('GET', '/library/', { as: 'user' })).status, 401)
    t.equal(counts.tokens, before + 1)
  },
)

t.test('with almost no cache, responses are the same and computed each time', async (t) => {
  const { fixture, counts } = await start(t, { keep: 1 })
  await createLive(fixture, 'library')
  const before = counts.lists
  for (let n = 0; n < 3; n += 1) t.equal((await list(fixture, 'user')).length, 1)
  t.equal(counts.lists - before, 3)
})

t.test('errors are not cached', async (t) => {
  const { fixture } = await start(t)
  const wrong = () => fixture.call('GET', '/library/?lim=0', { as: 'user' })
  const [first, second] = [await wrong(), await wrong()]
  t.same([first.status, second.status], [400, 400])
  t.not(first.headers.get('x-request-id'), second.headers.get('x-request-id'))
  t.equal((await fixture.call('GET', '/library/?access_token=nonsense')).status, 401)
  t.equal((await fixture.call('GET', '/library/?access_token=nonsense')).status, 401)
})

t.test('rejected writes (404) do not clear the cache', async (t) => {
  const { fixture, counts } = await start(t)
  await createLive(fixture, 'library')
  await Promise.all([list(fixture, 'user'), fixture.token('donor')])
  const before = counts.lists
  for (const as of ['user', 'donor'] as const) {
    const multipart = new FormData()
    multipart.set('itemUploadMedia', new File(['x'], 'a.png'))
    t.equal((await fixture.call('POST', `/feed/${UNKNOWN}/media`, { as, multipart })).status, 404)
    await list(fixture, 'user')
  }
  t.equal(counts.lists, before, 'the list is still served from the cache')
})

t.test('concurrent rejected writers share one clearing of the cache and are answered after it', async (t) => {
  const [gate, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asked = { waits: 0, writes: 0, lists: 0 }
  const WRITERS = 5
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    timer: {
      wait: () => () => {
        asked.waits += 1
        return gate.promise
      },
    },
    libraryItems: {
      ...ports.libraryItems,
      list: (query, window) => {
        asked.lists += 1
        return ports.libraryItems.list(query, window)
      },
      change: (id, decide) => async () => {
        const result = await ports.libraryItems.change(id, decide)()
        asked.writes += 1
        if (asked.writes === WRITERS) all.resolve()
        return result
      },
    },
  })
  const { fixture } = await start(t, { wrap })
  await Promise.all([list(fixture, 'user'), fixture.token('manager')])
  let answered = 0
  const refused = Array.from({ length: WRITERS }, async () => {
    const json = { ...LIBRARY_ITEM, status: 'Draft' }
    const { status } = await fixture.call('POST', `/library/${UNKNOWN}`, { as: 'manager', json })
    answered += 1
    return status
  })
  await all.promise
  await list(fixture, 'user')
  t.same([answered, asked.lists], [0, 1], 'until then the cache is used, and no writer is answered')
  gate.resolve()
  t.same(await Promise.all(refused), Array(WRITERS).fill(404))
  t.equal(asked.waits, 1)
  await list(fixture, 'user')
  t.equal(asked.lists, 2, 'the list is computed again')
})
