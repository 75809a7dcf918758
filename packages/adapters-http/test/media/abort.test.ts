import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { type Fixture, startFixture } from '../support/fixture.ts'
import { create, look, onServer } from '../support/items.ts'
import { readLines } from '../support/log-lines.ts'
import { FIELD, filesIn, imagePath, PICTURE, upload } from '../support/uploads.ts'

// An aborted upload leaves nothing (D1), and frees its place.

const BOUNDARY = 'almoner-test'
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${FIELD}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
const WHOLE = Buffer.concat([Buffer.from(HEAD), PICTURE, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])

/** Where the sender disconnects: the number of bytes sent until then. */
const CUTS = {
  'before the form': 0,
  'inside the head of the part': 20,
  'after the head of the part': HEAD.length,
  'inside the file': HEAD.length + PICTURE.length / 2,
  'with the last byte of the file': HEAD.length + PICTURE.length,
  'inside the end of the form': WHOLE.length - 5,
}

/** Sends the beginning of a form and disconnects. */
const sendAndGo = async (fixture: Fixture, path: string, body: Buffer, isChunked: boolean): Promise<void> => {
  const { hostname, port, host } = new URL(fixture.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${await fixture.token('manager')}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${WHOLE.length}`,
    '',
    '',
  ]
  const size = isChunked && body.length > 0 ? `${body.length.toString(16)}\r\n` : ''
  const bytes = Buffer.concat([Buffer.from(lines.join('\r\n') + size), body])
  await new Promise<void>((sent) => socket.write(bytes, () => sent()))
  socket.destroy()
}

const aborted = ({ lines }: Fixture): number =>
  readLines(lines).filter(({ msg }) => msg === 'aborted by the caller').length

const untilAborted = async (fixture: Fixture, count: number): Promise<void> => {
  while (aborted(fixture) < count) await nextTurn()
}

for (const contentType of ['library', 'feed'] as const)
  t.test(`D1: an aborted upload to the ${contentType} leaves nothing`, async (t) => {
    const fixture = await startFixture(t.testdir())
    t.teardown(fixture.stop)
    const { itemId } = await create(fixture, contentType)
    const path = imagePath(contentType, itemId)
    const before = await look(fixture, contentType, itemId)
    let count = 0
    for (const [where, length] of Object.entries(CUTS))
      for (const isChunked of [false, true]) {
        await sendAndGo(fixture, path, WHOLE.subarray(0, length), isChunked)
        count += 1
        await untilAborted(fixture, count)
        t.strictSame(filesIn(fixture), [], `${where}${isChunked ? ', in chunks' : ''}`)
        t.strictSame(await look(fixture, contentType, itemId), before, 'the item is unchanged')
      }
    t.equal((await upload(fixture, path)).status, 200, 'the next upload is accepted')
    t.equal(filesIn(fixture).length, 1)
    await fixture.app.close()
    t.equal(filesIn(fixture).length, 1, 'no file appears later')
    t.notOk(
      readLines(fixture.lines).some(({ level }) => level >= 50),
      'no internal error',
    )
  })

onServer(t, 'D1: aborted uploads do not use up the upload limit', async (t, fixture) => {
  const { itemId } = await create(fixture, 'library')
  const path = imagePath('library', itemId)
  const count = 40
  const half = WHOLE.subarray(0, WHOLE.length / 2)
  await Promise.all(Array.from({ length: count }, () => sendAndGo(fixture, path, half, false)))
  await untilAborted(fixture, count)
  const answers = await Promise.all(Array.from({ length: 14 }, () => upload(fixture, path)))
  for (const { status } of answers) t.equal(status, 200)
  t.equal(filesIn(fixture).length, 1)
})
