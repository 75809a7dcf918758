import type { ClientId } from '@almoner/domain'
import { recordClientUses } from '@almoner/domain/access'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { type ConsoleFixture, OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'
import type { Send } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'

const HOUR = 3_600_000

const CLIENTS_PATH = '/console/api/clients'

/** Returns a function that sends requests in the session of an operator. */
const asOperator = async (fixture: ConsoleFixture) => {
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  return (method: string, path: string, send: Send = {}) =>
    fixture.call(method, path, { ...send, headers: { ...headers, ...send.headers } })
}

const credentialsOf = async (response: Response) =>
  ((await response.json()) as { credentials: { secret: string; oldUntil: string | null } }).credentials

const getToken = (fixture: ConsoleFixture, client_id: string, client_secret: string) =>
  fixture.call('POST', '/oauth2/get-token', {
    form: { grant_type: 'client_credentials', client_id, client_secret },
  })

const tokenOf = async (fixture: ConsoleFixture, secret: string): Promise<string> =>
  ((await (await getToken(fixture, 'app', secret)).json()) as { access_token: string }).access_token

const recordsOf = async ({ ports }: ConsoleFixture, subject: string) => {
  const all = []
  for await (const batch of ports.history.records({
    since: O.none,
    until: O.none,
    actor: O.none,
    action: O.none,
    subject: O.some(subject),
  }))
    all.push(...batch)
  return all.map(({ action, actor, changes }) => ({ action, actor: actor.kind, changes }))
}

onBoth('A6, M2: an operator registers a client; its secret is shown once', async (t, fixture) => {
  const ask = await asOperator(fixture)
  const json = { clientId: 'app', name: 'The app', scopes: 'user user-donor', roles: 'user-manager' }
  const added = await ask('POST', CLIENTS_PATH, { json: { ...json, email: 'Amina@Example.org' } })
  t.equal(added.headers.get('cache-control'), 'no-store')
  const { secret, oldUntil } = await credentialsOf(added)
  t.equal(oldUntil, null)
  t.equal((await getToken(fixture, 'app', secret)).status, 200)
  const text = await (await ask('GET', CLIENTS_PATH)).text()
  t.notOk(text.includes(secret))
  const { clients } = JSON.parse(text) as { clients: Array<{ client: { clientId: string } }> }
  t.same(
    clients.find(({ client }) => client.clientId === 'app'),
    {
      client: {
        ...{ clientId: 'app', name: 'The app', scopes: ['user', 'user-donor'], roles: ['user-manager'] },
        ...{ email: 'amina@example.org', disabled: false, lastUsedAt: null, oldUntil: null },
        ...{ people: 'no', audience: '' },
      },
    },
  )
  t.same(await recordsOf(fixture, 'app'), [{ action: 'add-client', actor: 'person', changes: [] }])
})

onBoth('I1: a client is refused with every bad field; a taken identifier is one', async (t, fixture) => {
  const ask = await asOperator(fixture)
  const json = { clientId: 'a b', scopes: 'admin', roles: 'king', email: 'nobody' }
  const refused = await ask('POST', CLIENTS_PATH, { json })
  t.equal(refused.status, 400)
  const { errors } = (await refused.json()) as { errors: ReadonlyArray<{ field: string }> }
  t.same(errors.map(({ field }) => field).sort(), ['clientId', 'email', 'roles', 'scopes'])
  const empty = await ask('POST', CLIENTS_PATH, { json: { clientId: 'app', roles: 'user-manager' } })
  t.match(await empty.json(), { errors: [{ field: 'scopes', message: /super-admin/ }] })
  const taken = await ask('POST', CLIENTS_PATH, { json: { clientId: 'donor', scopes: 'user' } })
  t.match(await taken.json(), { status: 400, errors: [{ field: 'clientId', message: /taken/ }] })
  t.equal((await ask('POST', CLIENTS_PATH, { json: { clientId: 'root', roles: 'super-admin' } })).status, 200)
})

onBoth('A10: an operator registers clients for people, a public one without a secret', async (t, fixture) => {
  const ask = await asOperator(fixture)
  const add = (json: object) => ask('POST', CLIENTS_PATH, { json: { scopes: 'user user-donor', ...json } })
  const page = await credentialsOf(await add({ clientId: 'page', people: 'public', audience: 'app 1' }))
  t.equal(page.secret, '')
  const backend = await credentialsOf(await add({ clientId: 'app', people: 'secret', roles: 'user-manager' }))
  const granted = await fixture.call('POST', '/oauth2/get-token', {
    form: {
      ...{ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', client_id: 'app' },
      ...{ client_secret: backend.secret, subject_token: 'ada@example.org' },
      subject_token_type: 'urn:almoner:params:oauth:token-type:email',
    },
  })
  t.equal(granted.status, 200)
  const listed = (await (await ask('GET', CLIENTS_PATH)).json()) as {
    clients: ReadonlyArray<{ client: { clientId: string; people: string; audience: string } }>
  }
  t.match(
    listed.clients.map(({ client }) => client).filter(({ people }) => people !== 'no'),
    [
      { clientId: 'app', people: 'secret', audience: '' },
      { clientId: 'page', people: 'public', audience: 'app 1' },
    ],
  )
  const rotated = await ask('POST', `${CLIENTS_PATH}/page/secret`, { json: {} })
  t.match(await rotated.json(), { status: 400, errors: [{ field: 'clientId', message: /public/ }] })
  for (const [json, ...fields] of [
    [{ people: 'public', roles: 'user-manager', scopes: 'content-manager' }, 'roles', 'scopes'],
    [{ people: 'secret', audience: 'x'.repeat(256) }, 'audience'],
    [{ audience: 'app' }, 'audience'],
    [{ people: 'yes' }, 'people'],
  ] as const) {
    const refused = await add({ clientId: 'other', ...json })
    t.equal(refused.status, 400)
    const { errors } = (await refused.json()) as { errors: ReadonlyArray<{ field: string }> }
    t.same(errors.map(({ field }) => field).sort(), fields)
  }
})

onBoth('A6: after a rotation both secrets work until the moment that is named', async (t, fixture) => {
  const ask = await asOperator(fixture)
  const scopes = 'user'
  const old = await credentialsOf(await ask('POST', CLIENTS_PATH, { json: { clientId: 'app', scopes } }))
  const path = `${CLIENTS_PATH}/app/secret`
  const rotated = await credentialsOf(await ask('POST', path, { json: {} }))
  t.equal(rotated.oldUntil, new Date(fixture.clock.now() + 24 * HOUR).toISOString(), 'a day unless given')
  const listed = await (await ask('GET', CLIENTS_PATH)).text()
  t.ok(listed.includes(`"oldUntil":"${rotated.oldUntil}"`))
  const statuses = async (...all: ReadonlyArray<string>) => {
    const answers = []
    for (const secret of all) answers.push((await getToken(fixture, 'app', secret)).status)
    return answers
  }
  t.same(await statuses(old.secret, rotated.secret), [200, 200])
  fixture.clock.advance(24 * HOUR)
  t.same(await statuses(old.secret, rotated.secret), [401, 200])
  const again = await asOperator(fixture)
  const last = await credentialsOf(await again('POST', path, { json: { keepOld: 0 } }))
  t.equal(last.oldUntil, null)
  t.same(await statuses(rotated.secret, last.secret), [401, 200], 'at once')
  await seeProblem(t, await again('POST', path, { json: { keepOld: -1 } }), 'invalid_request')
  await seeProblem(t, await again('POST', `${CLIENTS_PATH}/unknown/secret`, { json: {} }), 'not_found')
})

onBoth('A6: disabling a client ends its tokens, enabling it accepts them again', async (t, fixture) => {
  const ask = await asOperator(fixture)
  const json = { clientId: 'app', scopes: 'user' }
  const { secret } = await credentialsOf(await ask('POST', CLIENTS_PATH, { json }))
  const headers = { authorization: `Bearer ${await tokenOf(fixture, secret)}` }
  const status = async () => (await fixture.call('GET', '/library/', { headers })).status
  const set = async (disabled: boolean) =>
    (await ask('PUT', `${CLIENTS_PATH}/app/disabled`, { json: { disabled } })).status
  t.same([await status(), await status()], [200, 200], 'from the response cache too')
  t.same([await set(true), await status()], [200, 401])
  t.equal((await getToken(fixture, 'app', secret)).status, 401)
  t.same([await set(false), await status()], [200, 200])
  const acts = (await recordsOf(fixture, 'app')).map(({ action }) => action)
  t.same(acts, ['enable-client', 'disable-client', 'add-client'])
})

t.test('A6, I4: no secret is stored for the idempotency key of its request', async (t) => {
  const fixture = await startConsole(t.testdir(), { store: 'sqlite' })
  t.teardown(fixture.stop)
  const ask = await asOperator(fixture)
  const headers = { 'idempotency-key': 'once' }
  const send = { json: { clientId: 'app', scopes: 'user' }, headers }
  t.equal((await ask('POST', CLIENTS_PATH, send)).status, 200)
  const repeated = await ask('POST', CLIENTS_PATH, send)
  t.match(await repeated.json(), { status: 400, errors: [{ message: /taken/ }] })
})

onBoth('M2: an editor may do nothing with clients', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  for (const [method, path, json] of [
    ['GET', CLIENTS_PATH, undefined],
    ['POST', CLIENTS_PATH, { clientId: 'app', scopes: 'user' }],
    ['POST', `${CLIENTS_PATH}/donor/secret`, {}],
    ['PUT', `${CLIENTS_PATH}/donor/disabled`, { disabled: true }],
  ] as const)
    await seeProblem(
      t,
      await fixture.call(method, path, { headers, ...(json && { json }) }),
      'insufficient_role',
    )
  t.equal((await fixture.call('GET', '/library/', { as: 'donor' })).status, 200)
})

t.test('the last use of a client is noted in memory, and stored when asked to', async (t) => {
  let storeUses: () => Promise<unknown> = async () => {}
  const fixture = await startConsole(t.testdir(), {
    store: 'sqlite',
    wrap: (ports) => {
      const uses = recordClientUses(ports)
      storeUses = () => done(uses.storeUses())
      return { ...ports, accessTokens: uses.accessTokens }
    },
  })
  t.teardown(fixture.stop)
  const lastUse = async () => {
    const all = await done(fixture.ports.clients.overview())
    return all.find(({ client }) => client.id === ('donor' as ClientId))?.lastUsedAt
  }
  const token = await fixture.token('donor')
  t.same(await lastUse(), O.none, 'a request writes nothing')
  await storeUses()
  t.same(await lastUse(), O.some(fixture.clock.now()), 'a token was issued')
  fixture.clock.advance(60_000)
  await fixture.call('GET', '/feed/', { headers: { authorization: `Bearer ${token}` } })
  await storeUses()
  t.same(await lastUse(), O.some(fixture.clock.now()), 'a token was accepted')
})
