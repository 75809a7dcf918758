import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import {
  type Caller,
  CreateFeedItem,
  callerWith,
  collect,
  createAlmoner,
  type FieldError,
  ListFeedItems,
  parseInput,
  plain,
} from '@almoner/domain'
import { memoryPorts } from '@almoner/testkit/memory'

const { feed } = createAlmoner(memoryPorts()).promises

type Response = readonly [status: number, body: unknown]

/** The status of each failure. The compiler reports one that is missing. */
const STATUS = { ValidationFailed: 400, InsufficientScope: 403, Unavailable: 503, OutcomeUnknown: 503 }

const failed = (failure: { _tag: keyof typeof STATUS; errors?: ReadonlyArray<FieldError> }): Response => [
  STATUS[failure._tag],
  { error: failure._tag, fields: failure.errors },
]

const create = async (caller: Caller, body: Record<string, unknown>): Promise<Response> => {
  const command = parseInput(CreateFeedItem, body)
  if (!command.ok) return failed(command.error)
  const created = await feed.create(caller, command.value)
  return created.ok ? [201, plain(created.value)] : failed(created.error)
}

const list = async (caller: Caller, query: Record<string, string>): Promise<Response> => {
  const page = parseInput(ListFeedItems, { lim: '20', ...query })
  if (!page.ok) return failed(page.error)
  const listed = await feed.list(caller, page.value)
  return listed.ok ? [200, plain(await collect(listed.value))] : failed(listed.error)
}

const LARGEST_BODY = 65_536

/** Returns the JSON object in a body, or undefined if there is none or it is too large. */
const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown> | undefined> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > LARGEST_BODY) return undefined
  }
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? { ...body } : undefined
  } catch {
    return undefined
  }
}

/** A service authenticates its callers itself; this one by keys that it creates at each start. */
export const keys = { donor: randomBytes(24).toString('hex'), manager: randomBytes(24).toString('hex') }
const callers = new Map([
  [`Bearer ${keys.donor}`, callerWith('user-donor')],
  [`Bearer ${keys.manager}`, callerWith('content-manager')],
])

const respond = async (request: IncomingMessage): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const caller = callers.get(request.headers.authorization ?? '')
  if (pathname !== '/feed') return [404, { error: 'NotFound' }]
  if (caller === undefined) return [401, { error: 'InvalidKey' }]
  if (request.method === 'GET') return list(caller, Object.fromEntries(searchParams))
  if (request.method !== 'POST') return [405, { error: 'MethodNotAllowed' }]
  const body = await bodyOf(request)
  return body === undefined ? [400, { error: 'InvalidBody' }] : create(caller, body)
}

export const server = createServer(async (request, response) => {
  const [status, body] = await respond(request).catch((bug: unknown): Response => {
    console.error(bug)
    return [500, { error: 'InternalError' }]
  })
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

if (process.argv[1] === import.meta.filename)
  server.listen(4000, '127.0.0.1', () => {
    console.log('http://127.0.0.1:4000/feed', keys)
    process.once('SIGTERM', () => server.close())
    process.once('SIGINT', () => server.close())
  })
