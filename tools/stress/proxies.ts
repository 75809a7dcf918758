// Walks the whole contract through real proxies, each as docs/deployment.md configures it, over HTTP/1.1 and HTTP/2, at the root and below a path.
// Usage, as root on Debian: node tools/stress/proxies.ts [--only Caddy]
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { zipOf } from '../../packages/adapters-node/test/support/zip.ts'
import { fill } from '../bench/fill.ts'
import { check, findings, folder, options, progress, report } from './campaign.ts'
import { type Asked, type Send, sendDirectly, sendOverHttp1, sendOverHttp2 } from './proxy-client.ts'
import { BELOW, freePort, HOST, installed, makeCertificate, PROXIES, startProxy } from './proxy-servers.ts'
import { addManager, runBuilt, runCommand, startServer } from './server.ts'

const { only } = options({ only: '' })
const ITEMS = 5000
const MIB = 1024 * 1024

runBuilt()
const certificate = makeCertificate(folder)
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Where the walk sends its requests, and as whom. */
interface ProxiedServer {
  readonly send: Send
  readonly direct: Send
  /** Sends from another address. */
  readonly sendElsewhere: Send
  /** The path of the service. */
  readonly base: string
  readonly baseUrl: string
  readonly client: URLSearchParams
  readonly donor: URLSearchParams
  readonly link: () => string
}

/** Returns a form as the body and type of a request. */
const multipart = async (name: string, file: string, type: string, bytes: Uint8Array) => {
  const form = new FormData()
  form.append(name, new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), file)
  const response = new Response(form)
  return {
    body: await response.bytes(),
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  }
}

const json = (value: unknown, more: Readonly<Record<string, string>> = {}): Asked => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...more },
  body: JSON.stringify(value),
})

const authorize = async (
  { send, base }: ProxiedServer,
  form: URLSearchParams,
): Promise<Readonly<Record<string, string>>> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { text } = await send(`${base}/oauth2/get-token`, { method: 'POST', headers, body: form.toString() })
  return { authorization: `Bearer ${JSON.parse(text).access_token}` }
}

const ITEM = {
  ...{
    itemTitle: 'Through a proxy',
    itemDescription: 'é'.repeat(1000),
    lang: 'en',
    link: 'https://example.org/',
    itemPublicationDate: '2026-01-01',
  },
  isDonorRestricted: false,
}

const create = async (server: ProxiedServer, headers: Readonly<Record<string, string>>) => {
  const { status, text } = await server.send(`${server.base}/library/`, json(ITEM, headers))
  if (status !== 200) throw new Error(`an item cannot be created: ${status} ${text}`)
  return /"itemId":"([^"]+)"/.exec(text)?.[1] ?? ''
}

const pathOf = (url: string, { baseUrl, base }: ProxiedServer): string | undefined =>
  url.startsWith(`${baseUrl}/`) ? `${base}${url.slice(baseUrl.length)}` : undefined

/** Tests a property of a proxy: resolves to the fault; undefined without one. */
type Property = (server: ProxiedServer) => Promise<string | undefined>

const ALL_CODINGS = { 'accept-encoding': 'gzip, br, zstd' }

const PROPERTIES: Readonly<Record<string, Property>> = {
  'tags, 304, 412': async (server) => {
    const headers = await authorize(server, server.client)
    const path = `${server.base}/library/${await create(server, headers)}`
    const read = await server.send(path, { headers: { ...headers, ...ALL_CODINGS } })
    const { etag = '' } = read.headers
    const same = await server.send(path, { headers: { ...headers, ...ALL_CODINGS, 'if-none-match': etag } })
    if (same.status !== 304) return `${same.status} for If-None-Match ${etag}`
    const saved = await server.send(
      path,
      json({ ...ITEM, itemTitle: 'Second', status: 'Draft' }, { ...headers, 'if-match': etag }),
    )
    if (saved.status !== 200) return `${saved.status} for If-Match ${etag}`
    const late = await server.send(
      path,
      json({ ...ITEM, itemTitle: 'Third', status: 'Draft' }, { ...headers, 'if-match': etag }),
    )
    return late.status === 412 ? undefined : `${late.status} for an old If-Match ${etag}`
  },
  compression: async (server) => {
    const headers = await authorize(server, server.client)
    const path = '/library/?lim=50'
    const read = await server.send(`${server.base}${path}`, { headers: { ...headers, ...ALL_CODINGS } })
    if (read.headers['content-encoding'] === undefined) return 'a page of JSON is not compressed'
    const direct = await server.direct(path, { headers })
    return read.bytes.equals(direct.bytes) ? undefined : 'a compressed page has other bytes'
  },
  'upload of 128 MB': async (server) => {
    const headers = await signIn(server)
    const image = randomBytes(8 * MIB)
    const entries = Array.from({ length: 16 }, (_, at) => ({ name: `logo/${at}.png`, content: image }))
    const zip = zipOf(...entries, { name: 'portfolio.json', content: '{"name":"Ours"}' })
    const form = await multipart('files', 'ours.zip', 'application/zip', zip)
    const sent = { method: 'POST', body: form.body, headers: { ...headers, ...form.headers } }
    const { status, text } = await server.send(`${server.base}/console/api/portfolio/review`, sent)
    return status === 200 ? undefined : `${status} ${text.slice(0, 200)}`
  },
  images: async (server) => {
    const headers = await authorize(server, server.client)
    const id = await create(server, headers)
    const size = { width: 1500, height: 1500, channels: 3 } as const
    const image = await sharp(randomBytes(1500 * 1500 * 3), { raw: size })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const form = await multipart('file', 'cover.png', 'image/png', image)
    const sent = { method: 'POST', body: form.body, headers: { ...headers, ...form.headers } }
    const stored = await server.send(`${server.base}/library/${id}/media/cover`, sent)
    if (stored.status !== 200) return `${stored.status} for an image of 6.4 MB: ${stored.text.slice(0, 200)}`
    const { text } = await server.send(`${server.base}/library/${id}`, { headers })
    const path = pathOf(/"coverImgUrl":"([^"]+)"/.exec(text)?.[1] ?? '', server)
    if (path === undefined) return `the address of an image is not below ${server.baseUrl}`
    const whole = await server.send(path, { headers: ALL_CODINGS })
    if (whole.status !== 200 || whole.headers['content-encoding'] !== undefined)
      return 'an image is compressed again'
    const part = await server.send(path, { headers: { range: 'bytes=100-199' } })
    return part.status === 206 && part.bytes.equals(whole.bytes.subarray(100, 200))
      ? undefined
      : `${part.status} for a range`
  },
  'streamed collections': async (server) => {
    const headers = await authorize(server, server.client)
    const read = await server.send(`${server.base}/library/`, { headers: { ...headers, ...ALL_CODINGS } })
    const direct = await server.direct('/library/', { headers })
    if (sha256(read.bytes) !== sha256(direct.bytes)) return 'a collection has other bytes'
    return read.parts > 2 ? undefined : 'a collection comes in one piece'
  },
  events: async (server) => {
    const headers = await signIn(server)
    const token = await authorize(server, server.client)
    let changed: Promise<unknown> | undefined
    const ended = new AbortController()
    const late = pause(8000, undefined, { signal: ended.signal }).then(
      () => 'no event within 8 s',
      () => undefined,
    )
    const heard = server.send(`${server.base}/console/api/events`, {
      headers: { ...headers, ...ALL_CODINGS, accept: 'text/event-stream' },
      onPart: (_, whole) => {
        changed ??= create(server, token).catch(String)
        return /event: ?change/.test(whole.toString().split('\n\n').slice(1).join('\n\n'))
      },
    })
    // Some proxies pass the head on with the first event only.
    await pause(500)
    changed ??= create(server, token).catch(String)
    const outcome = await Promise.race([
      heard.then(({ status }) => (status === 200 ? undefined : `${status}`)),
      late,
    ])
    ended.abort()
    await changed
    return outcome
  },
  'redirects and links': async (server) => {
    const headers = await authorize(server, server.client)
    const page = await server.send(`${server.base}/library/?lim=10`, { headers })
    const next = /<([^>]*)>; ?rel="?next/.exec(page.headers['link'] ?? '')?.[1]
    const path = next === undefined ? undefined : pathOf(next, server)
    if (path === undefined) return `the next page is ${next}`
    if ((await server.send(path, { headers })).status !== 200) return 'the next page does not come'
    const start = await server.send(`${server.base}/console`)
    const { location } = start.headers
    if (location === undefined) return start.status === 200 ? undefined : `${start.status} for /console`
    const target = new URL(location, `${server.baseUrl}/console`).href
    return pathOf(target, server) === undefined ? `/console leads to ${target}` : undefined
  },
  'address of the client': async (server) => {
    const wrong = new URLSearchParams(server.client)
    wrong.set('client_secret', 'wrong')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const guess = (send: Send, body: URLSearchParams, at: number) => {
      const forwarded = { 'x-forwarded-for': `203.0.113.${at}`, forwarded: `for=203.0.113.${at}` }
      const sent = { method: 'POST', headers: { ...headers, ...forwarded }, body: body.toString() }
      return send(`${server.base}/oauth2/get-token`, sent)
    }
    const statuses = new Set<number>()
    for (let at = 0; at < 12; at += 1) statuses.add((await guess(server.sendElsewhere, wrong, at)).status)
    if (!statuses.has(429)) return 'a client chooses its address itself'
    const other = await guess(server.send, server.client, 1)
    return other.status === 200 ? undefined : `${other.status} at another address: all have one`
  },
  'sign-in': async (server) => {
    const headers = await signIn(server)
    const session = await server.send(`${server.base}/console/api/session`, { headers })
    return session.status === 200 ? undefined : `${session.status} ${session.text.slice(0, 200)}`
  },
  'long and encoded paths': async (server) => {
    const headers = await authorize(server, server.donor)
    for (const rest of ['a/b%2F+c ü"\\?#;é', '😀/'.repeat(2046)]) {
      const token = `fcm:${rest}`
      const attached = await server.send(
        `${server.base}/user/me/notification/token`,
        json({ device_token: token }, headers),
      )
      if (attached.status !== 200)
        return `${attached.status} for a device token: ${attached.text.slice(0, 200)}`
      const path = `${server.base}/user/me/notification/token/${encodeURIComponent(token)}`
      const gone = await server.send(path, { method: 'DELETE', headers })
      if (gone.status !== 200) return `${gone.status} for a path of ${path.length} bytes`
    }
    const metrics = await server.send(`${server.base}/metrics`)
    return metrics.status === 404 ? undefined : `${metrics.status} for /metrics`
  },
}

const signIn = async (server: ProxiedServer): Promise<Readonly<Record<string, string>>> => {
  const { send, base, link, baseUrl } = server
  const own = { 'sec-fetch-site': 'same-origin', origin: new URL(baseUrl).origin }
  const { status, headers, text } = await send(
    `${base}/console/api/sign-in/link`,
    json({ token: link() }, own),
  )
  const cookie = headers['set-cookie'] ?? ''
  if (status !== 200 || !/^__Host-.*Secure/.test(cookie))
    throw new Error(`sign-in: ${status} ${cookie && 'cookie'} ${text}`)
  return { ...own, cookie: cookie.split(';')[0] ?? '' }
}

const database = join(folder, 'almoner.db')
await fill(database, ITEMS)
const table: Record<string, Record<string, string>> = {}
const mappings = ['at the root', 'path passed on', 'path taken off'] as const
let made = 0

for (const server of PROXIES.filter(({ name }) => name.includes(only))) {
  const version = installed(server)
  if (version === undefined) {
    process.stderr.write(`\n${server.name} is not installed and cannot be: skipped\n`)
    continue
  }
  const row: Record<string, string> = {}
  table[`${server.name} ${version}`] = row
  for (const mapping of mappings) {
    const port = await freePort()
    const base = mapping === 'at the root' ? '' : BELOW
    const baseUrl = `https://${HOST}:${port}${base}`
    const settings = {
      ALMONER_LOG_LEVEL: 'error',
      ALMONER_REVIEW: 'off',
      ALMONER_BASE_URL: baseUrl,
      ALMONER_TRUST_PROXY: '127.0.0.1',
    }
    made += 1
    const client = addManager(folder, settings, '--id', `manager-${made}`)
    const add = [
      'client',
      'add',
      '--id',
      `donor-${made}`,
      '--scope',
      'user-donor',
      '--email',
      `d${made}@example.org`,
    ]
    const donor = runCommand(folder, settings, ...add)
    const link = () => {
      made += 1
      const args = [
        'manager',
        'add',
        `m${made}@example.org`,
        '--name',
        'Marie',
        '--duty',
        'editor',
        '--lang',
        'en',
      ]
      return (runCommand(folder, settings, ...args)['link'] ?? '').replace(/^.*#(?:token=)?/, '')
    }
    const service = await startServer(folder, settings)
    const own = join(folder, server.language, mapping.replaceAll(' ', '-'))
    const at = Number(new URL(service.url).port)
    const proxy = await startProxy(server, { folder: own, port, service: at, mapping, certificates: folder })
    const target = { port, certificate, localAddress: '127.0.0.1' }
    const elsewhere = { ...target, localAddress: '127.0.0.2' }
    for (const [version, sender] of [
      ['HTTP/1.1', sendOverHttp1],
      ['HTTP/2', sendOverHttp2],
    ] as const)
      for (const [name, property] of Object.entries(PROPERTIES)) {
        const proxied: ProxiedServer = {
          ...{ send: sender(target), sendElsewhere: sender(elsewhere), direct: sendDirectly(at) },
          ...{ base, baseUrl, client, link },
          donor: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: donor['client_id'] ?? '',
            client_secret: donor['client_secret'] ?? '',
          }),
        }
        const fault = await property(proxied).catch((cause: unknown) => String(cause))
        const said = `${server.name}, ${mapping}, ${version}, ${name}: ${fault}`
        check(fault === undefined, said)
        row[name] = fault === undefined ? (row[name] ?? 'yes') : 'no'
        if (fault !== undefined) process.stderr.write(`\n${said}\n`)
        progress(`${server.name}, ${mapping}, ${version}, ${name}`)
      }
    row[mapping] = findings.some((one) => one.startsWith(`${server.name}, ${mapping}`)) ? 'no' : 'yes'
    proxy.kill('SIGTERM')
    await service.stop()
  }
}
report({ table })
