import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { authenticator } from '../support/authenticator.ts'
import { type ConsoleFixture, EDITOR, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

const MINUTES = 60_000

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

const optionsIn = async (response: Response) =>
  JSON.parse(((await response.json()) as { options: string }).options) as { challenge: string; rpId?: string }

/** Makes an authenticator with a passkey of the editor. */
const withPasskey = async (fixture: ConsoleFixture) => {
  const cookie = await signIn(fixture, 'editor')
  const key = await authenticator('https://almoner.example.org')
  const { challenge } = await optionsIn(await call(fixture, 'PUT', '/passkeys/options', undefined, cookie))
  const response = await key.create(challenge)
  const added = await call(fixture, 'POST', '/passkeys', { name: 'Phone', response }, cookie)
  return { cookie, key, added, response }
}

const challengeOf = async (fixture: ConsoleFixture): Promise<string> =>
  (await optionsIn(await call(fixture, 'POST', '/sign-in/passkey/options'))).challenge

t.test('M3: a passkey opens sessions, and a response works once', async (t) => {
  const fixture = await start(t)
  const { key, added } = await withPasskey(fixture)
  t.match(await added.json(), { passkey: { name: 'Phone', lastUsedAt: '' } })
  const response = await key.get(await challengeOf(fixture))
  const opened = await call(fixture, 'POST', '/sign-in/passkey', { response })
  t.match(opened.headers.get('set-cookie'), /^__Host-almoner=.*HttpOnly/)
  t.match(await opened.json(), { session: { manager: { email: EDITOR } } })
  await seeProblem(t, await call(fixture, 'POST', '/sign-in/passkey', { response }), 'sign_in_refused')
})

t.test('M3: every failure gets the same response', async (t) => {
  const fixture = await start(t)
  const { key } = await withPasskey(fixture)
  const other = await authenticator('https://almoner.example.org')
  const elsewhere = await authenticator('https://evil.example')
  const challenge = () => challengeOf(fixture)
  const late = await challenge()
  fixture.clock.advance(5 * MINUTES)
  const responses = {
    late: await key.get(late),
    'an unknown challenge': await key.get(Buffer.from('guess').toString('base64url')),
    'an unknown passkey': await other.get(await challenge()),
    'another origin': await elsewhere.get(await challenge(), key),
    'a wrong signature': await other.get(await challenge(), key),
    'no verification': await key.get(await challenge(), undefined, 0x01),
    'not JSON': '{',
  }
  for (const [name, response] of Object.entries(responses)) {
    const refused = await call(fixture, 'POST', '/sign-in/passkey', { response })
    t.equal(refused.headers.get('set-cookie'), null, name)
    await seeProblem(t, refused, 'sign_in_refused', name)
  }
  const response = await key.get(await challenge())
  await done(fixture.ports.managers.change(EDITOR, { disabled: true }))
  await seeProblem(t, await call(fixture, 'POST', '/sign-in/passkey', { response }), 'sign_in_refused')
})

t.test('A8: wrong responses and challenges are limited by network', async (t) => {
  const fixture = await start(t)
  for (let n = 0; n < 10; n += 1)
    t.equal((await call(fixture, 'POST', '/sign-in/passkey', { response: '{}' })).status, 401)
  t.equal((await call(fixture, 'POST', '/sign-in/passkey', { response: '{}' })).status, 429)
  for (let n = 0; n < 100; n += 1)
    t.equal((await call(fixture, 'POST', '/sign-in/passkey/options')).status, 200)
  const limited = await call(fixture, 'POST', '/sign-in/passkey/options')
  t.same([limited.status, limited.headers.get('retry-after')], [429, '60'])
})

t.test('M3, M4: a passkey is added by its person only, once, after a recent sign-in', async (t) => {
  const fixture = await start(t)
  const { cookie, response, key } = await withPasskey(fixture)
  const again = await call(fixture, 'POST', '/passkeys', { name: 'Phone', response }, cookie)
  t.same(fieldsOf(await seeProblem(t, again, 'invalid_request')), ['response'], 'its challenge is used')
  const options = await call(fixture, 'PUT', '/passkeys/options', undefined, cookie)
  const known = await key.create((await optionsIn(options)).challenge)
  const twice = await call(fixture, 'POST', '/passkeys', { name: 'Phone', response: known }, cookie)
  t.same(fieldsOf(await seeProblem(t, twice, 'invalid_request')), ['response'], 'its id is known')
  const operator = await signIn(fixture, 'operator')
  const theirs = await call(fixture, 'PUT', '/passkeys/options', undefined, operator)
  const fresh = await authenticator('https://almoner.example.org')
  const crossed = await fresh.create((await optionsIn(theirs)).challenge)
  t.equal((await call(fixture, 'POST', '/passkeys', { name: 'X', response: crossed }, cookie)).status, 400)
  fixture.clock.advance(5 * MINUTES)
  for (const [method, path] of [
    ['PUT', '/passkeys/options'],
    ['POST', '/passkeys'],
    ['DELETE', '/passkeys/x'],
  ] as const)
    await seeProblem(
      t,
      await call(fixture, method, path, { name: 'X', response: '{}' }, cookie),
      'presence_required',
    )
})
