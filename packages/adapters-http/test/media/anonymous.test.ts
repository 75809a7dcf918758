import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { create, onServer } from '../support/items.ts'
import { FIELD, imagePath, upload } from '../support/uploads.ts'

// Unauthenticated uploads cannot block authenticated ones (A5, D1).

const BOUNDARY = 'almoner-test'
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${FIELD}"; filename="a.png"\r\n\r\n`

/** More than the running and waiting anonymous uploads together. */
const ANONYMOUS = 60
const PLACES = 34

/** Starts an upload without a token and never ends it. Returns the status line of the response, if any. */
const begin = async (url: URL, path: string) => {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length: 1000000',
    '',
    PART,
  ]
  socket.write(head.join('\r\n'))
  const answer = once(socket, 'data').then(([bytes]) => String(bytes).split('\r\n')[0])
  answer.catch(() => {})
  return { socket, answer }
}

onServer(
  t,
  'D1: unfinished uploads without a token do not block authenticated callers',
  async (t, fixture) => {
    const { itemId } = await create(fixture, 'library')
    const path = imagePath('library', itemId)
    const url = new URL(fixture.url)
    const begun = await Promise.all(Array.from({ length: ANONYMOUS }, () => begin(url, path)))
    t.teardown(() => {
      for (const { socket } of begun) socket.destroy()
    })
    const refused = await new Promise<ReadonlyArray<string | undefined>>((resolve) => {
      const lines: Array<string | undefined> = []
      const add = (line: string | undefined) => {
        if (lines.push(line) === ANONYMOUS - PLACES) resolve(lines)
      }
      for (const { answer } of begun) answer.then(add, () => {})
    })
    t.same([...new Set(refused)], ['HTTP/1.1 503 Service Unavailable'], 'anonymous uploads get 503')
    t.equal((await upload(fixture, path)).status, 200, 'authenticated callers do not')
  },
)
