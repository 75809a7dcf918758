import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller, Instant } from '@almoner/domain'
import { isInTime, requireScope } from '@almoner/domain/access'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onResponseHookHandler,
  onSendHookHandler,
  preHandlerAsyncHookHandler,
  RouteOptions,
} from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { Extension, ServerParts } from '../extension.ts'
import { hasValidHost, interceptRequests, TIMED_OUT } from '../lifecycle/connections.ts'
import { noLookups } from '../metrics/responses.ts'
import { type Authenticate, authorizationsOf, lookIfLate } from '../request/authentication.ts'
import { parametersOf, rawOf } from '../request/parameters.ts'
import { type BufferedResponse, contextOf } from '../request-context.ts'
import { copyOutOfPool, isNamed, SECURITY_HEADERS } from '../responses/headers.ts'
import { sendBuffered } from '../responses/send.ts'
import type { RouteDescription } from '../route.ts'
import {
  type CacheContents,
  type CacheOptions,
  type Entries,
  makeContents,
  type SentResponse,
  sizeOf,
} from './cached-entries.ts'

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
const addFastPath = (
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
    // A response closes once, and "on" needs no second function.
    response.on('close', () => {
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
    const { entries, states, response, caller } = contextOf(request)
    const key = keyOf(request.raw)
    const isWhole =
      entries !== undefined &&
      states !== undefined &&
      response !== undefined &&
      caller !== undefined &&
      key !== undefined
    if (isWhole && request.method === 'GET' && !shutdown.isEnding()) {
      const route = request.routeOptions.url ?? ''
      const sent = { caller, route, response, ...fieldsOf(reply, response) }
      entries.sent.set(key, sent, states.ofCaller, sizeOf(key))
    }
    done()
  }
}

/** Milliseconds between two clearings of the cache, at least. */
const CLEAR_INTERVAL = 10

/** Callers that are cached. */
const CALLERS = 10_000

/** Statuses of refused writes: the caller acted on data that is out of date. */
const OUT_OF_DATE: ReadonlySet<number> = new Set([404, 409, 412])

/** Callers of a kind get the same responses: these depend on scopes and roles only. */
const kindOf = ({ scopes, roles }: Caller): string => [...scopes, '', ...roles].join(' ')

declare module '../request-context.ts' {
  interface RequestContext {
    /** The entries from before the caller was looked up: a caller disabled in between must not get newer ones. */
    entries?: Entries
    /** The data that the response is read from, as it was then; `ofCaller` with what the caller may do. */
    states?: Readonly<Record<'ofData' | 'ofCaller', ReturnType<CacheContents['stateOf']>>>
    /** Ends the wait of requests for the same response. */
    settle?: (response: BufferedResponse | undefined) => void
  }
}

/** Caches the callers behind tokens. Requests with the same token share one lookup. */
const cacheCallers =
  (authenticate: Authenticate, { callers }: CacheContents, now: () => Instant): Authenticate =>
  (token) =>
  async () => {
    const known = callers()
    const cached = await known.get(token)
    if (cached !== undefined && isInTime(cached, now())) return E.right(cached)
    // A flood of invalid tokens clears the cache now and then.
    if (known.size >= CALLERS) known.clear()
    const found = authenticate(token)()
    known.set(
      token,
      found.then(
        (result) => (E.isRight(result) ? result.right : undefined),
        () => undefined,
      ),
    )
    const result = await found
    if (E.isLeft(result)) known.delete(token)
    else known.set(token, result.right)
    return result
  }

/**
 * The response cache, an extension of the API. Repeated reads are served from memory until what they read is written (ADR 17): in front of
 * Fastify for the same URL and token, else after authentication, for all callers of a kind.
 */
export const responseCache =
  (options: CacheOptions): Extension =>
  (app, services, server) => {
    const { clock, timer } = services.ports
    const { bytes } = options
    const contents = makeContents(options, clock.now)
    const lookups = server?.metrics.lookups ?? noLookups()

    const begin: onRequestHookHandler = (request, _reply, done) => {
      const reads = request.routeOptions.config.route?.readsOf?.(rawOf(request.params), rawOf(request.query))
      if (reads !== undefined) {
        const { stateOf, entries } = contents
        const states = { ofData: stateOf(reads), ofCaller: stateOf([...reads, 'access']) }
        Object.assign(contextOf(request), { states, entries: entries() })
      }
      done()
    }

    /** Sends a cached response. Another request may have taken long to make it. */
    const sendCached = async (request: FastifyRequest, reply: FastifyReply, cached: BufferedResponse) =>
      (await lookIfLate(request, reply, clock.now())) ? sendBuffered(request, reply, cached) : reply

    const lookUp =
      ({ operation, parameters }: RouteDescription): preHandlerAsyncHookHandler =>
      async (request, reply) => {
        const context = contextOf(request)
        const { caller, entries, states } = context
        if (caller === undefined || entries === undefined || states === undefined) return undefined
        const sent = JSON.stringify([request.params, parametersOf(request, parameters)])
        const key = `${kindOf(caller)}\n${operation} ${sent}`
        const cached = await entries.responses.get(key)
        if (cached !== undefined) {
          lookups.hit += 1
          return sendCached(request, reply, cached)
        }
        lookups.miss += 1
        const { promise, resolve } = Promise.withResolvers<BufferedResponse | undefined>()
        entries.responses.set(key, promise, states.ofData, sizeOf(key))
        context.settle = (response) => {
          if (response === undefined) entries.responses.delete(key, promise)
          else entries.responses.grow(key, promise, response.body.length)
          resolve(response)
        }
        return undefined
      }

    const store: onSendHookHandler = (request, _reply, payload, done) => {
      const context = contextOf(request)
      const { response, settle } = context
      if (settle !== undefined) {
        if (response !== undefined) context.response = { ...response, body: copyOutOfPool(response.body) }
        settle(context.response)
      }
      done(null, payload)
    }

    let clearing: Promise<void> | undefined
    const clear = async (): Promise<void> => {
      await timer.wait(CLEAR_INTERVAL)()
      clearing = undefined
      contents.clear()
    }
    /**
     * Clears the cache before a caller who may write content hears of a conflict: it acted on old data, and must not be served that again.
     * Other callers could otherwise keep the cache empty by asking for what does not exist.
     */
    const clearAfterConflict: onSendHookHandler = (request, reply, payload, done) => {
      const { caller } = contextOf(request)
      const isConflict = caller !== undefined && OUT_OF_DATE.has(reply.statusCode)
      if (!isConflict || E.isLeft(requireScope('content-manager')(caller))) return done(null, payload)
      clearing ??= clear()
      clearing.then(() => done(null, payload), done)
    }

    const open =
      bytes > 0 && server?.hasFastPath === true ? addFastPath(app, contents, clock.now, server) : undefined
    const addCaching = (added: RouteOptions, route: RouteDescription): void => {
      added.onRequest = [begin, added.onRequest ?? []].flat()
      added.preHandler = [added.preHandler ?? [], lookUp(route)].flat()
      added.onSend = store
      if (open !== undefined) added.onResponse = open
    }
    app.addHook('onRoute', (added) => {
      const { route } = added.config ?? {}
      if (route !== undefined && route.readsOf === undefined) added.onSend = clearAfterConflict
      else if (route !== undefined && bytes > 0) addCaching(added, route)
    })
    const authenticate = cacheCallers(services.access.authenticate, contents, clock.now)
    return { ...services, access: { ...services.access, authenticate } }
  }
