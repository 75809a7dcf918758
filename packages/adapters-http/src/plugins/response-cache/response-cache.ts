import type { Caller, Instant } from '@almoner/domain'
import { isInTime, requireScope } from '@almoner/domain/access'
import type {
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preHandlerAsyncHookHandler,
  RouteOptions,
} from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { Extension } from '../../extension.ts'
import { noLookups } from '../../metrics/metrics.ts'
import { type Authenticate, lookIfLate } from '../../request/authentication.ts'
import { parametersOf } from '../../request/parameters.ts'
import { type BufferedResponse, contextOf } from '../../request-context.ts'
import { copyOutOfPool } from '../../responses/copy-out-of-pool.ts'
import { sendBuffered } from '../../responses/send.ts'
import type { RouteDescription } from '../../route.ts'
import { type CacheContents, type CacheOptions, type Entries, makeContents, sizeOf } from './entries.ts'
import { addFastPath } from './fast-path.ts'

/** Milliseconds between two clearings of the cache, at least. */
const CLEAR_INTERVAL = 10

/** Callers that are cached. */
const CALLERS = 10_000

/** Statuses of refused writes: the caller acted on data that is out of date. */
const OUT_OF_DATE: ReadonlySet<number> = new Set([404, 409, 412])

/** Callers of a kind get the same responses: these depend on scopes and roles only. */
const kindOf = ({ scopes, roles }: Caller): string => [...scopes, '', ...roles].join(' ')

declare module '../../request-context.ts' {
  interface RequestContext {
    /** The entries from before the caller was looked up: a caller disabled in between must not get newer ones. */
    entries?: Entries
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
 * The response cache, an extension of the API. Repeated reads are served from memory until anything is written (ADR 17): in front of
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
      contextOf(request).entries = contents.entries()
      done()
    }

    /** Sends a cached response. Another request may have taken long to make it. */
    const sendCached = async (request: FastifyRequest, reply: FastifyReply, cached: BufferedResponse) =>
      (await lookIfLate(request, reply, clock.now())) ? sendBuffered(request, reply, cached) : reply

    const lookUp =
      ({ operation, parameters }: RouteDescription): preHandlerAsyncHookHandler =>
      async (request, reply) => {
        const context = contextOf(request)
        const { caller, entries } = context
        if (caller === undefined || entries === undefined) return undefined
        const sent = JSON.stringify([request.params, parametersOf(request, parameters)])
        const key = `${kindOf(caller)}\n${operation} ${sent}`
        const cached = await entries.responses.get(key)
        if (cached !== undefined) {
          lookups.hit += 1
          return sendCached(request, reply, cached)
        }
        lookups.miss += 1
        const { promise, resolve } = Promise.withResolvers<BufferedResponse | undefined>()
        entries.responses.set(key, promise)
        entries.add(sizeOf(key))
        context.settle = (response) => {
          if (response === undefined) entries.responses.delete(key)
          else entries.add(response.body.length)
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
      if (route !== undefined && route.cacheable !== true) added.onSend = clearAfterConflict
      else if (route !== undefined && bytes > 0) addCaching(added, route)
    })
    const authenticate = cacheCallers(services.access.authenticate, contents, clock.now)
    return { ...services, access: { ...services.access, authenticate } }
  }
