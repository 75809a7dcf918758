import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'

/** What was asked, by kind, and what was not answered as it should have been. */
export interface Done {
  readonly counts: Record<string, number>
  readonly wrong: Array<string>
}

/** A request: what it is counted as, and what it sends. */
interface Asked {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly form?: URLSearchParams
  readonly body?: Buffer
  readonly type?: string
}

const FORM = 'application/x-www-form-urlencoded'
const BOUNDARY = 'almoner-soak'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const form = (
  kind: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  method = 'POST',
): Asked => ({
  kind,
  method,
  path,
  form: new URLSearchParams(fields),
})

const read = (kind: string, path: string): Asked => ({ kind, method: 'GET', path })

const text = (n: number) => ({
  itemTitle: `Title ${n}`,
  itemDescription: 'What was given, and what came of it.',
})

const donor = (n: number) => `donor${n % 500}@example.org`

/** Due at once. */
const NEWS = {
  title: 'News',
  subtitle: 'Of today',
  description: 'Read.',
  resource_type: 'Library',
  date: '1700000000',
}

const LINK = { link: 'https://example.org/report.pdf' }

const multipartOf = (image: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="itemUploadMedia"; filename="a"\r\n\r\n`,
    ),
    image,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

/** A cover as people upload them. */
export const cover = async (): Promise<Buffer> =>
  multipartOf(
    await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#1F4E79' } })
      .jpeg()
      .toBuffer(),
  )

/** What the n-th request of its kind is to be. */
type Make = (n: number, item: string, image: Buffer) => Asked

/** One request in forty each; whatever else comes is a page that is not kept, or an item, which is. */
const SELDOM: ReadonlyArray<Make> = [
  (n) => form('create', '/library/', { ...text(n), ...LINK, itemPublicationDate: '2026-05-01' }),
  (n, item) => form('update', `/library/${item}`, { ...text(n), ...LINK, status: 'Draft' }),
  (n) => form('post', '/feed/', { ...text(n), itemType: 'photo' }),
  (n) => form('attach', `/user/${donor(n)}/notification/token`, { device_token: `fcm:${n % 2000}` }),
  (n) => form('prefer', `/user/${donor(n)}/notification/preference`, { lang: n % 3 ? 'en' : 'fr' }, 'PUT'),
  (n, item, image) =>
    n % 400 === 5
      ? { kind: 'upload', method: 'POST', path: `/library/${item}/media/cover`, body: image, type: MULTIPART }
      : read('labels', '/library/label'),
  (n) =>
    n % 8000 === 6
      ? form('schedule', '/notification', { ...NEWS, lang: n % 16_000 === 6 ? 'en' : 'fr' })
      : read('notifications', '/notification?lim=10'),
  () => read('refused', '/library/?lim=x'),
  (n) => (n % 2000 === 8 ? read('whole', '/library/') : read('feed', '/feed/?lim=20')),
]

const OTHERWISE: Make = (n, item) =>
  n % 2 === 0 ? read('page', `/library/?lim=20&offset=${n % 3000}`) : read('item', `/library/${item}`)

/** Asks so many times a second for so long, whether or not the last has been answered. */
export const work = async (
  url: URL,
  authorization: () => string,
  {
    perSecond,
    seconds,
    items,
  }: { readonly perSecond: number; readonly seconds: number; readonly items: ReadonlyArray<string> },
): Promise<Done> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const image = await cover()
  const done: Done = { counts: {}, wrong: [] }
  const ask = ({ method, path, form: body, body: bytes, type }: Asked): Promise<number> =>
    new Promise((resolve) => {
      const sent = body?.toString() ?? bytes
      const content =
        sent === undefined ? {} : { 'Content-Type': type ?? FORM, 'Content-Length': Buffer.byteLength(sent) }
      const options = { host: url.hostname, port: url.port, agent, method, path }
      request({ ...options, headers: { Authorization: authorization(), ...content } })
        .on('error', () => resolve(0))
        .on('response', (answer: IncomingMessage) => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
        })
        .end(sent)
    })
  const one = async (n: number): Promise<void> => {
    const asked = (SELDOM[n % 40] ?? OTHERWISE)(n, items[n % items.length] ?? 'none', image)
    const status = await ask(asked)
    done.counts[asked.kind] = (done.counts[asked.kind] ?? 0) + 1
    const expected = asked.kind === 'refused' ? 400 : 200
    if (status !== expected && done.wrong.length < 100)
      done.wrong.push(`${asked.method} ${asked.path}: ${status}`)
  }
  const calls = new Set<Promise<void>>()
  const end = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < end; n += 1) {
    const call = one(n)
    calls.add(call)
    void call.finally(() => calls.delete(call))
    if (n % 10 === 9) await pause(10_000 / perSecond)
  }
  await Promise.all(calls)
  agent.destroy()
  return done
}
