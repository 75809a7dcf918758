import t from 'tap'
import { type ConsoleFixture, OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'
import { attach } from '../support/people.ts'
import { seeProblem } from '../support/problems.ts'

const MINUTES = 60_000

const AMINA = 'amina@example.org'

const erase = (fixture: ConsoleFixture, cookie: string) =>
  fixture.call('DELETE', `/console/api/user/${AMINA}`, { headers: { cookie, ...OWN_PAGE } })

onBoth(
  'M4: what needs a recent proof of presence is refused five minutes after the sign-in',
  async (t, fixture) => {
    await attach(fixture, AMINA, 'fcm:amina')
    const cookie = await signIn(fixture, 'operator')
    fixture.clock.advance(5 * MINUTES)
    const refused = await erase(fixture, cookie)
    t.equal(refused.status, 403)
    await seeProblem(t, refused, 'presence_required')
    const shown = await fixture.call('GET', '/console/api/library/', { headers: { cookie } })
    t.equal(shown.status, 200, 'the session goes on')
    const again = await signIn(fixture, 'operator')
    fixture.clock.advance(5 * MINUTES - 1)
    t.equal((await erase(fixture, again)).status, 200, 'a sign-in is a proof of presence')
  },
)

t.test('M4: use of a session proves no presence, and a missing role is said first', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const [operator, editor] = [await signIn(fixture, 'operator'), await signIn(fixture, 'editor')]
  for (let minute = 0; minute < 5; minute += 1) {
    await fixture.call('GET', '/console/api/library/', { headers: { cookie: operator } })
    fixture.clock.advance(MINUTES)
  }
  await seeProblem(t, await erase(fixture, operator), 'presence_required')
  await seeProblem(t, await erase(fixture, editor), 'insufficient_role')
})

t.test('M4: a client of the API needs no proof of presence', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  await attach(fixture, AMINA, 'fcm:amina')
  fixture.clock.advance(10 * MINUTES)
  t.equal((await fixture.call('DELETE', `/user/${AMINA}`, { as: 'userManager' })).status, 200)
})
