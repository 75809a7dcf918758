import type { ClientId, Email } from '@almoner/domain'
import { type ManagerName, makeAddManager } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import { type ConsoleFixture, EDITOR, enter, OWN_PAGE, onEach, signIn } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'

const OPERATOR = 'operator@example.org' as Email
const SECOND = 'second@example.org' as Email

const call = (fixture: ConsoleFixture, method: string, path: string, cookie: string, json?: object) =>
  fixture.call(method, `/console/api${path}`, {
    headers: { cookie, ...OWN_PAGE },
    ...(json && { json }),
  })

const addOperator = (fixture: ConsoleFixture, email: Email) =>
  done(
    makeAddManager(fixture.ports)({
      ...{ email, name: 'Second' as ManagerName, lang: 'en', duty: 'operator', disabled: false },
    }),
  )

/** Makes a session of an operator. */
const signInAs = async (fixture: ConsoleFixture, email: Email): Promise<string> => {
  const made = await call(fixture, 'PUT', `/managers/${email}/link`, await signIn(fixture, 'operator'))
  const { link } = (await made.json()) as { link: { token: string } }
  const opened = await enter(fixture, link.token)
  return (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

/** Erases through the API, as a client with these roles. */
const asClient = async (fixture: ConsoleFixture, roles: ReadonlyArray<'user-manager' | 'super-admin'>) => {
  const id = `client-${roles.length}` as ClientId
  const client = { id, name: id, scopes: ['user-donor'], roles, email: O.none, disabled: false } as const
  await done(fixture.ports.clients.add(client, fixture.ports.secrets.digest('secret')))
  const answer = await fixture.call('POST', '/oauth2/get-token', {
    form: { grant_type: 'client_credentials', client_id: id, client_secret: 'secret', scope: 'user-donor' },
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return (email: string) =>
    fixture.call('DELETE', `/user/${email}`, { headers: { authorization: `Bearer ${access_token}` } })
}

const numberOf = async (fixture: ConsoleFixture, cookie: string, email: string): Promise<number> => {
  const found = await call(fixture, 'POST', '/users/search', cookie, { address: email })
  const { users } = (await found.json()) as { users: ReadonlyArray<{ user: { number: number } }> }
  return users[0]?.user.number ?? 0
}

onEach('L4: a client needs super-admin besides user-manager to erase a manager', async (t, fixture) => {
  const without = await asClient(fixture, ['user-manager'])
  for (const email of [EDITOR, OPERATOR]) {
    const refused = await without(email)
    t.equal(refused.status, 403)
    await seeProblem(t, refused, 'insufficient_role')
  }
  const both = await asClient(fixture, ['user-manager', 'super-admin'])
  t.equal((await both(EDITOR)).status, 200)
  const last = await both(OPERATOR)
  t.equal(last.status, 409)
  await seeProblem(t, last, 'last_operator')
  t.equal((await done(fixture.ports.managers.all())).length, 1)
})

onEach('L4: the last enabled operator is neither erased, disabled nor demoted', async (t, fixture) => {
  await addOperator(fixture, SECOND)
  await done(fixture.ports.managers.change(SECOND, { disabled: true }))
  const cookie = await signIn(fixture, 'operator')
  const number = await numberOf(fixture, cookie, OPERATOR)
  for (const [method, path, json] of [
    ['PUT', `/managers/${OPERATOR}/access`, { disabled: true }],
    ['PUT', `/managers/${OPERATOR}/access`, { duty: 'editor' }],
    ['DELETE', `/user/${OPERATOR}`],
    ['DELETE', `/users/${number}`],
  ] as const)
    await seeProblem(t, await call(fixture, method, path, cookie, json), 'last_operator', `${method} ${path}`)
  t.equal((await call(fixture, 'DELETE', `/user/${SECOND}`, cookie)).status, 200, 'a disabled one is erased')
  await addOperator(fixture, SECOND)
  t.equal((await call(fixture, 'DELETE', `/users/${number}`, cookie)).status, 200, 'one of two')
})

onEach('L4: of two operators who act on each other at once, one wins', async (t, fixture) => {
  const acts = {
    disable: (email: Email) => ['PUT', `/managers/${email}/access`, { disabled: true }] as const,
    demote: (email: Email) => ['PUT', `/managers/${email}/access`, { duty: 'editor' }] as const,
    erase: (email: Email) => ['DELETE', `/user/${email}`, undefined] as const,
  }
  const { managers } = fixture.ports
  for (const [name, act] of Object.entries(acts)) {
    for (const email of [OPERATOR, SECOND]) {
      if (O.isNone(await done(managers.find(email)))) await addOperator(fixture, email)
      await done(managers.change(email, { duty: 'operator', disabled: false }))
    }
    const [second, first] = [await signInAs(fixture, SECOND), await signIn(fixture, 'operator')]
    const run = (cookie: string, [method, path, json]: ReturnType<(typeof acts)[keyof typeof acts]>) =>
      call(fixture, method, path, cookie, json)
    const both = await Promise.all([run(first, act(SECOND)), run(second, act(OPERATOR))])
    const statuses = both.map(({ status }) => status).sort()
    t.equal(statuses[0], 200, name)
    t.ok([401, 403, 409].includes(statuses[1] ?? 0), `${name}: ${statuses}`)
    const left = (await done(managers.all())).filter(({ duty, disabled }) => duty === 'operator' && !disabled)
    t.equal(left.length, 1, name)
  }
})

onEach('M3, M4, K1: an operator removes the passkey of a stolen phone', async (t, fixture) => {
  const passkey = { id: 'phone', name: 'Phone', publicKey: 'key', signCount: 0 } as const
  const createdAt = fixture.clock.now()
  await done(
    fixture.ports.passkeys.add({ ...passkey, email: EDITOR, createdAt, lastUsedAt: O.none } as never),
  )
  const [thief, cookie] = [await signIn(fixture, 'editor'), await signIn(fixture, 'operator')]
  const listed = await call(fixture, 'GET', `/managers/${EDITOR}/passkeys`, cookie)
  t.match(await listed.json(), { passkeys: [{ passkey: { id: 'phone', name: 'Phone' } }] })
  const path = `/managers/${EDITOR}/passkeys/phone`
  await seeProblem(
    t,
    await call(fixture, 'DELETE', `/managers/${OPERATOR}/passkeys/phone`, cookie),
    'not_found',
  )
  t.equal((await call(fixture, 'DELETE', path, cookie)).status, 200)
  await seeProblem(t, await call(fixture, 'DELETE', path, cookie), 'not_found')
  t.equal((await call(fixture, 'GET', '/session', thief)).status, 401, 'the sessions have ended')
  t.equal((await call(fixture, 'GET', '/session', cookie)).status, 200, 'those of others go on')
  const unknown = await call(fixture, 'GET', '/managers/x@example.org/passkeys', cookie)
  await seeProblem(t, unknown, 'not_found')
})
