import t from 'tap'
import { API_ROUTES, type Route } from '../../src/index.ts'
import type { Fixture, Send } from '../support/fixture.ts'
import { isReplayed, keyed, shownBy } from '../support/idempotency.ts'
import { onEachStore } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'
import {
  FEED_ITEM,
  filled,
  LEAST,
  LIBRARY_ITEM,
  NOTIFICATION,
  newFeedItem,
  newLibraryItem,
  newNotification,
  PARAMETERS,
} from '../support/samples.ts'
import { fileForm, JPEG, PNG } from '../support/uploads.ts'

// `Idempotency-Key` on every POST, on every store (I4).

const POSTS = API_ROUTES.filter(({ method }) => method === 'POST')

/** A valid request to a route, for a separate item. */
const requestTo = async (fixture: Fixture, route: Route): Promise<{ path: string; send: Send }> => {
  const itemId = route.path.startsWith('/feed') ? await newFeedItem(fixture) : await newLibraryItem(fixture)
  const id = route.path.startsWith('/notification/') ? await newNotification(fixture) : ''
  const path = filled(route.path, { itemId, id, email: 'amina@example.org' })
  const as = route.operation === 'uploadFeedImage' ? 'manager' : LEAST[route.access.scope]
  return {
    path,
    send:
      route.upload === undefined ? { as, json: PARAMETERS[route.operation] } : { as, multipart: fileForm() },
  }
}

/** All observable data that a POST can change. */
const everything = (fixture: Fixture) =>
  Promise.all(
    ['/library/', '/feed/', '/notification', '/user/amina@example.org/notification/token'].map(async (path) =>
      (await fixture.call('GET', path, { as: path.startsWith('/user') ? 'donor' : 'manager' })).text(),
    ),
  )

onEachStore(
  t,
  'I4: a repeated POST gets the first response again, marked as a replay, and does nothing',
  async (t, fixture) => {
    t.ok(POSTS.length >= 10)
    for (const route of POSTS) {
      const { path, send } = await requestTo(fixture, route)
      const first = await fixture.call('POST', path, keyed(route.operation, send))
      t.equal(first.status, 200, route.operation)
      t.notOk(isReplayed(first))
      const [shown, before] = [await shownBy(first), await everything(fixture)]
      const repeat = await fixture.call('POST', path, keyed(route.operation, send))
      t.ok(isReplayed(repeat), route.operation)
      t.strictSame(await shownBy(repeat), shown, route.operation)
      t.strictSame(await everything(fixture), before, 'nothing has changed')
    }
  },
)

onEachStore(t, 'I4: without a key, or with an empty one, a repeat is a new request', async (t, fixture) => {
  for (const headers of [{}, { 'idempotency-key': '' }])
    for (let n = 0; n < 2; n += 1)
      t.notOk(isReplayed(await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM, headers })))
  const listed = await fixture.call('GET', '/feed/', { as: 'manager' })
  t.equal(((await listed.json()) as { items: ReadonlyArray<unknown> }).items.length, 4)
})

onEachStore(t, 'I4: the same key with another request is 422', async (t, fixture) => {
  const [one, other] = [await newFeedItem(fixture), await newFeedItem(fixture)]
  const json = { ...FEED_ITEM, status: 'Draft' }
  const send = { as: 'manager', json } as const
  t.equal((await fixture.call('POST', `/feed/${one}`, keyed('k', send))).status, 200)
  const others: ReadonlyArray<readonly [about: string, path: string, over: Send]> = [
    ['another item', `/feed/${other}`, {}],
    ['another parameter', `/feed/${one}`, { json: { ...json, itemTitle: 'Other' } }],
    ['an If-Match', `/feed/${one}`, { headers: { 'if-match': '*' } }],
    ['another query', `/feed/${one}`, { query: { more: '1' } }],
    ['another operation', '/notification', { json: NOTIFICATION }],
  ]
  for (const [about, path, over] of others) {
    const answer = await fixture.call('POST', path, keyed('k', { ...send, ...over }))
    await seeProblem(t, answer, 'idempotency_key_reused', about)
  }
})

onEachStore(
  t,
  'I4: encoding, multipart boundary and the way of sending the token do not matter',
  async (t, fixture) => {
    const token = await fixture.token('manager')
    const form = new FormData()
    for (const [name, value] of Object.entries(NOTIFICATION)) form.set(name, value)
    const sends: ReadonlyArray<Send> = [
      { as: 'manager', json: NOTIFICATION },
      { as: 'manager', json: Object.fromEntries(Object.entries(NOTIFICATION).reverse()) },
      { as: 'manager', form: NOTIFICATION },
      { as: 'manager', multipart: form },
      { json: NOTIFICATION, query: { access_token: token } },
      { form: { ...NOTIFICATION, access_token: token } },
    ]
    const bodies = new Set<string>()
    for (const [n, send] of sends.entries()) {
      const answer = await fixture.call('POST', '/notification', keyed('k', send))
      t.equal(isReplayed(answer), n > 0)
      bodies.add(await answer.text())
    }
    t.equal(bodies.size, 1)
  },
)

onEachStore(t, 'I4: files are compared by content', async (t, fixture) => {
  const path = `/library/${await newLibraryItem(fixture)}/media/cover`
  const upload = (bytes: Uint8Array, name: string) =>
    fixture.call('POST', path, keyed('k', { as: 'manager', multipart: fileForm({ bytes, name }) }))
  t.equal((await upload(PNG, 'a.png')).status, 200)
  t.ok(isReplayed(await upload(PNG, 'b.png')))
  await seeProblem(t, await upload(JPEG, 'a.png'), 'idempotency_key_reused')
})

onEachStore(t, 'I4: of concurrent requests with one key, one writes', async (t, fixture) => {
  await fixture.token('manager')
  const send = () => fixture.call('POST', '/notification', keyed('k', { as: 'manager', json: NOTIFICATION }))
  const answers = await Promise.all(Array.from({ length: 6 }, send))
  t.equal(answers.filter((answer) => answer.status === 200 && !isReplayed(answer)).length, 1)
  for (const answer of answers)
    if (answer.status !== 200) await seeProblem(t, answer, 'idempotency_key_in_use')
  t.ok(isReplayed(await send()))
  const listed = await fixture.call('GET', '/notification', { as: 'manager' })
  t.equal(((await listed.json()) as { notifications: ReadonlyArray<unknown> }).notifications.length, 1)
})

onEachStore(t, 'I4: a rejected request frees its key', async (t, fixture) => {
  const id = await newLibraryItem(fixture)
  const post = (path: string, over: object) =>
    fixture.call(
      'POST',
      path,
      keyed('k', { as: 'manager', json: { ...LIBRARY_ITEM, status: 'Draft', ...over } }),
    )
  await seeProblem(t, await post(`/library/${id}`, { status: 'Live' }), 'invalid_request')
  await seeProblem(t, await post('/library/unknown', {}), 'not_found')
  const answer = await post(`/library/${id}`, {})
  t.equal(answer.status, 200)
  t.notOk(isReplayed(answer))
})
