import { makePasswordChecker } from '@almoner/adapters-signin'
import { type TotpSecret, totpCode, totpStep } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { type ConsoleFixture, EDITOR, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

const [SECONDS, MINUTES] = [1000, 60_000]

const PASSWORD = 'correct horse battery'

const { hmac } = makePasswordChecker()

const start = async (t: Pick<typeof import('tap').default, 'testdir' | 'teardown'>) => {
  const fixture = await startConsole(t.testdir(), { store: 'sqlite' })
  t.teardown(fixture.stop)
  return fixture
}

const call = (fixture: ConsoleFixture, method: string, path: string, json?: object, cookie = '') =>
  fixture.call(method, `/console/api${path}`, {
    headers: { ...OWN_PAGE, 'x-forwarded-for': '192.0.2.1', ...(cookie && { cookie }) },
    ...(json && { json }),
  })

const jsonOf = async <Body>(response: Promise<Response>) => (await (await response).json()) as Body

/** Sets a password of the editor up, with an authenticator app. */
const withPassword = async (fixture: ConsoleFixture) => {
  const cookie = await signIn(fixture, 'editor')
  const own = (method: string, path: string, json?: object) => call(fixture, method, path, json, cookie)
  const { secret } = await jsonOf<{ secret: TotpSecret }>(own('PUT', '/password/secret'))
  const code = () => totpCode(hmac, secret, totpStep(fixture.clock.now()))
  const enter = (given: object = {}) => {
    const json = { email: EDITOR, password: PASSWORD, code: code(), ...given }
    return call(fixture, 'POST', '/sign-in/password', json)
  }
  const set = await own('PUT', '/password', { password: PASSWORD, secret, code: code() })
  const { recoveryCodes } = (await set.json()) as { recoveryCodes: ReadonlyArray<string> }
  return { cookie, own, secret, code, enter, recoveryCodes }
}

t.test('M3: password and code open a session, and a code works once', async (t) => {
  const fixture = await start(t)
  const { own, code, enter, recoveryCodes } = await withPassword(fixture)
  t.equal(recoveryCodes.length, 10)
  t.match(await jsonOf(own('GET', '/password')), {
    password: { isSet: true, lastUsedAt: '', recoveryCodesLeft: 10 },
  })
  await seeProblem(t, await enter(), 'sign_in_refused', 'the code of setting it up')
  fixture.clock.advance(30 * SECONDS)
  const opened = await enter()
  t.match(opened.headers.get('set-cookie'), /^__Host-almoner=.*HttpOnly/)
  t.equal(opened.headers.get('cache-control'), 'no-store')
  t.match(await opened.json(), { session: { manager: { email: EDITOR } } })
  await seeProblem(t, await enter({ code: code() }), 'sign_in_refused', 'a used code')
  const [recovery] = recoveryCodes
  t.equal((await enter({ code: recovery })).status, 200)
  await seeProblem(t, await enter({ code: recovery }), 'sign_in_refused', 'a used recovery code')
  const { password } = await jsonOf<{ password: object }>(own('GET', '/password'))
  t.match(password, { recoveryCodesLeft: 9, lastUsedAt: /^2/ })
})

t.test('M3: every failure gets the same response', async (t) => {
  const fixture = await start(t)
  const { enter } = await withPassword(fixture)
  fixture.clock.advance(30 * SECONDS)
  const attempts = [
    { password: 'correct horse batterie' },
    { password: 'x' },
    { code: 'x' },
    { email: 'unknown@example.org' },
    { email: 'operator@example.org' },
  ]
  const shown = async (given: object) => {
    const refused = await enter(given)
    const { requestId: _, ...problem } = (await refused.json()) as { requestId: string }
    const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(refused.headers)
    return { status: refused.status, problem, headers }
  }
  const first = await shown({ password: 'y' })
  t.match(first, { status: 401, problem: { code: 'sign_in_refused' } })
  for (const given of attempts) t.same(await shown(given), first, Object.keys(given).join())
  await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
  t.same(await shown({}), first, 'a disabled manager')
})

t.test('A8: wrong passwords are limited by person and network', async (t) => {
  const fixture = await start(t)
  const { enter } = await withPassword(fixture)
  fixture.clock.advance(30 * SECONDS)
  for (let n = 0; n < 10; n += 1) t.equal((await enter({ password: 'x' })).status, 401)
  const limited = await enter()
  t.same([limited.status, limited.headers.get('retry-after')], [429, '60'])
  t.equal((await enter({ email: 'unknown@example.org' })).status, 401)
  fixture.clock.advance(MINUTES)
  t.equal((await enter()).status, 200)
})

t.test('M3: what is wrong with a new password is said by field', async (t) => {
  const fixture = await start(t)
  const { own, secret, code } = await withPassword(fixture)
  const set = async (given: object) => {
    const refused = await own('PUT', '/password', { password: PASSWORD, secret, code: code(), ...given })
    return fieldsOf(await seeProblem(t, refused, 'invalid_request'))
  }
  t.same(await set({ password: 'short' }), ['password'])
  t.same(await set({ code: '000 00' }), ['code'])
  t.same(await set({ secret: 'A' }), ['secret'])
  t.same(await set({}), ['secret'], 'used')
  const own2 = await own('PUT', '/password/text', { password: 'Editor@example.org' })
  t.same(fieldsOf(await seeProblem(t, own2, 'invalid_request')), ['password'])
})

t.test('M4: changing and removing a password end the other sessions', async (t) => {
  const fixture = await start(t)
  const { own, enter, recoveryCodes } = await withPassword(fixture)
  const other = await signIn(fixture, 'editor')
  const isOpen = async () => (await call(fixture, 'GET', '/session', undefined, other)).status === 200
  t.ok(await isOpen())
  const renewed = await jsonOf<{ recoveryCodes: ReadonlyArray<string> }>(
    own('PUT', '/password/recovery-codes'),
  )
  t.notOk(await isOpen(), 'new recovery codes end them, too')
  const password = 'staple staple staple'
  t.equal((await own('PUT', '/password/text', { password })).status, 200)
  await seeProblem(t, await enter({ password, code: recoveryCodes[0] }), 'sign_in_refused')
  t.equal((await enter({ password, code: renewed.recoveryCodes[0] })).status, 200)
  t.equal((await own('DELETE', '/password')).status, 200)
  await seeProblem(t, await own('DELETE', '/password'), 'not_found')
  t.match(await jsonOf(own('GET', '/password')), { password: { isSet: false, changedAt: '' } })
})

t.test('M4: all but a look at it needs a recent sign-in', async (t) => {
  const fixture = await start(t)
  const { own } = await withPassword(fixture)
  fixture.clock.advance(5 * MINUTES)
  for (const [method, path] of [
    ['PUT', '/password/secret'],
    ['PUT', '/password'],
    ['PUT', '/password/text'],
    ['PUT', '/password/recovery-codes'],
    ['DELETE', '/password'],
  ] as const)
    await seeProblem(t, await own(method, path, {}), 'presence_required')
  t.equal((await own('GET', '/password')).status, 200)
})

t.test('M3, M4: an operator removes the password of a manager, which ends the sessions', async (t) => {
  const fixture = await start(t)
  const { own } = await withPassword(fixture)
  const operator = await signIn(fixture, 'operator')
  const path = `/managers/${EDITOR}/password`
  await seeProblem(t, await own('DELETE', path), 'insufficient_role')
  const list = await call(fixture, 'GET', '/managers', undefined, operator)
  t.match(await list.json(), {
    managers: [{ manager: { hasPassword: true } }, { manager: { hasPassword: false } }],
  })
  t.equal((await call(fixture, 'DELETE', path, undefined, operator)).status, 200)
  await seeProblem(t, await call(fixture, 'DELETE', path, undefined, operator), 'not_found')
  t.equal((await own('GET', '/session')).status, 401)
})
