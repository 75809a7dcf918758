import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { onAnswers } from './answers.ts'
import { head, openMany } from './sockets.ts'
import { type Attack, makeTally, type Target } from './target.ts'

const CONNECTIONS = 32

/** Sends the same request again and again on some connections, each as soon as the last one has been answered. */
const again =
  (make: (target: Target) => Buffer | Promise<Buffer>, connections = CONNECTIONS): Attack =>
  async (target, seconds) => {
    const tally = makeTally()
    const request = await make(target)
    const end = performance.now() + seconds * 1000
    const untilItEnds = (socket: Socket) =>
      new Promise<void>((resolve) => {
        onAnswers(socket, (status) => {
          if (status > 0) tally.add(String(status))
          if (status > 0 && performance.now() < end) socket.write(request)
          else resolve()
        })
        socket.on('error', () => tally.add('reset')).write(request)
        setTimeout(resolve, Math.max(0, end - performance.now()))
      })
    const chain = async (): Promise<void> => {
      while (performance.now() < end) {
        const [socket] = await openMany(target, 1, makeTally())
        if (socket === undefined) tally.add('not taken')
        else await untilItEnds(socket)
        socket?.destroy()
      }
    }
    await Promise.all(Array.from({ length: connections }, chain))
    return tally.counts
  }

const withBody = (type: string, body: string | Buffer, fields: Readonly<Record<string, string>> = {}) =>
  Buffer.concat([
    Buffer.from(
      head('POST', '/library/', {
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(body),
        ...fields,
      }),
    ),
    Buffer.from(body),
  ])

const BOUNDARY = 'almoner-abuse'
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** As many bytes of a repeated text as a body may have. */
const fill = (text: string, size = 130_000) => text.repeat(Math.ceil(size / text.length)).slice(0, size)

/** Header fields of 70 KB, which are let through, for a request that is answered at once. */
export const manyHeaders = again(() =>
  Buffer.from(
    head(
      'GET',
      '/library/label',
      Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`X-${n}`, 'x'.repeat(90)])),
    ),
  ),
)

/** Header fields that are too many bytes. */
export const longHeaders = again(() => Buffer.from(head('GET', '/library/', { 'X-A': 'x'.repeat(200_000) })))

export const deepJson = again(() =>
  withBody('application/json', `{"itemTitle":${'['.repeat(65_000)}${']'.repeat(65_000)}}`),
)

export const manyNames = again(() =>
  withBody(
    'application/json',
    `{${Array.from({ length: 14_000 }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`,
  ),
)

export const hugeForm = again(() => withBody('application/x-www-form-urlencoded', fill('a=&')))

export const manyParts = again(() =>
  withBody(
    `multipart/form-data; boundary=${BOUNDARY}`,
    `${fill(field('a', 'b'), 1_000_000)}\r\n--${BOUNDARY}--\r\n`,
  ),
)

/** A body that says it is compressed, of which ten megabytes would come. */
export const gzipBomb = again(() =>
  withBody('application/json', gzipSync(Buffer.alloc(10_000_000, 32)), { 'Content-Encoding': 'gzip' }),
)

/** A small PNG of 400 million pixels. */
const hugePng = () =>
  sharp({
    create: { width: 20_000, height: 20_000, channels: 3, background: '#fff' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer()

/** The largest image that may be uploaded, of noise, which takes longest to decode and encode. */
const noisyJpeg = () =>
  sharp(randomBytes(1024 * 1024 * 3), { raw: { width: 1024, height: 1024, channels: 3 } })
    .resize(4096, 4096, { kernel: 'nearest' })
    .jpeg({ quality: 60 })
    .toBuffer()

const upload = (make: () => Promise<Buffer>) => async (target: Target) => {
  const body = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="itemUploadMedia"; filename="a"\r\n\r\n`,
    ),
    await make(),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  const fields = {
    Authorization: `Bearer ${target.token}`,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length': body.byteLength,
  }
  return Buffer.concat([Buffer.from(head('POST', `/library/${target.itemId}/media/cover`, fields)), body])
}

export const imageBomb = again(upload(hugePng))

export const largeImages = again(upload(noisyJpeg))

/** Wrong secrets of a client that there is. */
export const guessing = again(() => {
  const body = 'grant_type=client_credentials&client_id=campaign&client_secret=wrong'
  const fields = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length }
  return Buffer.from(head('POST', '/oauth2/get-token', fields) + body)
})

/** More readers of pages that are not kept than can be answered. */
export const overload = again(
  ({ token }) => Buffer.from(head('GET', `/library/?lim=100&offset=5000&access_token=${token}`)),
  3000,
)

/** Ten thousand requests at once on each connection, whose answers nobody reads. */
export const pipelined: Attack = async (target, seconds) => {
  const tally = makeTally()
  const sockets = await openMany(target, CONNECTIONS, tally)
  const request = head('GET', '/openapi.json').repeat(10_000)
  for (const socket of sockets)
    socket
      .on('error', () => tally.add('reset'))
      .pause()
      .write(request)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  return tally.counts
}
