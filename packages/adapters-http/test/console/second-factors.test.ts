import { makePasswordChecker } from '@almoner/adapters-signin'
import { type TotpSecret, totpCode, totpStep } from '@almoner/domain/managers'
import t from 'tap'
import {
  type ConsoleFixture,
  EDITOR,
  enter,
  linkFor,
  OWN_PAGE,
  onEach,
  signIn,
  startConsole,
} from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'

const HOUR = 3_600_000

const { hmac } = makePasswordChecker()

const PASSWORD = 'correct horse battery'

let network = 0

/** Sends a password and a code, each time from another network, so that only what counts by person is counted. */
const typed = (fixture: ConsoleFixture, given: object) => {
  network += 1
  return fixture.call('POST', '/console/api/sign-in/password', {
    json: { email: EDITOR, password: PASSWORD, ...given },
    headers: { ...OWN_PAGE, 'x-forwarded-for': `198.51.${network >> 8}.${network & 255}` },
  })
}

/** Gives the editor a password with an authenticator app. */
const withPassword = async (fixture: ConsoleFixture) => {
  const cookie = await signIn(fixture, 'editor')
  const own = async <Body>(path: string, json?: object) => {
    const headers = { ...OWN_PAGE, cookie }
    const response = await fixture.call('PUT', `/console/api${path}`, { headers, ...(json && { json }) })
    return (await response.json()) as Body
  }
  const { secret } = await own<{ secret: TotpSecret }>('/password/secret')
  const code = () => totpCode(hmac, secret, totpStep(fixture.clock.now()))
  const { recoveryCodes } = await own<{ recoveryCodes: ReadonlyArray<string> }>('/password', {
    ...{ password: PASSWORD, secret, code: code() },
  })
  fixture.clock.advance(30_000)
  return { code, recoveryCodes }
}

/** Sends wrong codes after the right password. */
const guess = async (fixture: ConsoleFixture, count: number) =>
  Promise.all(Array.from({ length: count }, () => typed(fixture, { code: 'wrong' })))

const shown = async (response: Response) => {
  const { requestId: _, ...problem } = (await response.json()) as { requestId: string }
  const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, problem, headers }
}

onEach('M9: after ten wrong codes from ten networks, codes are refused for an hour', async (t, fixture) => {
  const { code, recoveryCodes } = await withPassword(fixture)
  await guess(fixture, 10)
  const wrong = await shown(await typed(fixture, { password: 'x', code: code() }))
  t.match(wrong, { status: 401, problem: { code: 'sign_in_refused' } })
  t.same(
    await shown(await typed(fixture, { code: code() })),
    wrong,
    'the right code looks like a wrong password',
  )
  t.same(await shown(await typed(fixture, { code: recoveryCodes[0] })), wrong, 'a recovery code, too')
  t.equal((await enter(fixture, await linkFor(fixture, 'editor'))).status, 200, 'a link still works')
  t.equal((await typed(fixture, { code: code() })).status, 401, 'and does not end the hour')
  fixture.clock.advance(HOUR - 1)
  t.equal((await typed(fixture, { code: code() })).status, 401)
  fixture.clock.advance(1)
  t.equal((await typed(fixture, { code: code() })).status, 200)
})

onEach('M9: of many codes that are sent at once, ten are compared', async (t, fixture) => {
  const { code } = await withPassword(fixture)
  await guess(fixture, 40)
  t.equal((await typed(fixture, { code: code() })).status, 401)
  fixture.clock.advance(HOUR)
  t.equal((await typed(fixture, { code: code() })).status, 200)
})

onEach('M9: strangers without the password lock no person out', async (t, fixture) => {
  const { code } = await withPassword(fixture)
  for (const email of [EDITOR, 'unknown@example.org'])
    await Promise.all(
      Array.from({ length: 30 }, () => typed(fixture, { email, password: 'x', code: 'wrong' })),
    )
  t.equal((await typed(fixture, { code: code() })).status, 200)
})

t.test('M9: count and hour outlive the process', async (t) => {
  const folder = t.testdir()
  const first = await startConsole(folder, { store: 'sqlite' })
  const { code } = await withPassword(first)
  await guess(first, 9)
  await first.stop()
  const second = await startConsole(folder, { store: 'sqlite', after: first })
  t.teardown(second.stop)
  second.clock.advance(30_000)
  await guess(second, 1)
  await seeProblem(t, await typed(second, { code: code() }), 'sign_in_refused')
})
