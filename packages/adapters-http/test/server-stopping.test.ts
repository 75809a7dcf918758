import { connect } from 'node:net'
import type { Ports } from '@almoner/domain'
import t from 'tap'
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

t.test('a server that stops finishes what runs, and ends its connection with the answer', async (t) => {
  const door = makeDoor()
  const rig = await startRig(t.testdir(), { store: 'memory', wrap: behind(door.pass) })
  const token = await rig.token('user')
  const { hostname, port } = new URL(rig.url)
  const chunks: Array<Buffer> = []
  const socket = connect(Number(port), hostname)
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write(`GET /library/label HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await door.arrived

  const stopped = rig.stop()
  while (rig.app.server.listening) await new Promise((resolve) => setImmediate(resolve))
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
})
