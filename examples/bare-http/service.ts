import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { systemClock, uuidIds } from '@almoner/adapters-node'
import {
  type Caller,
  type ClientId,
  CreateFeedItem,
  callerOf,
  DEFAULT_POLICY,
  decode,
  type FeedItem,
  type InsufficientScope,
  ListFeedItems,
  makeCreateFeedItem,
  makeListFeedItems,
  mediaAddressesBelow,
  type Scope,
  type Unavailable,
  type ValidationFailed,
} from '@almoner/domain'
import { memoryStore } from '@almoner/domain/memory'
import * as E from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'

// The ports that these two use cases ask for, and no others.
const ports = {
  ...memoryStore(),
  clock: systemClock,
  ids: uuidIds(),
  mediaAddresses: mediaAddressesBelow('https://feed.example.org'),
}
const createFeedItem = makeCreateFeedItem(ports)
const listFeedItems = makeListFeedItems(ports, DEFAULT_POLICY)

type Answer = readonly [status: number, body: unknown]

/** What a failure is over HTTP. The compiler says when one is missing. */
const failed = (failure: ValidationFailed | InsufficientScope | Unavailable): Answer => {
  switch (failure._tag) {
    case 'ValidationFailed':
      return [400, { errors: failure.faults }]
    case 'InsufficientScope':
      return [403, { needs: failure.scope }]
    case 'Unavailable':
      return [503, { error: 'try again later' }]
    case 'OutcomeUnknown':
      return [503, { error: 'it is not known whether this was done' }]
  }
}

const shown = ({ id, title, description, status }: FeedItem) => ({ id, title, description, status })

const create = async (caller: Caller, sent: Record<string, unknown>): Promise<Answer> => {
  const command = decode(CreateFeedItem)(sent)
  if (E.isLeft(command)) return failed(command.left)
  const created = await createFeedItem(caller, command.right)()
  return E.isLeft(created) ? failed(created.left) : [200, shown(created.right)]
}

const list = async (caller: Caller, sent: Record<string, unknown>): Promise<Answer> => {
  const asked = decode(ListFeedItems)(sent)
  if (E.isLeft(asked)) return failed(asked.left)
  const listed = await listFeedItems(caller, asked.right)()
  if (E.isLeft(listed)) return failed(listed.left)
  const items = []
  for await (const batch of listed.right.batches) items.push(...batch.map(shown))
  return [200, items]
}

const LARGEST_BODY = 65_536

/** The object that a body holds; undefined when it holds none or is too large. */
const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown> | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) return undefined
    chunks.push(chunk)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return typeof body === 'object' && body !== null ? { ...body } : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}

const callerWith = (scope: Scope): Caller =>
  callerOf({ clientId: scope as ClientId, scopes: [scope], roles: [], email: none })

/** Who calls is for the service to know. Here each start makes a key for a donor and one for a content manager. */
export const keys = { donor: randomBytes(24).toString('hex'), manager: randomBytes(24).toString('hex') }
const callers = new Map([
  [`Bearer ${keys.donor}`, callerWith('user-donor')],
  [`Bearer ${keys.manager}`, callerWith('content-manager')],
])

const answer = async (request: IncomingMessage): Promise<Answer> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const caller = callers.get(request.headers.authorization ?? '')
  if (pathname !== '/feed') return [404, { error: 'not found' }]
  if (caller === undefined) return [401, { error: 'a key is needed' }]
  if (request.method === 'GET') return list(caller, Object.fromEntries(searchParams))
  if (request.method !== 'POST') return [405, { error: 'GET and POST' }]
  const body = await bodyOf(request)
  return body === undefined ? [400, { error: 'not a JSON object, or too large' }] : create(caller, body)
}

export const server = createServer(async (request, response) => {
  const [status, body] = await answer(request).catch((bug: unknown): Answer => {
    console.error(bug)
    return [500, { error: 'a fault of ours' }]
  })
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

if (process.argv[1] === import.meta.filename)
  server.listen(4000, '127.0.0.1', () => {
    console.log('http://127.0.0.1:4000/feed', keys)
    process.once('SIGTERM', () => server.close())
    process.once('SIGINT', () => server.close())
  })
