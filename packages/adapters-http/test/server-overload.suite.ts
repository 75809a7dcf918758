import t from 'tap'
import { seeProblem } from './support/problems.ts'
import { startRig } from './support/rig.ts'

/** An event loop is always later than this, which makes a server overloaded as soon as it has looked once. */
const ALWAYS = 1e-6

t.test('I1, I3: an overloaded server refuses with Retry-After, and its health stays green', async (t) => {
  const rig = await startRig(t.testdir(), { store: 'memory', maxDelay: ALWAYS })
  t.teardown(rig.stop)
  let refused = await rig.call('GET', '/library/', { as: 'user' })
  while (refused.status === 200) refused = await rig.call('GET', '/library/', { as: 'user' })
  t.equal(refused.headers.get('retry-after'), '5')
  t.equal(refused.headers.get('api-version'), '1')
  await seeProblem(t, refused, 'unavailable')

  const created = await rig.call('POST', '/library/', { as: 'manager', json: { itemTitle: 'A' } })
  t.equal(created.status, 503, 'before the body is looked at')
  for (const path of ['/static/media/x.jpg', '/docs', '/openapi.json', '/nowhere'])
    t.equal((await rig.call('GET', path)).status, 503, path)
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    t.equal((await rig.call('GET', path)).status, 200, path)

  const token = await rig.call('POST', '/oauth2/get-token', { form: { grant_type: 'client_credentials' } })
  t.same([token.status, token.headers.get('retry-after')], [503, '5'])
  t.match(await token.json(), { error: 'temporarily_unavailable' }, 'RFC 6749 has its own form')

  const told = rig.lines.filter((line) => line.includes('overloaded'))
  t.equal(told.length, 1, 'one line for all of them')
  t.notOk(
    rig.lines.some((line) => JSON.parse(line).level >= 50),
    'no line of its own for what is refused',
  )
})

t.test('I3: however late the event loop is, nothing is refused where no limit is set', async (t) => {
  const rig = await startRig(t.testdir(), { store: 'memory' })
  t.teardown(rig.stop)
  t.notOk(rig.app.hasDecorator('isUnderPressure'))
})
