import type { Email } from '@almoner/domain'
import { personalDocument } from '@almoner/domain/personal-data'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { type ConsoleFixture, OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'
import { notify, review, seconds } from '../support/notifications.ts'
import { AMINA, attach, BRUNO, newClient, preferencePath, seenPath } from '../support/people.ts'
import { seeProblem } from '../support/problems.ts'
import { newFeedItem } from '../support/samples.ts'

const USERS = '/console/api/users'

type User = { readonly number: number; readonly email: string; readonly posts: number }

const operatorOf = async (fixture: ConsoleFixture) => {
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  const ask = (method: string, path: string, json?: unknown) =>
    fixture.call(method, `${USERS}${path}`, { headers, ...(json !== undefined && { json }) })
  const search = async (address: string) => {
    const found = await ask('POST', '/search', { address })
    t.equal(found.headers.get('cache-control'), 'no-store')
    return (await found.json()) as { users: ReadonlyArray<{ user: User }>; hasMore: boolean }
  }
  const numberOf = async (address: string) => (await search(address)).users[0]?.user.number ?? 0
  return { ask, search, numberOf }
}

onBoth('L1: people are found by a part of their address, with their devices', async (t, fixture) => {
  const { search } = await operatorOf(fixture)
  for (const token of ['fcm:one', 'apns:two']) await attach(fixture, AMINA, token)
  await attach(fixture, BRUNO, 'fcm:three')
  const { users, hasMore } = await search(' AMINA@ ')
  t.same(
    users.map(({ user: { number: _, ...rest } }) => rest),
    [{ email: AMINA, lang: 'en', subscribed: true, devices: 2 }],
  )
  t.same([hasMore, (await search('nowhere.invalid')).users], [false, []])
  for (let n = 10; n < 31; n += 1) await attach(fixture, `many${n}@example.org`, `fcm:many-${n}`)
  const many = await search('many')
  t.same([many.users.length, many.users[0]?.user.email, many.hasMore], [20, 'many10@example.org', true])
})

onBoth('L1, M2: a person is shown by number: devices without tokens, and counts', async (t, fixture) => {
  const { ask, numberOf } = await operatorOf(fixture)
  await attach(fixture, AMINA, 'fcm:secret-token')
  const attachedAt = new Date(fixture.clock.now()).toISOString()
  await newFeedItem(fixture)
  const number = await numberOf(AMINA)
  const shown = await ask('GET', `/${number}`)
  t.equal(shown.headers.get('cache-control'), 'no-store')
  const text = await shown.text()
  t.notMatch(text, /secret-token/)
  t.same(JSON.parse(text), {
    user: {
      ...{ number, email: AMINA, lang: 'en', subscribed: true, topics: [], duty: null, clients: ['donor'] },
      devices: [{ kind: 'fcm', lang: 'en', lastSeenAt: attachedAt }],
      ...{ removedDevices: [], posts: 1, deliveries: 0, seen: 0, workingCopies: 0, responses: 0 },
    },
  })
  const posts = await ask('GET', `/${number}/feed?lim=1`)
  t.match(await posts.json(), { items: [{ item: { status: 'Draft' } }] })
  await seeProblem(t, await ask('GET', '/99999'), 'not_found')
  await seeProblem(t, await ask('GET', '/x'), 'invalid_request')
})

onBoth(
  'L2, F7: the overview counts the notifications that a person has marked as seen',
  async (t, fixture) => {
    const { ask, numberOf } = await operatorOf(fixture)
    await fixture.call('PUT', preferencePath(AMINA), { as: 'userManager', json: { lang: 'en' } })
    const made = await notify(fixture, { lang: 'en', date: seconds('2026-04-01T00:00:00Z') })
    await review(fixture)
    const app = await newClient(fixture, 'app', { scopes: ['user'], email: AMINA })
    const path = `/${await numberOf(AMINA)}`
    t.match(await (await ask('GET', path)).json(), { user: { seen: 0 } })
    t.equal((await fixture.call('PUT', seenPath(made.id, AMINA), app)).status, 200)
    t.match(await (await ask('GET', path)).json(), { user: { seen: 1 } })
  },
)

onBoth('L1: posts of a person are walked by links without an address', async (t, fixture) => {
  const { ask, numberOf } = await operatorOf(fixture)
  for (let n = 0; n < 3; n += 1) await newFeedItem(fixture)
  const number = await numberOf(AMINA)
  const first = await ask('GET', `/${number}/feed?lim=2`)
  const link = first.headers.get('link') ?? ''
  t.match(link, `/users/${number}/feed?`)
  t.notMatch(link, /amina/)
})

onBoth('L2: the export is the document of almoner user export', async (t, fixture) => {
  const { ask, numberOf } = await operatorOf(fixture)
  await attach(fixture, AMINA, 'fcm:one')
  await newFeedItem(fixture)
  const exported = await ask('POST', `/${await numberOf(AMINA)}/export`, {})
  t.equal(exported.headers.get('cache-control'), 'no-store')
  const email = AMINA as Email
  const record = await done(fixture.ports.personalData.find(email))
  t.equal(await exported.text(), JSON.stringify(personalDocument({ email, record })))
})

onBoth('L1: a person is erased by number', async (t, fixture) => {
  const { ask, search, numberOf } = await operatorOf(fixture)
  await attach(fixture, BRUNO, 'fcm:one')
  const number = await numberOf(BRUNO)
  t.equal(await (await ask('DELETE', `/${number}`)).json(), 'success')
  t.same((await search(BRUNO)).users, [])
  await seeProblem(t, await ask('DELETE', `/${number}`), 'not_found')
  await seeProblem(t, await ask('POST', `/${number}/export`, {}), 'not_found')
})

onBoth('M2: an editor may do nothing with people', async (t, fixture) => {
  const { numberOf } = await operatorOf(fixture)
  await attach(fixture, AMINA, 'fcm:one')
  const number = await numberOf(AMINA)
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  for (const [method, path, json] of [
    ['POST', '/search', { address: 'amina' }],
    ['GET', `/${number}`, undefined],
    ['GET', `/${number}/feed`, undefined],
    ['POST', `/${number}/export`, {}],
    ['DELETE', `/${number}`, undefined],
  ] as const) {
    const answer = await fixture.call(method, `${USERS}${path}`, { headers, ...(json && { json }) })
    await seeProblem(t, answer, 'insufficient_role')
  }
  t.equal(await numberOf(AMINA), number)
})

t.test('A5, L1: addresses and device tokens of people are in no URL, log line or metric', async (t) => {
  const fixture = await startConsole(t.testdir(), { store: 'sqlite' })
  t.teardown(fixture.stop)
  const { ask, numberOf } = await operatorOf(fixture)
  await attach(fixture, 'canary@example.org', 'fcm:canary-token')
  const number = await numberOf('canary@')
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/feed'],
    ['POST', '/export'],
    ['DELETE', ''],
  ] as const)
    t.equal((await ask(method, `/${number}${path}`, method === 'POST' ? {} : undefined)).status, 200)
  await fixture.closeStore()
  t.equal((await ask('POST', '/search', { address: 'canary' })).status, 503)
  const metrics = await (await fixture.call('GET', '/metrics')).text()
  t.notMatch(`${fixture.lines.join('')}${metrics}`, /canary/)
  t.ok(fixture.lines.length > 4)
})
