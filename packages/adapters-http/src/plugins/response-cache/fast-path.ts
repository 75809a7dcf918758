import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Instant } from '@almoner/domain'
import { isInTime } from '@almoner/domain/access'
import type { FastifyInstance, FastifyReply, onResponseHookHandler } from 'fastify'
import type { ServerParts } from '../../extension.ts'
import { hasValidHost, interceptRequests, TIMED_OUT } from '../../lifecycle/connections.ts'
import { authorizationsOf } from '../../request/authentication.ts'
import { type BufferedResponse, contextOf } from '../../request-context.ts'
import { isNamed, SECURITY_HEADERS } from '../../responses/headers.ts'
import { type CacheContents, type SentResponse, sizeOf } from './entries.ts'

const REQUEST_ID = 'x-request-id'

/** Returns the header fields that were sent, with those of the body and against browsers, and without. */
const fieldsOf = (
  reply: FastifyReply,
  { headers: { etag, ...ofBody }, body }: BufferedResponse,
): Pick<SentResponse, 'fields' | 'unchanged'> => {
  const tag = etag === undefined ? {} : { etag }
  const bodyFields = { ...ofBody, 'content-length': body.length }
  const common: Record<string, unknown> = { ...reply.getHeaders() }
  for (const name of [REQUEST_ID, 'etag', ...Object.keys(bodyFields)]) delete common[name]
  const inTurns = (fields: object) =>
    Object.entries({ [REQUEST_ID]: '', ...fields, ...tag }).flatMap(([name, value]) => [name, String(value)])
  const others = Object.entries(common).filter(([name, value]) => SECURITY_HEADERS[name] !== value)
  return {
    fields: inTurns({ ...SECURITY_HEADERS, ...common, ...bodyFields }),
    unchanged: inTurns(Object.fromEntries(others)),
  }
}

/** Returns the key of a request; undefined for one that shows several tokens (A5). */
const keyOf = (request: IncomingMessage): string | undefined => {
  const { url = '', headers } = request
  const [one = '', other] = authorizationsOf(request)
  if (other !== undefined) return undefined
  // No URL holds a line feed. V8 hashes a concatenated string each time, the URL only once.
  return one === '' && headers.origin === undefined ? url : `${url}\n${one}\n${headers.origin ?? ''}`
}

const withId = (fields: ReadonlyArray<string>, id: string): Array<string> => {
  const all = fields.slice()
  all[1] = id
  return all
}

/** Sends a cached response and returns its status. */
const send = (
  cached: SentResponse,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): number => {
  const { body, headers } = cached.response
  const known = request.headers['if-none-match']
  if (known !== undefined && isNamed(known, headers['etag'])) {
    response.writeHead(304, withId(cached.unchanged, id)).end()
    return 304
  }
  response.writeHead(200, withId(cached.fields, id)).end(body)
  return 200
}

/**
 * Serves repeated requests for the same URL and token before Fastify sees them: its hooks take longer than all that is left to do. The
 * header fields are those of the first response, so that hooks need no second implementation here. All other requests, and all requests
 * while the server stops, go on to Fastify.
 * @returns the hook that stores a response once it is sent
 */
export const addFastPath = (
  app: FastifyInstance,
  contents: CacheContents,
  now: () => Instant,
  { logger, metrics, shutdown, isIdle }: ServerParts,
): onResponseHookHandler => {
  const find = (request: IncomingMessage): SentResponse | undefined => {
    if (request.method !== 'GET' || !hasValidHost(request) || shutdown.isEnding()) return undefined
    const key = keyOf(request)
    if (key === undefined) return undefined
    try {
      const cached = contents.entries().sent.get(key)
      return cached !== undefined && isInTime(cached.caller, now()) ? cached : undefined
    } catch {
      // The database cannot tell its version. Fastify meets the same error, and handles it.
      return undefined
    }
  }

  const serve = (request: IncomingMessage, response: ServerResponse): boolean => {
    const cached = find(request)
    if (cached === undefined) return false
    metrics.lookups.raw_hit += 1
    const started = performance.now()
    const id = randomUUID()
    const status = send(cached, id, request, response)
    response.once('close', () => {
      const { route, caller } = cached
      const ms = performance.now() - started
      const line = { requestId: id, method: 'GET', route, client: caller.clientId }
      shutdown.afterResponse()
      if (!response.writableFinished)
        return logger.info(line, isIdle(request) ? TIMED_OUT : 'aborted by the caller')
      metrics.add('GET', route, status, ms)
      // Rounding and copying cost more than the check.
      if (logger.isLevelEnabled('info'))
        logger.info({ ...line, status, ms: Math.round(ms * 10) / 10 }, 'answered')
    })
    return true
  }

  interceptRequests(app.server, (next) => (request, response) => {
    if (!serve(request, response)) next(request, response)
  })

  return (request, reply, done) => {
    const { entries, response, caller } = contextOf(request)
    const key = keyOf(request.raw)
    const isWhole =
      entries !== undefined && response !== undefined && caller !== undefined && key !== undefined
    if (isWhole && request.method === 'GET' && !shutdown.isEnding()) {
      const route = request.routeOptions.url ?? ''
      entries.sent.set(key, { caller, route, response, ...fieldsOf(reply, response) })
      entries.add(sizeOf(key))
    }
    done()
  }
}
