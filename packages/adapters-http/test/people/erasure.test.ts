import t from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { keyed } from '../support/idempotency.ts'
import { itemIn, itemsIn, onEachStore, onServer } from '../support/items.ts'
import { deliveryOf, notify, review, seconds } from '../support/notifications.ts'
import { AMINA, attach, BRUNO, newClient, preferenceOf, tokenPath, tokensOf } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'
import { FEED_ITEM } from '../support/samples.ts'

// L1: DELETE /user/<email>.

const TOKEN = 'fcm:amina-1'

const erase = (fixture: Fixture, email: string, send: Send = { as: 'userManager' }) =>
  fixture.call('DELETE', `/user/${encodeURIComponent(email)}`, send)

onEachStore(t, 'L1: erasing a person leaves nothing of it, and others alone', async (t, fixture) => {
  await attach(fixture, AMINA, TOKEN)
  await attach(fixture, BRUNO, 'fcm:bruno')
  const { itemId } = await itemIn(await fixture.call('POST', '/feed/', { as: 'donor', json: FEED_ITEM }))
  const answer = await erase(fixture, 'AMINA@example.org')
  t.equal(answer.status, 200)
  t.equal(await answer.json(), 'success')
  t.strictSame(await tokensOf(fixture, AMINA), [])
  t.equal(await preferenceOf(fixture, AMINA), undefined)
  t.strictSame(await tokensOf(fixture, BRUNO), ['fcm:bruno'])
  const own = await fixture.call('GET', `/user/${AMINA}/feed`, { as: 'userManager' })
  t.strictSame(await itemsIn(own), [], 'authorship is gone')
  const post = await fixture.call('GET', `/feed/${itemId}`, { as: 'manager' })
  t.equal((await itemsIn(post)).length, 1, 'the text stays')
  t.match((await seeProblem(t, await erase(fixture, AMINA), 'not_found')).detail, /user/)
})

onEachStore(t, 'L1, F3: a client of the person is unbound, and its token lives on', async (t, fixture) => {
  const client = await newClient(fixture, 'amina-app', { scopes: ['user-donor'], email: BRUNO })
  t.equal((await fixture.call('GET', tokenPath(BRUNO), client)).status, 200)
  t.equal(
    await (await erase(fixture, BRUNO)).json(),
    'success',
    'an address that only binds a client is known',
  )
  await seeProblem(t, await fixture.call('GET', tokenPath(BRUNO), client), 'no_user')
  t.equal((await fixture.call('GET', '/feed/', client)).status, 200)
})

onEachStore(
  t,
  'L1, I4: the stored answer about the person is gone, its key counts as unused',
  async (t, fixture) => {
    const send = keyed('a key', { as: 'userManager' })
    await attach(fixture, AMINA, TOKEN, send)
    await attach(fixture, BRUNO, 'fcm:bruno', keyed('another', { as: 'userManager' }))
    await erase(fixture, AMINA)
    const again = await attach(fixture, AMINA, 'fcm:amina-2', send)
    t.equal(again.status, 200, 'with another request: no 422')
    t.equal(again.headers.get('idempotency-replayed'), null)
    const other = await attach(fixture, BRUNO, 'fcm:bruno', keyed('another', { as: 'userManager' }))
    t.equal(other.headers.get('idempotency-replayed'), 'true')
  },
)

onEachStore(t, 'L1: totals of deliveries stay', async (t, fixture) => {
  await attach(fixture, AMINA, TOKEN)
  await attach(fixture, BRUNO, 'fcm:bruno')
  const { id } = await notify(fixture, { date: seconds('2026-05-01T12:00:00.000Z') })
  await review(fixture)
  const before = await deliveryOf(fixture, id)
  t.match(before, { recipients: 2, delivered: 2 })
  await erase(fixture, AMINA)
  t.strictSame(await deliveryOf(fixture, id), before)
})

onServer(t, 'L1: who may erase: scope user-donor and role user-manager', async (t, fixture) => {
  await attach(fixture, AMINA, TOKEN)
  await seeProblem(t, await erase(fixture, AMINA, { as: 'user' }), 'insufficient_scope')
  for (const as of ['donor', 'manager', 'admin'] as const)
    t.match(
      (await seeProblem(t, await erase(fixture, AMINA, { as }), 'insufficient_role')).detail,
      /user-manager/,
    )
  const lacking = await newClient(fixture, 'no-scope', { scopes: ['user'], roles: ['user-manager'] })
  await seeProblem(t, await erase(fixture, AMINA, lacking), 'insufficient_scope')
  t.strictSame(fieldsOf(await seeProblem(t, await erase(fixture, 'malformed'), 'invalid_request')), ['email'])
  t.strictSame(await tokensOf(fixture, AMINA), [TOKEN])
  const other = await fixture.call('GET', `/user/${AMINA}`, { as: 'userManager' })
  await seeProblem(t, other, 'method_not_allowed')
})

onServer(t, 'L1: the log holds neither the address nor a device token', async (t, fixture) => {
  await attach(fixture, AMINA, TOKEN)
  await erase(fixture, AMINA)
  await erase(fixture, AMINA)
  await fixture.call('GET', `/user/${AMINA}/feed`, { as: 'userManager' })
  t.ok(fixture.lines.length > 3)
  for (const line of fixture.lines) t.notMatch(decodeURIComponent(line.replaceAll('%', '%25')), /amina/i)
})
