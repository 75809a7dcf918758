import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { failingStores, type Mode } from '../../adapters-http/test/support/failing.ts'
import { PROXY_FORMS } from '../../adapters-http/test/support/proxy-forms.ts'
import { FEED_ITEM, LIBRARY_ITEM } from '../../adapters-http/test/support/samples.ts'
import { JPEG, PNG } from '../../adapters-http/test/support/uploads.ts'
import { makeClient } from '../src/client.ts'
import { ApiError } from '../src/index.ts'
import { patient } from '../src/requests.ts'
import { machineTime } from '../src/tokens.ts'
import { startService } from './support/service.ts'

const FEED = { ...FEED_ITEM, itemType: 'link' } as const

t.test('I1: a failed call is an ApiError with status, code and every bad field', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const body = { ...LIBRARY_ITEM, itemTitle: ' ', link: 'nowhere' }
  const error = await api.post('/library/', { body }).catch((cause: unknown) => cause)
  t.ok(error instanceof ApiError && error instanceof Error)
  t.match(error, { name: 'ApiError', status: 400, code: 'invalid_request', retryAfter: undefined })
  const { errors, requestId, message } = error as ApiError
  t.same(errors.map(({ field }) => field).sort(), ['itemTitle', 'link'])
  t.ok(service.fixture.lines.some((line) => line.includes(requestId ?? 'none')))
  t.match(message, /^400: .*itemTitle .*; link /)
})

t.test('a foreign response is an ApiError with the code unknown', async (t) => {
  const service = await startService(t)
  const api = makeClient(
    {
      baseUrl: service.fixture.url,
      token: async () => ({ access_token: 'x' }),
      fetch: async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    },
    service.time,
  )
  await t.rejects(api.get('/library/'), { status: 502, code: 'unknown', errors: [] })
})

t.test('C10: ifMatch writes only if the item is unchanged since it was read', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const created = await api.post('/feed/', { body: FEED })
  const path = { itemId: created.data.item.itemId }
  const { data, etag } = await api.get('/feed/{itemId}', { path })
  t.equal(etag, created.etag)
  t.equal(data.items[0]?.item.itemTitle, FEED.itemTitle)
  const body = { ...FEED, status: 'Draft' } as const
  const edited = await api.post('/feed/{itemId}', {
    path,
    body: { ...body, itemTitle: 'Edited' },
    ifMatch: etag,
  })
  t.not(edited.etag, etag)
  await t.rejects(api.post('/feed/{itemId}', { path, body, ifMatch: etag }), {
    status: 412,
    code: 'precondition_failed',
  })
  await t.rejects(api.upload('/feed/{itemId}/media', { path, file: PNG, ifMatch: etag }), {
    name: 'ApiError',
    status: 412,
  })
  await t.rejects(api.delete('/feed/{itemId}/media/', { path, ifMatch: etag }), {
    name: 'ApiError',
    status: 412,
  })
})

t.test('D1, D3: an image is uploaded from bytes, a Blob or a File, and removed', async (t) => {
  const service = await startService(t)
  const api = service.as('manager')
  const created = await api.post('/library/', { body: LIBRARY_ITEM })
  const itemId = created.data.items[0]?.item.itemId ?? ''
  const cover = { path: { itemId, image: 'cover' } } as const
  const uploaded = await api.upload('/library/{itemId}/media/{image}', {
    ...cover,
    file: JPEG,
    ifMatch: created.etag,
  })
  const file = new File([new Uint8Array(PNG)], 'my holiday.png')
  await api.upload('/library/{itemId}/media/{image}', { path: { itemId, image: 'notification' }, file })
  const { data } = await api.get('/library/{itemId}', { path: { itemId } })
  t.match(data.items[0]?.item, { coverImgUrl: uploaded.data, notificationImgUrl: /^https:/ })
  t.match(uploaded.data, /\/static\/media\//)
  t.equal((await api.delete('/library/{itemId}/media/{image}', cover)).data, '')

  const post = await api.post('/feed/', { body: FEED })
  const path = { itemId: post.data.item.itemId }
  const link = await api.upload('/feed/{itemId}/media', { path, file: new Blob([new Uint8Array(PNG)]) })
  t.match(link.data, /\/static\/media\//)
  t.equal((await api.delete('/feed/{itemId}/media/', { path })).data, undefined)
  await t.rejects(api.upload('/feed/{itemId}/media', { path, file: new Uint8Array(3) }), {
    name: 'ApiError',
    status: 415,
  })
})

t.test(
  '429, 503: calls to a busy service are repeated after Retry-After for 90 s in all, uploads too',
  async (t) => {
    let mode: Mode = 'works'
    const service = await startService(t, { wrap: failingStores(() => mode) })
    const api = service.as('manager')
    const { data } = await api.post('/feed/', { body: FEED })
    mode = 'unavailable'
    await t.rejects(api.get('/library/'), { status: 503, code: 'unavailable', retryAfter: 5 })
    t.same(service.waits, Array(18).fill(5000))
    const wait = async () => {
      mode = 'works'
    }
    const credentials = service.credentialsOf('manager')
    const patient = makeClient({ baseUrl: service.fixture.url, credentials }, { ...service.time, wait })
    mode = 'unavailable'
    const path = { itemId: data.item.itemId }
    t.match((await patient.upload('/feed/{itemId}/media', { path, file: PNG })).data, /static/)
  },
)

t.test(
  'A6, 503: a token that expires while the service is busy is renewed, and the call keeps its body',
  async (t) => {
    let mode: Mode = 'unavailable'
    const service = await startService(t, { wrap: failingStores(() => mode) })
    let waits = 0
    const wait = async () => {
      waits += 1
      if (waits === 1) return
      await service.revoke('donor', service.tokens[0])
      mode = 'works'
    }
    const credentials = service.credentialsOf('donor')
    const api = makeClient(
      { baseUrl: service.fixture.url, credentials, fetch: service.send },
      { ...service.time, wait },
    )
    t.match((await api.post('/feed/', { body: FEED })).data.item, { itemTitle: FEED.itemTitle })
    t.same([waits, service.tokensAsked()], [2, 2])
  },
)

t.test('429: a call waits for a minute if the service says so, unless maxWait is less', async (t) => {
  const service = await startService(t, { rateLimit: { max: 1, milliseconds: 60_000 } })
  await service.as('user').get('/library/')
  const refused = { status: 429, code: 'too_many_requests', retryAfter: 60 }
  await t.rejects(service.as('user').get('/library/'), refused)
  t.same(service.waits.splice(0), [60_000])
  const credentials = service.credentialsOf('user')
  const hasty = makeClient({ baseUrl: service.fixture.url, credentials, maxWait: 59 }, service.time)
  await t.rejects(hasty.get('/library/'), refused)
  t.same(service.waits, [])
})

t.test('A8: a client that is blocked for a minute waits for its token, and then calls', async (t) => {
  const service = await startService(t)
  const { clientId, clientSecret } = service.credentialsOf('user')
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: 'wrong' }
  for (let tries = 0; tries < 10; tries += 1)
    await service.fixture.call('POST', '/oauth2/get-token', { form })
  const waits: Array<number> = []
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    service.fixture.clock.set((service.time.now() + milliseconds) as never)
  }
  const credentials = { clientId, clientSecret }
  const api = makeClient({ baseUrl: service.fixture.url, credentials }, { ...service.time, wait })
  t.same((await api.get('/library/')).data, { items: [] })
  t.match(waits, [Number])
})

t.test('Retry-After: the waits of a call are what the service asks, and maxWait at most in all', async () => {
  const told = fc.record({ status: fc.constantFrom(409, 429, 503), seconds: fc.nat(100) })
  await fc.assert(
    fc.asyncProperty(fc.array(told, { maxLength: 20 }), fc.nat(120), async (answers, maxWait) => {
      const [waits, rest] = [[] as number[], [...answers]]
      const send = async () => {
        const next = rest.shift()
        const headers = { 'Retry-After': String(next?.seconds) }
        return next === undefined ? new Response() : new Response(null, { status: next.status, headers })
      }
      const wait = async (milliseconds: number) => void waits.push(milliseconds)
      const { status } = await patient(send, { now: () => 0, wait }, maxWait * 1000)(new Request('http://x'))
      const asked = answers.map(({ seconds }) => Math.max(1, seconds) * 1000)
      let count = 0
      for (let sum = asked[0] ?? 0; count < asked.length && sum <= maxWait * 1000; sum += asked[count] ?? 0)
        count += 1
      assert.deepEqual(waits, asked.slice(0, count))
      assert.equal(status, answers[count]?.status ?? 200)
    }),
  )
})

t.test('C13: a tag that a proxy has changed is the tag that the service sent', async (t) => {
  const tag = '"018f3c00-0000-7000-8000-000000000000.12.ab-_-zst"'
  const others = ['"x-gzip"', 'W/"x"', '"a.1.short-br"', 'nothing']
  for (const [sent, expected] of [
    ...Object.values(PROXY_FORMS).map((form) => [form(tag), tag] as const),
    ...others.map((other) => [other, other] as const),
  ]) {
    const fetch = async () => Response.json({}, { headers: { etag: sent } })
    const api = makeClient({ baseUrl: 'http://x', session: true, fetch }, machineTime)
    t.equal((await api.get('/library/')).etag, expected, sent)
  }
})

t.test('Retry-After may be a date (RFC 9110 §10.2.3), and unreadable values are ignored', async (t) => {
  const service = await startService(t)
  const answers = [
    new Response(null, {
      status: 503,
      headers: { 'Retry-After': new Date(service.time.now() + 7000).toUTCString() },
    }),
    new Response(null, { status: 503, headers: { 'Retry-After': 'soon' } }),
  ]
  const fetch = async () => answers.shift() ?? Response.error()
  const token = async () => ({ access_token: 'x' })
  const api = makeClient({ baseUrl: service.fixture.url, token, fetch }, service.time)
  await t.rejects(api.get('/library/'), { name: 'ApiError', status: 503, retryAfter: undefined })
  t.same(service.waits, [7000])
  const past = new Date(service.time.now() - 7000).toUTCString()
  answers.push(
    new Response(null, { status: 429, headers: { 'Retry-After': past } }),
    new Response(null, { status: 500 }),
  )
  await t.rejects(api.get('/library/'), { name: 'ApiError', status: 500 })
  t.equal(service.waits.at(-1), 1000)
})

t.test('F4: values in a path stay one segment, and cannot lead to another path', async (t) => {
  const service = await startService(t)
  const api = service.as('donor')
  const device_token = 'fcm:a/b?c#d%é'
  await api.post('/user/{email}/notification/token', { path: { email: 'me' }, body: { device_token } })
  const path = { email: 'me', token: device_token }
  t.equal((await api.delete('/user/{email}/notification/token/{token}', { path })).data, 'success')
  for (const itemId of ['', '.', '..'])
    await t.rejects(api.get('/library/{itemId}', { path: { itemId } }), RangeError)
})

t.test('a signal ends a call that waits for a busy service', async (t) => {
  const service = await startService(t, { wrap: failingStores(() => 'unavailable') })
  const controller = new AbortController()
  const wait = async (_: number, signal: AbortSignal) => {
    controller.abort(new Error('that is too long'))
    signal.throwIfAborted()
  }
  const credentials = service.credentialsOf('user')
  const api = makeClient({ baseUrl: service.fixture.url, credentials }, { ...service.time, wait })
  await t.rejects(api.get('/library/', { signal: controller.signal }), /that is too long/)
})

t.test('the timer waits for the given time or until a signal, and then leaves nothing', async (t) => {
  const { signal } = new AbortController()
  await t.resolves(machineTime.wait(0, signal))
  const controller = new AbortController()
  const waited = machineTime.wait(2 ** 30, controller.signal)
  controller.abort(new Error('enough'))
  await t.rejects(waited, /enough/)
  await t.rejects(machineTime.wait(2 ** 30, AbortSignal.abort(new Error('before'))), /before/)
})
