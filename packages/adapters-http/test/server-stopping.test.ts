import { connect } from 'node:net'
import type { Ports } from '@almoner/domain'
import t from 'tap'
import { asResponse, seeProblem } from './support/problems.ts'
import { readAnswer } from './support/raw.ts'
import { startRig } from './support/rig.ts'

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

t.test(
  'I1: while the server stops, what runs is finished and what still comes is told so by a problem',
  async (t) => {
    const door = makeDoor()
    const rig = await startRig(t.testdir(), { store: 'memory', wrap: behind(door.pass) })
    const token = await rig.token('user')
    const { hostname, port } = new URL(rig.url)
    const chunks: Array<Buffer> = []
    const socket = connect(Number(port), hostname)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    const get = (path: string) =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    get('/library/label')
    await door.arrived

    const began = new Promise<void>((resolve) => {
      rig.app.server.once('request', () => resolve())
    })
    const stopped = rig.stop()
    while (rig.app.server.listening) await new Promise((resolve) => setImmediate(resolve))
    get('/feed/label')
    await began
    door.open()
    await Promise.all([stopped, closed])

    const text = Buffer.concat(chunks).toString('utf8')
    const second = text.lastIndexOf('HTTP/1.1 ')
    const first = readAnswer(text.slice(0, second))
    t.same(
      [first.status, JSON.parse(first.body)],
      [
        200,
        [
          { label: { labelId: 'water', en: 'Water', fr: 'Eau' } },
          { label: { labelId: 'health', en: 'Health', fr: 'Santé' } },
        ],
      ],
    )
    const refused = readAnswer(text.slice(second))
    t.same([refused.headers['connection'], refused.headers['retry-after']], ['close', '5'])
    const problem = await seeProblem(t, asResponse(refused), 'unavailable')
    t.match(problem.detail, /stopping/)
  },
)
