// The attacks of abuse.ts, and the process that makes them.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import sharp from 'sharp'
import { type Attack, churn, hold, type Target } from './connections.ts'

type Request = Pick<autocannon.Request, 'method' | 'path' | 'headers' | 'body'>

/** Repeats a request on some connections, each time as soon as it is answered. */
const repeat =
  (requestOf: (target: Target) => Request | Promise<Request>, connections = 32): Attack =>
  async (target, seconds) => {
    const requests = [await requestOf(target)] as Array<autocannon.Request>
    const result = await autocannon({
      url: target.url,
      connections,
      duration: seconds,
      requests,
      timeout: 60,
    })
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(([name, { count = 0 }]) => [
      name,
      count,
    ])
    return { ...Object.fromEntries(statuses), errors: result.errors, resets: result.resets }
  }

const post = (type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  repeat(() => ({ method: 'POST', path: '/library/', headers: { 'Content-Type': type, ...headers }, body }))

/** Repeats a text up to the greatest size of a body. */
const fill = (text: string, size = 130_000) => text.repeat(Math.ceil(size / text.length)).slice(0, size)

const BOUNDARY = 'almoner-abuse'
const partOf = (fields: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${fields}\r\n\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const upload = (imageOf: () => Promise<Buffer>) =>
  repeat(async ({ token, itemId }) => ({
    method: 'POST',
    path: `/library/${itemId}/media/cover`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': MULTIPART },
    body: Buffer.concat([
      Buffer.from(partOf('name="itemUploadMedia"; filename="a"')),
      await imageOf(),
      Buffer.from(END),
    ]),
  }))

/** A small PNG of 400 million pixels. */
const hugePng = () => {
  const create = { width: 20_000, height: 20_000, channels: 3, background: '#fff' } as const
  return sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer()
}

/** The largest image that may be uploaded, of noise, which takes longest to decode and encode. */
const noisyJpeg = () =>
  sharp(randomBytes(1024 * 1024 * 3), { raw: { width: 1024, height: 1024, channels: 3 } })
    .resize(4096, 4096, { kernel: 'nearest' })
    .jpeg({ quality: 60 })
    .toBuffer()

const manyHeaders = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`X-${n}`, 'x'.repeat(90)]))
const manyNames = Array.from({ length: 14_000 }, (_, n) => `"${n.toString(36)}":0`).join()
const guess = 'grant_type=client_credentials&client_id=campaign&client_secret=wrong'
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const slowBody = `POST /library/ HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 131000\r\n\r\n`

/** Each attack, and its seconds: long enough to see connections being closed. */
export const ATTACKS: Readonly<Record<string, readonly [seconds: number, attack: Attack]>> = {
  'header fields of 70 KB': [
    10,
    repeat(() => ({ method: 'GET', path: '/library/label', headers: manyHeaders })),
  ],
  'header fields of 200 KB': [
    10,
    repeat(() => ({ method: 'GET', path: '/library/', headers: { 'X-A': 'x'.repeat(200_000) } })),
  ],
  'JSON 65,000 deep': [10, post(JSON_TYPE, `{"itemTitle":${'['.repeat(65_000)}${']'.repeat(65_000)}}`)],
  'JSON of 14,000 names': [10, post(JSON_TYPE, `{${manyNames}}`)],
  'forms of 43,000 fields': [10, post(FORM, fill('a=&'))],
  'multipart of 15,000 parts': [10, post(MULTIPART, fill(`${partOf('name="a"')}b\r\n`, 1_000_000) + END)],
  'gzip of 10 MB': [
    10,
    post(JSON_TYPE, gzipSync(Buffer.alloc(10_000_000, 32)), { 'Content-Encoding': 'gzip' }),
  ],
  'PNG of 400 million pixels': [10, upload(hugePng)],
  'JPEGs of 16 million pixels': [20, upload(noisyJpeg)],
  'guessed secrets': [
    10,
    repeat(() => ({
      method: 'POST',
      path: '/oauth2/get-token',
      headers: { 'Content-Type': FORM },
      body: guess,
    })),
  ],
  'pipelined requests, unread': [
    10,
    hold(32, { first: () => 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000), isRead: false }),
  ],
  'a connection for each request': [10, churn],
  'more readers than can be served': [
    20,
    repeat(
      ({ token }) => ({ method: 'GET', path: `/library/?lim=100&offset=5000&access_token=${token}` }),
      3000,
    ),
  ],
  '10,000 idle connections': [90, hold(10_000)],
  'heads that never end': [
    120,
    hold(1000, { first: () => 'GET /library/ HTTP/1.1\r\nHost: x\r\n', text: 'X-A: b\r\n' }),
  ],
  'readers that never read': [
    75,
    hold(200, {
      first: ({ token }) => `GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      isRead: false,
    }),
  ],
  'bodies that never end': [
    360,
    hold(500, { first: () => slowBody + '{"itemTitle":"'.padEnd(130_000, 'x'), text: 'x' }),
  ],
}

process.once('message', async ({ name, target }: { name: string; target: Target }) => {
  const [seconds, attack] = ATTACKS[name] ?? []
  process.send?.(await attack?.(target, seconds ?? 0))
})
