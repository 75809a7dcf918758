import { connect } from 'node:net'
import t from 'tap'
import { startFixture } from '../support/fixture.ts'
import { lineAbout, readLines, untilLines } from '../support/log-lines.ts'
import { AMINA, attach } from '../support/people.ts'
import { newLibraryItem } from '../support/samples.ts'

t.test('A1, A5, I1: each response is one log line with route and client, and without the URL', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const id = await newLibraryItem(fixture)
  const asked = [
    ['GET', `/library/${id}`, 'manager', 200, '/library/:itemId'],
    ['HEAD', '/library', 'user', 200, '/library/'],
    ['POST', '/feed/secret/media', 'user', 400, '/feed/:itemId/media'],
    ['DELETE', '/feed/secret/media', 'user', 403, '/feed/:itemId/media/'],
    ['GET', '/library/?access_token=secret', undefined, 401, '/library/'],
    ['PUT', '/library/secret', undefined, 405, '/library/:itemId'],
    ['OPTIONS', '/library/secret', undefined, 204, '/library/:itemId'],
    ['GET', '/secret', undefined, 404, undefined],
    ['POST', '/oauth2/get-token', undefined, 400, '/oauth2/get-token'],
    ['GET', '/static/media/secret.png', undefined, 404, undefined],
  ] as const
  await fixture.token('user')
  for (const [method, path, as, status, route] of asked) {
    const response = await fixture.call(method, path, as === undefined ? {} : { as })
    t.equal(response.status, status, `${method} ${path}`)
    const line = await lineAbout(fixture.lines, response)
    const known = status === 200 || status === 400 ? as : undefined
    t.match(line, {
      level: 30,
      msg: 'answered',
      method,
      status,
      ...(known === undefined ? {} : { client: known }),
    })
    t.equal(line.route, route, 'the route pattern, or none for an unknown path')
  }
  t.notMatch(fixture.lines.join(''), /secret/, 'no URL')
  t.notOk(fixture.lines.join('').includes(id))
  const lines = readLines(fixture.lines)
  t.equal(new Set(lines.map(({ requestId }) => requestId)).size, lines.length, 'one line per request')
})

t.test('F5: a device token of unknown kind is accepted, warned about and counted', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  for (const token of ['fcm:known', 'no-kind-at-all'])
    t.equal((await attach(fixture, AMINA, token)).status, 200)
  const warnings = readLines(fixture.lines).filter(({ level }) => level === 40)
  t.match(warnings, [{ msg: /^a device token of unknown kind was attached/ }])
  t.equal(warnings.length, 1)
  t.notMatch(fixture.lines.join(''), /no-kind-at-all/)
  const metrics = await (await fixture.call('GET', '/metrics')).text()
  t.match(metrics, '\nalmoner_unroutable_tokens_total 1\n')
})

t.test('I1: a caller who disconnects before the response is logged', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const token = await fixture.token('manager')
  const { hostname, port } = new URL(fixture.url)
  const before = fixture.lines.length
  const began = new Promise<void>((resolve) => {
    fixture.app.server.once('request', () => resolve())
  })
  const head = `POST /library/?access_token=${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`
  const socket = connect(Number(port), hostname, () => socket.write(head))
  await began
  socket.destroy()
  await untilLines(fixture.lines, before + 1)
  const lines = readLines(fixture.lines.slice(before))
  t.match(lines[0], { method: 'POST' })
  t.notOk(fixture.lines.join('').includes(token))
})
