import t from 'tap'
import { FEED_ITEM } from '../../adapters-http/test/support/samples.ts'
import { PNG } from '../../adapters-http/test/support/uploads.ts'
import { makeClient } from '../src/client.ts'
import type { Send } from '../src/tokens.ts'
import { type Service, startService } from './support/service.ts'

const FEED = { ...FEED_ITEM, itemType: 'link' } as const

/** A client whose sending a test has in its hands. */
const sending = ({ fixture, credentialsOf, time }: Service, send: Send) =>
  makeClient({ baseUrl: fixture.url, credentials: credentialsOf('manager'), fetch: send }, time)

const isWrite = ({ method, url }: Request): boolean => method === 'POST' && !url.includes('/oauth2/')

const items = async (service: Service): Promise<number> =>
  (await service.as('manager').get('/feed/')).data.items.length

/** Loses the answers of the first `count` writes, and notes the keys of all. */
const losing = (count: number, lose: () => Promise<Response>) => {
  const keys: Array<string | null> = []
  const send: Send = async (request) => {
    if (!isWrite(request)) return fetch(request)
    keys.push(request.headers.get('Idempotency-Key'))
    const answer = await fetch(request)
    return keys.length <= count ? lose() : answer
  }
  return { keys, send }
}

t.test('I4: a POST whose response is lost is repeated with its key, and done once', async (t) => {
  const service = await startService(t)
  const { keys, send } = losing(2, () => Promise.reject(new TypeError('fetch failed')))
  const api = sending(service, send)
  const { data, headers } = await api.post('/feed/', { body: FEED })
  t.equal(headers.get('Idempotency-Replayed'), 'true')
  t.equal(keys.length, 3)
  t.equal(new Set(keys).size, 1)
  t.match(keys[0], /^[0-9a-f]{32}$/)
  t.equal(await items(service), 1)
  const path = { itemId: data.item.itemId }
  t.match((await api.upload('/feed/{itemId}/media', { path, file: PNG })).data, /static/)
  t.equal(new Set(keys).size, 2, 'each call has its own key')
})

t.test('I4: a call that cannot be sent rejects after two more attempts', async (t) => {
  const service = await startService(t)
  const { keys, send } = losing(9, () => Promise.reject(new TypeError('fetch failed')))
  await t.rejects(sending(service, send).post('/feed/', { body: FEED }), { message: 'fetch failed' })
  t.equal(keys.length, 3)
  t.strictSame(service.waits, [1000, 1000])
  t.equal(await items(service), 1)
})

t.test('I4, I5: a POST of unknown outcome is repeated, and done once', async (t) => {
  const service = await startService(t)
  const { keys, send } = losing(1, async () => Response.json({ code: 'outcome_unknown' }, { status: 503 }))
  t.equal((await sending(service, send).post('/feed/', { body: FEED })).data.item.itemTitle, FEED.itemTitle)
  t.equal(keys.length, 2)
  t.equal(await items(service), 1)
})

t.test('I4: while the first request is running, its repeat waits as long as the service says', async (t) => {
  const service = await startService(t)
  const busy = { status: 409, headers: { 'Retry-After': '1' } }
  const { send } = losing(1, async () => Response.json({ code: 'idempotency_key_in_use' }, busy))
  await sending(service, send).post('/feed/', { body: FEED })
  t.strictSame(service.waits, [1000])
})

t.test('I4: a caller may pass its own key', async (t) => {
  const service = await startService(t)
  const { keys, send } = losing(0, () => Promise.reject(new TypeError('fetch failed')))
  const api = sending(service, send)
  const first = await api.post('/feed/', { body: FEED, idempotencyKey: 'mine' })
  const second = await api.post('/feed/', { body: FEED, idempotencyKey: 'mine' })
  t.strictSame(second.data, first.data)
  t.strictSame(keys, ['mine', 'mine'])
})

t.test('I4: calls without a key are not repeated when the response is lost', async (t) => {
  const service = await startService(t)
  let sent = 0
  const api = sending(service, async (request) => {
    if (request.method !== 'GET') return fetch(request)
    sent += 1
    throw new TypeError('fetch failed')
  })
  await t.rejects(api.get('/feed/'), { message: 'fetch failed' })
  t.equal(sent, 1)
})
