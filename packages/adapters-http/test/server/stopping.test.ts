import { once } from 'node:events'
import { connect } from 'node:net'
import type { Ports } from '@almoner/domain'
import t from 'tap'
import { startFixture } from '../support/fixture.ts'
import { readAnswer } from '../support/raw.ts'

/** A door that stands shut until it is opened, and says when someone has come to it. */
const makeDoor = () => {
  let open = () => {}
  let arrive = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const pass = (): Promise<void> => {
    arrive()
    return opened
  }
  return { open, arrived, pass }
}

const behind =
  (pass: () => Promise<void>) =>
  (ports: Ports): Ports => ({
    ...ports,
    labels: { ...ports.labels, all: () => () => pass().then(() => ports.labels.all()()) },
  })

t.test('an idle connection does not delay the shutdown', { timeout: 30_000 }, async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  const { hostname, port } = new URL(fixture.url)
  const accepted = once(fixture.app.server, 'connection')
  const socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  await accepted
  // Node itself would end it after a minute, which is longer than this test may take.
  await Promise.all([fixture.stop(), closed])
  t.pass('both have ended')
})

t.test(
  'a server that shuts down finishes running requests, and closes their connections with the response',
  async (t) => {
    const door = makeDoor()
    const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: behind(door.pass) })
    const token = await fixture.token('user')
    const { hostname, port } = new URL(fixture.url)
    const chunks: Array<Buffer> = []
    const socket = connect(Number(port), hostname)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.write(`GET /library/label HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await door.arrived

    const stopped = fixture.stop()
    while (fixture.app.server.listening) await new Promise((resolve) => setImmediate(resolve))
    door.open()
    await Promise.all([stopped, closed])

    const answer = readAnswer(Buffer.concat(chunks).toString('utf8'))
    t.equal(answer.headers['connection'], 'close')
    t.same(
      [answer.status, JSON.parse(answer.body)],
      [
        200,
        [
          { label: { labelId: 'water', en: 'Water', fr: 'Eau' } },
          { label: { labelId: 'health', en: 'Health', fr: 'Santé' } },
        ],
      ],
    )
  },
)

const GET = 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n'

/** A connection on which a request has been answered, and all that comes on it from then on. */
const kept = async (url: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(GET)
  const [first] = (await once(socket, 'data')) as [Buffer]
  return { socket, first: readAnswer(first.toString('utf8')), rest: () => socket.toArray() }
}

t.test(
  'a server that is replaced accepts no new connections, and closes existing ones with their next response',
  async (t) => {
    const fixture = await startFixture(t.testdir(), { store: 'memory' })
    t.teardown(fixture.stop)
    const [one, other] = [await kept(fixture.url), await kept(fixture.url)]
    let ended = false
    const leaving = fixture.shutdown.stopAccepting().then(() => {
      ended = true
    })
    await t.rejects(fetch(`${fixture.url}/health/live`))
    for (const { socket, rest } of [one, other]) {
      t.equal(ended, false, 'it waits for every connection')
      socket.write(GET)
      const answer = readAnswer(Buffer.concat(await rest()).toString('utf8'))
      t.same([answer.status, answer.headers['connection']], [200, 'close'], 'it is still ready')
    }
    await leaving
  },
)

t.test('a draining server reports not ready to load balancers, and still accepts requests', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const { socket, first, rest } = await kept(fixture.url)
  t.same([first.status, first.headers['connection']], [200, 'keep-alive'])
  fixture.shutdown.startDraining()
  t.equal((await fixture.call('GET', '/health/ready')).status, 503)
  t.equal((await fixture.call('GET', '/library/', { as: 'user' })).status, 200)
  socket.write(GET)
  const answer = readAnswer(Buffer.concat(await rest()).toString('utf8'))
  t.same([answer.status, answer.headers['connection']], [503, 'close'])
})
