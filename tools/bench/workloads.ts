import type { Dataset } from './dataset.ts'
import type { Fixture, Server, ServerName } from './fixture.ts'
import type { Request } from './load.ts'
import { TWO_WORDS } from './organizations.ts'
import { creating, LIM, LIST, newestItem, posting, send, uploading, withToken } from './requests.ts'

/** A server and the request that it gets. */
export interface Side {
  readonly server: Server
  readonly request: Request
}

type Target = (fixture: Fixture) => Promise<Side>

/** A row of the table: a workload, and its baseline in the same run. */
export interface Workload {
  /** The argument of `--only`. */
  readonly name: string
  readonly title: string
  readonly baseline: string
  /** The least ratio to the baseline that is asked for. */
  readonly least?: number
  /** 200 unless given. */
  readonly status?: number
  /** 32 unless given. */
  readonly connections?: number
  /** Creates a second on each side's server meanwhile, through its own process. */
  readonly writes?: number
  readonly sides: readonly [ours: Target, baseline: Target]
}

type Caller = keyof Dataset['grants']

const ORGANIZATIONS = `/portfolio/organization/?lim=${LIM}`
const SEARCH = `${ORGANIZATIONS}&name=${encodeURIComponent(TWO_WORDS)}`

const get =
  (name: ServerName, path: string, caller: Caller = 'reader'): Target =>
  async ({ servers, dataset }) => ({
    server: await servers[name](),
    request: { method: 'GET', path: withToken(path, dataset.grants[caller]) },
  })

/** Schedules a notification for a day that no run sees. */
const notification =
  (name: ServerName): Target =>
  async ({ servers, dataset }) => ({
    server: await servers[name](),
    request: posting(dataset, '/notification', {
      ...{ lang: 'en', resource_type: 'Library', title: 'What came of it', subtitle: 'A report from Nepal' },
      ...{ description: 'What was given, to whom, and what came of it.', date: 4_102_444_800 },
    }),
  })

const create =
  (name: ServerName): Target =>
  async ({ servers, dataset }) => ({ server: await servers[name](), request: creating(dataset) })

/** Reads the newest item that every caller sees. */
const itemOf =
  (name: ServerName): Target =>
  async (fixture) => {
    const { servers, dataset } = fixture
    return get(name, `/library/${await newestItem(await servers[name](), dataset)}`)(fixture)
  }

const item = itemOf('cached')

/** Sends a target's request again with the tag of its response, which is then answered 304. */
const unchanged =
  (target: Target): Target =>
  async (fixture) => {
    const { server, request } = await target(fixture)
    const etag = (await send(server, request)).headers.get('etag') ?? ''
    return { server, request: { ...request, headers: { 'if-none-match': etag } } }
  }

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Uploads a cover, in place of the last one. */
const upload =
  (name: ServerName): Target =>
  async ({ servers, dataset }) => {
    const server = await servers[name]()
    return { server, request: await uploading(dataset, await newestItem(server, dataset)) }
  }

const token =
  (name: ServerName): Target =>
  async ({ servers, databases }) => {
    const { secret } = await databases.written()
    const form = { grant_type: 'client_credentials', client_id: 'reader', client_secret: secret }
    const body = Buffer.from(new URLSearchParams(form).toString())
    return {
      server: await servers[name](),
      request: { method: 'POST', path: '/oauth2/get-token', headers: FORM, body },
    }
  }

/** Exchanges an ID token of a person (A10). */
const exchange =
  (name: ServerName): Target =>
  async ({ servers, people }) => {
    const urn = 'urn:ietf:params:oauth'
    const form = {
      ...{ grant_type: `${urn}:grant-type:token-exchange`, client_id: 'app' },
      ...{ subject_token_type: `${urn}:token-type:id_token`, subject_token: (await people()).token },
    }
    const body = Buffer.from(new URLSearchParams(form).toString())
    return {
      server: await servers[name](),
      request: { method: 'POST', path: '/oauth2/get-token', headers: FORM, body },
    }
  }

/** Asks for changes since the last one, so that the answer is empty (N1). */
const nothingNew: Target = async (fixture) => {
  const all = await get('cached', '/changes?lim=1000')(fixture)
  for (let { request } = all; ; ) {
    const response = await send(all.server, request)
    const { changes, cursor } = (await response.json()) as Changes
    request = (await get('cached', `/changes?lim=1000&since=${encodeURIComponent(cursor)}`)(fixture)).request
    if (changes.length === 0) return { ...all, request }
  }
}

interface Changes {
  readonly changes: ReadonlyArray<unknown>
  readonly cursor: string
}

/** Header fields that depend on the response. */
const OF_BODY = ['content-type', 'etag', 'link']

/** Sends the same request to bare Fastify, which answers the bytes that the service answers. */
const bare =
  (target: Target): Target =>
  async (fixture) => {
    const { server, request } = await target(fixture)
    const { 'if-none-match': _, ...headers } = request.headers ?? {}
    const response = await send(server, { ...request, headers })
    const own = [...response.headers].filter(([name]) => OF_BODY.includes(name))
    const answer = {
      method: request.method,
      path: new URL(request.path, server.url).pathname,
      headers: Object.fromEntries(own),
      body: Buffer.from(await response.arrayBuffer()),
    }
    return { server: await fixture.bare(answer), request }
  }

/** The path of an uploaded image, and its name without the extension. */
const UPLOADED = /\/static\/media\/([\w-]+)\.\w+/

const storeRendition: Target = async ({ servers, dataset }) => {
  const server = await servers.written()
  const itemId = await newestItem(server, dataset)
  await send(server, await uploading(dataset, itemId))
  const item = await send(server, {
    method: 'GET',
    path: withToken(`/library/${itemId}`, dataset.grants.manager),
  })
  const [, name = ''] = UPLOADED.exec(await item.text()) ?? []
  const request = { method: 'GET', path: `/static/media/r/320/${name}.webp` } as const
  await send(server, request)
  return { server, request }
}

/** The rendition of a run: a second upload would delete the first. */
const stored = new WeakMap<Fixture, Promise<Side>>()

/** Reads a rendition that is stored already (D8). */
const rendition: Target = (fixture) => {
  const side = stored.get(fixture) ?? storeRendition(fixture)
  stored.set(fixture, side)
  return side
}

/** Has `@fastify/static` serve the same bytes with the same headers. */
const asFile =
  (target: Target): Target =>
  async (fixture) => {
    const { server, request } = await target(fixture)
    const response = await send(server, request)
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => !SENT_BY_STATIC.includes(name)),
    )
    const bytes = Buffer.from(await response.arrayBuffer())
    return { server: await fixture.files({ path: request.path, bytes, headers }), request }
  }

/** Headers that Node and `@fastify/static` write. */
const SENT_BY_STATIC = ['connection', 'keep-alive', 'date', 'content-length', 'etag', 'last-modified']

/** A page at a rank, for the manager, who sees every item. */
const page =
  (name: ServerName, rank: (size: Dataset['size']) => number): Target =>
  (fixture) =>
    get(name, `${LIST}&offset=${rank(fixture.dataset.size)}`, 'manager')(fixture)

const beside = (target: Target): Workload['sides'] => [target, bare(target)]
const first = () => 0
const BARE = 'bare Fastify with a token check'
const FIRST = 'its own first page'
const SQL = 'hand-written SQL server'

/** A row of a list on one server, beside the same on another. */
const lists = (name: ServerName, title: string, baseline: string, other: ServerName): Workload => ({
  ...{ name, title, baseline },
  sides: [get(name, LIST), get(other, LIST)],
})

/** Everything that is measured beside a baseline over HTTP. */
export const WORKLOADS: ReadonlyArray<Workload> = [
  {
    name: 'list',
    title: 'list, first page, cached',
    baseline: BARE,
    least: 0.88,
    sides: beside(get('cached', LIST)),
  },
  {
    name: 'uncached',
    title: 'list, first page, cache off',
    baseline: SQL,
    least: 0.85,
    sides: [get('uncached', LIST), get('sql', LIST)],
  },
  {
    name: 'item-uncached',
    title: 'one item, cache off',
    baseline: SQL,
    least: 0.6,
    sides: [itemOf('uncached'), itemOf('sql')],
  },
  {
    name: 'rank',
    title: 'list, rank 9,000 of 10,000, cache off',
    baseline: FIRST,
    least: 0.9,
    sides: [page('uncached', ({ items }) => items * 0.9), page('uncached', first)],
  },
  {
    name: 'deep-rank',
    title: 'list, rank 900,000 of 1,000,000, cache off, 10 writes a second',
    baseline: FIRST,
    least: 0.5,
    writes: 10,
    sides: [page('many', ({ manyItems }) => manyItems * 0.9), page('many', first)],
  },
  {
    name: 'create',
    title: 'create, 32 clients',
    baseline: SQL,
    least: 0.65,
    sides: [create('written'), create('sqlWritten')],
  },
  {
    name: 'notification',
    title: 'schedule a notification, 32 clients',
    baseline: SQL,
    least: 0.6,
    sides: [notification('written'), notification('sqlWritten')],
  },
  {
    name: 'upload',
    title: 'upload of a cover, 8 clients',
    baseline: SQL,
    least: 0.6,
    // More than the service lets wait are refused.
    connections: 8,
    sides: [upload('written'), upload('sqlWritten')],
  },
  {
    name: 'token',
    title: 'token request',
    baseline: SQL,
    least: 0.6,
    sides: [token('written'), token('sqlWritten')],
  },
  {
    name: 'exchange',
    title: 'exchange of an ID token',
    baseline: SQL,
    least: 0.5,
    sides: [exchange('people'), exchange('sqlWritten')],
  },
  { name: 'item', title: 'one item, cached', baseline: BARE, least: 0.9, sides: beside(item) },
  { name: 'unchanged', title: 'one item, 304', baseline: BARE, status: 304, sides: beside(unchanged(item)) },
  {
    name: 'unchanged-list',
    title: 'list, first page, cached, 304',
    baseline: BARE,
    status: 304,
    least: 0.8,
    sides: beside(unchanged(get('cached', LIST))),
  },
  { name: 'changes-empty', title: 'changes, none', baseline: BARE, sides: beside(nothingNew) },
  {
    name: 'rendition',
    title: 'a kept rendition',
    baseline: '@fastify/static, the same file and headers',
    least: 0.8,
    sides: [rendition, asFile(rendition)],
  },
  {
    name: 'portfolio',
    title: 'portfolio, first page',
    baseline: BARE,
    sides: beside(get('cached', ORGANIZATIONS)),
  },
  { name: 'search', title: 'portfolio, two words', baseline: BARE, sides: beside(get('cached', SEARCH)) },
  lists('workers', 'list, cache off, two workers', 'one worker', 'uncached'),
  {
    ...lists('postgres', 'list, cache off, PostgreSQL', 'hand-written pg server', 'pg'),
    least: 0.85,
  },
  lists('traced', 'list, cached, every request traced', 'the same without tracing', 'cached'),
  {
    name: 'console',
    title: 'list, first page, cached, with the console',
    baseline: 'the same without the console',
    least: 0.98,
    sides: [get('cached', LIST), get('withoutConsole', LIST)],
  },
]
