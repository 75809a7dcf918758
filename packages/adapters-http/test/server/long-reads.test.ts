import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ports } from '@almoner/domain'
import t from 'tap'
import { isLongRead } from '../../src/request/body-parsers.ts'
import { type Fixture, startFixture, type Who } from '../support/fixture.ts'

/** Holds back long reads of the library until they are released, and counts them. */
const makeHold = () => {
  const opened = Promise.withResolvers<void>()
  const seen = { running: 0, most: 0, all: 0 }
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    libraryItems: {
      ...ports.libraryItems,
      list: (query, window, isCounted) => async () => {
        const isLong = query.filters !== undefined || isCounted === true || window.offset > 1000
        if (!isLong) return ports.libraryItems.list(query, window, isCounted)()
        seen.all += 1
        seen.running += 1
        seen.most = Math.max(seen.most, seen.running)
        await opened.promise
        seen.running -= 1
        return ports.libraryItems.list(query, window, isCounted)()
      },
    },
  })
  return { seen, wrap, open: opened.resolve }
}

const LONG = [
  'q=water',
  'lim=5&count=true',
  'lim=5&offset=5000',
  'status=Live',
  'labelId=water',
  'from=2020-01-01',
]

const held = async (fixture: Fixture, seen: { readonly all: number }, most: number) => {
  while (seen.all < most) await nextTurn()
  // A further one would be read by now: each of these passes through the whole server.
  for (let n = 0; n < 5; n += 1) await fixture.call('GET', '/library/?lim=1', { as: 'manager' })
}

t.test(
  'I6: two long reads of a caller run at a time, and hold up neither its pages nor other callers',
  async (t) => {
    const hold = makeHold()
    const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: hold.wrap })
    t.teardown(fixture.stop)
    const read = (as: Who, query: string) => fixture.call('GET', `/library/?${query}`, { as })
    const searches = LONG.map((query) => read('manager', query))
    await held(fixture, hold.seen, 2)
    t.equal(hold.seen.all, 2, 'the others wait')
    const others = read('user', 'q=water')
    await held(fixture, hold.seen, 3)
    t.equal(hold.seen.all, 3)
    hold.open()
    for (const answer of await Promise.all([...searches, others])) t.equal(answer.status, 200)
    t.equal(hold.seen.all, LONG.length + 1)
    t.equal(hold.seen.most, 3)
  },
)

t.test('I6: a long read whose client has gone is not begun', async (t) => {
  const hold = makeHold()
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: hold.wrap })
  t.teardown(fixture.stop)
  const headers = { authorization: `Bearer ${await fixture.token('manager')}` }
  const running = [1, 2].map(() => fetch(`${fixture.url}/library/?q=water`, { headers }))
  await held(fixture, hold.seen, 2)
  const gone = new AbortController()
  const arrived = new Promise<void>((resolve) =>
    fixture.app.server.once('request', (_, response) => {
      response.once('close', () => resolve())
      gone.abort()
    }),
  )
  await t.rejects(fetch(`${fixture.url}/library/?q=gone`, { headers, signal: gone.signal }))
  await arrived
  hold.open()
  for (const answer of await Promise.all(running)) await answer.text()
  const answer = await fetch(`${fixture.url}/library/?q=water`, { headers })
  t.equal(answer.status, 200, 'its place is free again')
  t.equal(hold.seen.all, 3)
})

t.test('I6: a long read gives its place back, however it ends', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const ENDS: ReadonlyArray<readonly [method: 'GET' | 'HEAD', query: string, status: number]> = [
    ['GET', 'lim=5&q=water', 200],
    ['HEAD', 'lim=5&q=water', 200],
    ['GET', 'lim=5&offset=5000', 200],
    ['GET', 'q=water', 200],
    ['HEAD', 'q=water', 200],
    ['GET', 'q=water&lim=x', 400],
    ['GET', 'q=water&after=x', 400],
  ]
  // A third one would wait for ever.
  for (const [method, query, status] of ENDS)
    for (let n = 1; n <= 3; n += 1) {
      const answer = await fixture.call(method, `/library/?${query}`, { as: 'manager' })
      t.equal(answer.status, status, `${method} ${query}, ${n}`)
    }
})

t.test('I6: which requests are long reads', async (t) => {
  for (const raw of [
    { q: 'a' },
    { count: 'true' },
    { offset: '1001', lim: '1' },
    { offset: 1001 },
    { isDonorRestricted: '0' },
    { to: '2020-01-01' },
  ])
    t.ok(isLongRead('listLibraryItems', raw), JSON.stringify(raw))
  for (const raw of [
    {},
    { q: '' },
    { lim: '500', offset: '1000' },
    { lang: 'fr', after: 'x' },
    { include: 'labels' },
  ])
    t.notOk(isLongRead('listLibraryItems', raw), JSON.stringify(raw))
  t.ok(isLongRead('showStatistics', {}))
})
