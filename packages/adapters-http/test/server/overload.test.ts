import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { makeBudget } from '../../src/lifecycle/health.ts'
import { type Fixture, startFixture } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'

/** No request takes less, so that each turn has time for one. */
const NO_TIME = 1e-9

/** Sends requests at once on one connection, so that they are read in one turn; gives their answers. */
const together = async (fixture: Fixture, paths: ReadonlyArray<string>) => {
  const { hostname, port } = new URL(fixture.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const authorization = `Bearer ${await fixture.token('user')}`
  const requests = paths.map((path, n) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${authorization}`,
      `Connection: ${n === paths.length - 1 ? 'close' : 'keep-alive'}`,
      '\r\n',
    ].join('\r\n'),
  )
  socket.write(requests.join(''))
  return (await text(socket)).split(/(?=HTTP\/1\.1 \d)/).map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const [status = '', ...fields] = head.split('\r\n')
    const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]))
    return new Response(body, { status: Number(status.split(' ')[1]), headers })
  })
}

t.test(
  'I1, I3: an overloaded server rejects requests with Retry-After, and its health checks pass',
  async (t) => {
    const fixture = await startFixture(t.testdir(), { store: 'memory', maxDelay: NO_TIME })
    t.teardown(fixture.stop)
    const [first, ...others] = await together(fixture, [
      '/library/?lim=1',
      '/library/',
      '/docs',
      '/docs/yaml',
      '/openapi.json',
      '/nowhere',
      '/feed/',
    ])
    t.equal(first?.status, 200, 'each event-loop iteration answers some')
    for (const refused of others) {
      t.same([refused.headers.get('retry-after'), refused.headers.get('api-version')], ['5', '1'])
      await seeProblem(t, refused, 'unavailable')
    }
    const healthy = await together(fixture, ['/library/?lim=2', '/health/live', '/health/ready', '/metrics'])
    t.same(
      healthy.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    t.equal(
      (await fixture.call('GET', '/library/', { as: 'user' })).status,
      200,
      'a single request is answered',
    )

    const told = fixture.lines.filter((line) => line.includes('overloaded'))
    t.equal(told.length, 1, 'one log line for all of them')
    t.notOk(
      fixture.lines.some((line) => JSON.parse(line).level >= 50),
      'rejected requests have no log line of their own',
    )
  },
)

t.test('A4, I1: an overloaded token endpoint answers in the format of RFC 6749', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', maxDelay: NO_TIME })
  t.teardown(fixture.stop)
  const [, refused] = await together(fixture, ['/library/', '/.well-known/oauth-authorization-server'])
  t.same([refused?.status, refused?.headers.get('retry-after')], [503, '5'])
  t.match(await refused?.json(), { error: 'temporarily_unavailable' })
})

t.test('without a limit nothing is rejected, however many requests come at once', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const answers = await together(fixture, Array(16).fill('/library/'))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
})

t.test('an event-loop iteration that uses up its budget is followed by 100 ms of rejections', async (t) => {
  let [time, ended] = [0, () => {}]
  const hasRoom = makeBudget(
    500,
    () => time,
    (end) => {
      ended = end
    },
  )
  const at = (moment: number) => {
    time = moment
    return hasRoom()
  }
  t.same([1000, 1499, 1500, 1599, 1600, 2099, 2100].map(at), [true, true, false, false, true, true, false])
  ended()
  t.equal(at(2101), true, 'the next iteration has a new budget')
})
