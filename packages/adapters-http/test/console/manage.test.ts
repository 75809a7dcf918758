import { done } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import {
  type ConsoleFixture,
  EDITOR,
  enter,
  OWN_PAGE,
  onBoth,
  signIn,
  startConsole,
} from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'

const MINUTES = 60_000
const NEW = 'marie@example.org'
const MANAGER = { name: 'Marie', duty: 'editor', lang: 'fr' }

const call = (fixture: ConsoleFixture, method: string, path: string, cookie: string, json?: object) =>
  fixture.call(method, `/console/api${path}`, {
    headers: { cookie, ...OWN_PAGE },
    ...(json && { json }),
  })

const seeAddress = async (t: Test, response: Response) =>
  t.match((await seeProblem(t, response, 'invalid_request')).errors, [{ field: 'email', message: /manager/ }])

const tokenIn = async (response: Response): Promise<string> =>
  ((await response.json()) as { link: { token: string } }).link.token

/** Returns what the records say of managers, in the order of the acts. */
const recorded = async ({ ports }: ConsoleFixture) => {
  const none = { _tag: 'None' } as const
  const found = []
  for await (const records of ports.history.records({
    since: none,
    until: none,
    actor: none,
    action: none,
    subject: none,
  }))
    found.push(...records)
  return found
    .filter(({ subject, actor }) => subject.kind === 'manager' && actor.kind === 'person')
    .reverse()
    .map(({ action, actor, changes }) => [action, actor.id, ...changes.map(({ field }) => field)])
}

onBoth(
  'M2, K1: an operator adds a manager, whose link works once, and changes the access',
  async (t, fixture) => {
    const cookie = await signIn(fixture, 'operator')
    const added = await call(fixture, 'PUT', `/managers/${NEW}`, cookie, MANAGER)
    t.equal(added.status, 200)
    const token = await tokenIn(added)
    t.equal((await enter(fixture, token)).status, 200)
    t.equal((await enter(fixture, token)).status, 401)
    await seeAddress(t, await call(fixture, 'PUT', `/managers/${NEW}`, cookie, MANAGER))
    const again = await tokenIn(await call(fixture, 'PUT', `/managers/${NEW}/link`, cookie))
    const changed = await call(fixture, 'PUT', `/managers/${NEW}/access`, cookie, { duty: 'operator' })
    const marie = { email: NEW, name: 'Marie', language: 'fr' }
    t.same(await changed.json(), { manager: { ...marie, duty: 'operator', disabled: false } })
    t.equal((await enter(fixture, again)).status, 401, 'a change of duty ends unused links')
    await call(fixture, 'PUT', `/managers/${NEW}/access`, cookie, { disabled: true })
    await seeAddress(t, await call(fixture, 'PUT', `/managers/${NEW}/link`, cookie))
    const { managers } = (await (await call(fixture, 'GET', '/managers', cookie)).json()) as {
      managers: ReadonlyArray<object>
    }
    t.match(managers[1], { manager: { ...marie, duty: 'operator', disabled: true } })
    t.equal(managers.length, 3)
    const number = (await recorded(fixture))[0]?.[1]
    t.same(await recorded(fixture), [
      ['add-manager', number, 'lang', 'duty', 'disabled'],
      ['invite-manager', number],
      ['change-manager', number, 'duty'],
      ['change-manager', number, 'disabled'],
    ])
  },
)

onBoth('M4: an operator sees and ends the sessions of a manager', async (t, fixture) => {
  const editor = await signIn(fixture, 'editor')
  const cookie = await signIn(fixture, 'operator')
  const listed = await call(fixture, 'GET', `/managers/${EDITOR}/sessions`, cookie)
  const { sessions } = (await listed.json()) as { sessions: [] }
  t.equal(sessions.length, 1)
  t.notMatch(JSON.stringify(sessions), editor.split('=')[1] ?? '')
  const ended = await call(fixture, 'DELETE', `/managers/${EDITOR}/sessions`, cookie)
  t.same(await ended.json(), { ended: 1 })
  t.equal((await call(fixture, 'GET', '/session', editor)).status, 401)
  t.same((await recorded(fixture)).at(-1)?.[0], 'end-sessions')
  for (const method of ['GET', 'DELETE'])
    await seeProblem(t, await call(fixture, method, '/managers/x@example.org/sessions', cookie), 'not_found')
})

onBoth('M4: a person ends all other sessions', async (t, fixture) => {
  const [phone, desk] = [await signIn(fixture, 'editor'), await signIn(fixture, 'editor')]
  const other = await signIn(fixture, 'operator')
  const { sessions } = (await (await call(fixture, 'GET', '/sessions', desk)).json()) as {
    sessions: ReadonlyArray<{ session: { isCurrent: boolean } }>
  }
  t.same(sessions.map(({ session }) => session.isCurrent).sort(), [false, true])
  t.same(await (await call(fixture, 'DELETE', '/sessions', desk)).json(), { ended: 1 })
  const statuses = []
  for (const cookie of [phone, desk, other])
    statuses.push((await call(fixture, 'GET', '/session', cookie)).status)
  t.same(statuses, [401, 200, 200])
  t.same((await recorded(fixture)).length, 1)
})

const CHANGES = [
  ['PUT', `/managers/${NEW}`, MANAGER],
  ['PUT', `/managers/${EDITOR}/link`],
  ['PUT', `/managers/${EDITOR}/access`, { duty: 'operator' }],
  ['DELETE', `/managers/${EDITOR}/sessions`],
  ['DELETE', `/managers/${EDITOR}/passkeys/id`],
] as const

t.test('M2, M4: managing people is for operators, after a recent sign-in', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const [editor, operator] = [await signIn(fixture, 'editor'), await signIn(fixture, 'operator')]
  fixture.clock.advance(5 * MINUTES)
  for (const [method, path, json] of CHANGES) {
    await seeProblem(t, await call(fixture, method, path, editor, json), 'insufficient_role')
    await seeProblem(t, await call(fixture, method, path, operator, json), 'presence_required')
  }
  for (const path of ['/managers', `/managers/${EDITOR}/sessions`, `/managers/${EDITOR}/passkeys`]) {
    await seeProblem(t, await call(fixture, 'GET', path, editor), 'insufficient_role')
    t.equal((await call(fixture, 'GET', path, operator)).status, 200)
  }
})

t.test('L4: the last operator can neither be demoted nor disabled, not by oneself either', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const cookie = await signIn(fixture, 'operator')
  for (const change of [{ duty: 'editor' }, { disabled: true }]) {
    const refused = await call(fixture, 'PUT', '/managers/operator@example.org/access', cookie, change)
    t.equal(refused.status, 409)
    await seeProblem(t, refused, 'last_operator')
  }
  t.equal((await call(fixture, 'GET', '/session', cookie)).status, 200)
})

t.test('no response but the one to the operator has the secret of a link', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const cookie = await signIn(fixture, 'operator')
  const token = await tokenIn(await call(fixture, 'PUT', `/managers/${NEW}`, cookie, MANAGER))
  t.notOk(fixture.lines.some((line) => line.includes(token) || line.includes(NEW)))
  const stored = await done(fixture.ports.managers.all())
  t.notOk(JSON.stringify(stored).includes(token))
})
