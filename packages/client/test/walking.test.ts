import t from 'tap'
import { FEED_ITEM, newFeedItem } from '../../adapters-http/test/support/samples.ts'
import { nextQuery } from '../src/requests.ts'
import { startService } from './support/service.ts'

t.test(
  'C11: iterating returns each element of a collection once, in order, page by page, unwrapped',
  async (t) => {
    const service = await startService(t)
    const ids: Array<string> = []
    for (let n = 0; n < 5; n += 1) ids.unshift(await newFeedItem(service.fixture, { itemTitle: `Post ${n}` }))
    const api = service.as('manager')
    const seen: Array<string> = []
    for await (const item of api.walk('/feed/', { query: { lim: 2 } })) seen.push(item.itemId)
    t.same(seen, ids)
    const pages = () => service.asked.filter((line) => line === 'GET /feed/').length
    t.equal(pages(), 3)
    for await (const item of api.walk('/feed/')) t.match(item, { link: FEED_ITEM.link })
    t.equal(pages(), 4)
    t.equal(service.queries.at(-1), '?lim=100')
    for await (const _ of api.walk('/feed/', { query: { lim: 1 } })) break
    t.equal(pages(), 5, 'stopping early requests no further page')
  },
)

t.test('C11: filters apply to every page, and offset to the first only', async (t) => {
  const service = await startService(t)
  for (let n = 0; n < 6; n += 1)
    await newFeedItem(service.fixture, { itemTitle: `${n}`, lang: n % 2 === 0 ? 'en' : 'fr' })
  const api = service.as('manager')
  const titles: Array<string> = []
  for await (const { itemTitle } of api.walk('/feed/', { query: { lang: 'fr', lim: 1, offset: 1 } }))
    titles.push(itemTitle)
  t.same(titles, ['3', '1'])
})

t.test('A5: the token is not sent to another host named in Link', async (t) => {
  const service = await startService(t)
  await newFeedItem(service.fixture)
  await newFeedItem(service.fixture)
  const api = service.as('manager')
  const { headers } = await api.get('/feed/', { query: { lim: 1 } })
  t.match(
    headers.get('Link'),
    /^<https:\/\/almoner\.example\.org\//,
    'it names a host other than the service',
  )
  let count = 0
  for await (const _ of api.walk('/feed/', { query: { lim: 1 } })) count += 1
  t.equal(count, 2)
})

t.test('iterating throws what a call rejects with, and a signal ends it', async (t) => {
  const service = await startService(t)
  await newFeedItem(service.fixture)
  await newFeedItem(service.fixture)
  const api = service.as('manager')
  await t.rejects(api.walk('/feed/', { query: { lim: 0 } }).next(), {
    status: 400,
    errors: [{ field: 'lim' }],
  })
  const controller = new AbortController()
  const walk = api.walk('/feed/', { query: { lim: 1 }, signal: controller.signal })
  await walk.next()
  controller.abort()
  await t.rejects(walk.next(), { name: 'AbortError' })
})

t.test('RFC 8288: the next page is found among other links', async (t) => {
  const queryOf = (link: string) => nextQuery(new Headers({ Link: link }))
  t.same(queryOf('<https://a.example/x?lim=1&after=a%2Cb>; rel="next"'), { lim: '1', after: 'a,b' })
  t.same(queryOf('</x?after=2>; title="the; next, one"; rel=next'), { after: '2' })
  t.same(queryOf('<https://a.example/1>; rel="prev", <https://a.example/?after=3>; rel="last next"'), {
    after: '3',
  })
  t.equal(queryOf('<https://a.example/1>; rel="prev"; title="next"'), undefined)
  t.equal(queryOf('<https://a.example/1>; rel="nextish"'), undefined)
  t.equal(nextQuery(new Headers()), undefined)
})
