import type { Caller } from '@almoner/domain'
import type { OpenedPortfolio, Report } from '@almoner/domain/portfolio'
import { instant } from '@almoner/domain/values'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { badRequest, type Problem, UNKNOWN_PATH } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { type CallerLooks, type CallerSource, lookIfLate } from '../request/authentication.ts'
import { type EnterLongRead, isLongRead } from '../request/body-parsers.ts'
import { readMultipartBody } from '../request/multipart-body.ts'
import { parametersOf, rawOf, unreadable } from '../request/parameters.ts'
import type { UploadLimits, WithFiles } from '../request/uploads.ts'
import { addRoute, contextOf, isPlain, type Look, type RequestContext } from '../request-context.ts'
import { preconditionOf } from '../responses/headers.ts'
import type { Outcome, respondWithProgress } from '../responses/progress.ts'
import { sendResponse } from '../responses/send.ts'
import { isPaged, type Route, type Services } from '../route.ts'
import { routerSettingsOf } from '../settings.ts'
import { type WaitRequest, waitOf } from '../waits.ts'

/** The parts that all routes of an API share. */
interface MountContext {
  readonly services: Services
  readonly callers: CallerSource
  readonly baseUrl: () => string
  readonly uploads: UploadLimits
  readonly enterLongRead: EnterLongRead
  /** Opens the files of routes that take several, and shows how far the work with them is. */
  readonly files?: { readonly open: WithFiles; readonly respond: typeof respondWithProgress }
  /** Runs once the caller is known, before the route's work. */
  readonly afterCaller: ReadonlyArray<preHandlerAsyncHookHandler>
}

const readMultipart = ({ uploads }: MountContext, route: Route): preHandlerHookHandler => {
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const context = contextOf(request)
    if (route.upload !== undefined) {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort(unreadable('The client has left.')))
      const release =
        context.caller === undefined
          ? uploads.anonymous(request.ip)
          : await uploads.authenticated(gone.signal)
      reply.raw.once('close', release)
      if (reply.raw.destroyed) release()
    }
    const { fields, upload } = await readMultipartBody(request, route.upload)
    request.body = fields
    context.upload = upload
  }
  return (request, reply, done) => {
    if (contextOf(request).multipart !== undefined && !route.files)
      read(request, reply).then(() => done(), done)
    else done()
  }
}

/** Says of parameters whose text could not be decoded why not (B10). */
const withReasons = (problem: Problem, undecoded: RequestContext['unreadable']): Problem =>
  undecoded === undefined || problem.errors === undefined
    ? problem
    : {
        ...problem,
        errors: problem.errors.map((error) => ({
          ...error,
          message: undecoded.get(error.field) ?? error.message,
        })),
      }

/** Returns whether a read asks for one page of a collection. */
const isPage = (route: Route, { query }: FastifyRequest): boolean =>
  isPaged(route) && (rawOf(query)['lim'] ?? '') !== ''

/** Returns the item or notification that a path names (C10, G13). */
const namedBy = ({ params }: FastifyRequest): unknown => {
  const { itemId, id } = rawOf(params)
  return itemId ?? id
}

/** A request that may be held back. Thousands wait at once (N4): it has methods, not functions made for each one. */
class HeldRequest implements WaitRequest {
  readonly seconds: number
  readonly #request: FastifyRequest
  readonly #raw: FastifyReply['raw']
  #begun = 0

  constructor(seconds: number, request: FastifyRequest, { raw }: FastifyReply) {
    this.seconds = seconds
    this.#request = request
    this.#raw = raw
  }

  get address(): string {
    return this.#request.ip
  }

  begin(): void {
    const request = this.#request
    this.#begun = performance.now()
    contextOf(request).lookedUpAt = instant(0)
    // Node joins a UUID of many pieces, which stay in memory with it; a copy has none.
    if (typeof request.id === 'string') request.id = Buffer.from(request.id).toString()
  }

  end(): void {
    contextOf(this.#request).waited = performance.now() - this.#begun
  }

  onClose(callback: () => void): void {
    if (this.#raw.destroyed) callback()
    else this.#raw.on('close', callback)
  }
}

/** Returns how a request may be held back; undefined if it does not ask for it (N4). */
const waitRequestOf = (request: FastifyRequest, reply: FastifyReply): WaitRequest | undefined => {
  const seconds = waitOf(request.headers['prefer']?.toString())
  return seconds === undefined || request.method === 'HEAD'
    ? undefined
    : new HeldRequest(seconds, request, reply)
}

const handler = (
  { services, baseUrl, enterLongRead, files: filesOf }: MountContext,
  route: Route,
  { atUse }: CallerLooks,
) => {
  const run = route.run(services)
  const { parameters } = route
  const beforeSending: Look = (request, reply) => lookIfLate(request, reply, services.ports.clock.now())
  const runRoute = (
    request: FastifyRequest,
    reply: FastifyReply,
    files?: OpenedPortfolio,
    report?: Report,
  ): Promise<Exclude<Outcome, undefined>> => {
    const { caller, upload } = contextOf(request)
    if (caller === undefined) throw new Error('a route ran without a caller')
    const { headers } = request
    const { 'if-match': match } = headers
    return run({
      // A response for all callers of a kind must not depend on the user that one of them acts for.
      caller: route.readsOf ? { ...caller, email: O.none } : caller,
      raw: parametersOf(request, parameters),
      expected: match === undefined ? O.none : preconditionOf(match, namedBy(request)),
      upload,
      files,
      report,
      key: headers['idempotency-key']?.toString(),
      ifMatch: match,
      query: rawOf(request.query),
      wait: route.waits && waitRequestOf(request, reply),
    })()
  }

  // Thousands of requests may wait at once (N4): no async function on their way, whose frame would be kept meanwhile.

  const send = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome) => {
    if (outcome === undefined) return reply
    if (E.isLeft(outcome))
      return respondWithProblem(request, reply, withReasons(outcome.left, contextOf(request).unreadable))
    if (route.method !== 'GET') return sendResponse(request, reply, outcome.right, { parameters, baseUrl })
    // By path an item may have its own tag, and an empty collection has none (C4, C10).
    const isTagged = route.hasETag === undefined ? isPage(route, request) : route.hasETag === 'digest'
    return sendResponse(request, reply, outcome.right, { parameters, baseUrl, beforeSending, isTagged })
  }

  const respondAboutFiles = (
    request: FastifyRequest,
    reply: FastifyReply,
    { open, respond }: NonNullable<MountContext['files']>,
  ): Promise<FastifyReply> =>
    respond(
      request,
      reply,
      (report) =>
        open(request, async (files) =>
          (await atUse(request, reply)) ? runRoute(request, reply, files, report) : undefined,
        ),
      (outcome) => send(request, reply, outcome),
    )

  const respond = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    route.files && filesOf !== undefined
      ? respondAboutFiles(request, reply, filesOf)
      : runRoute(request, reply).then((outcome) => send(request, reply, outcome))

  /**
   * Waits until the caller may read for long, and responds unless its client has gone meanwhile. The read counts until its work has ended, also
   * without its client, and until a streamed response has. A page is complete before that: to wait would let two pass in an iteration of the event loop.
   */
  const respondLong = async (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    const { raw } = reply
    const leave = await enterLongRead(caller)
    if (raw.destroyed) {
      leave()
      reply.hijack()
      return undefined
    }
    try {
      return await respond(request, reply)
    } finally {
      if (raw.writableEnded || raw.closed) leave()
      else raw.once('close', leave)
    }
  }

  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { caller } = contextOf(request)
    // The fields of a body filter nothing.
    const filters = route.method === 'GET' ? parametersOf(request, parameters) : {}
    return caller !== undefined && isLongRead(route.operation, filters)
      ? respondLong(request, reply, caller)
      : respond(request, reply)
  }
}

/** Adds a route to an application, and HEAD beside GET (B3). */
export const mountRoute = (app: FastifyInstance, context: MountContext, route: Route): void => {
  const isRead = route.method === 'GET'
  const looks = context.callers(route)
  // The files of a body are read by the handler, which looks after them.
  const atUse = isRead || (route.files && context.files) ? [] : [looks.atUse]
  addRoute(app, {
    method: isRead ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    config: { route },
    ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
    onRequest: [looks.atHead],
    preHandler: [...(isRead ? [] : [readMultipart(context, route)]), ...atUse, ...context.afterCaller],
    handler: handler(context, route, looks),
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is a wildcard for methods that no path takes. */
    readonly isCatchAll?: true
  }
}

/** A path as routes have it, and the methods that it takes. */
interface KnownPath {
  readonly path: string
  readonly methods: Set<string>
}

/** Routes are found by path alone: any method does. */
const ANY: HTTPMethod = 'GET'

const TOO_LONG = badRequest('A part of the path is too long.')

/** With and without the slash at the end is one path (B3). */
const withoutSlash = (url: string): string => url.replace(/(?<=.)\/$/, '')

const withOptions = (methods: Iterable<string>): string => [...new Set([...methods, 'OPTIONS'])].join(', ')

/** Sends the methods that a path takes: in a 204 for OPTIONS, else in a 405. */
const sendAllow = (request: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply =>
  request.method === 'OPTIONS'
    ? reply.code(204).header('Allow', allow).send()
    : sendProblem(request, reply, {
        code: 'method_not_allowed',
        detail: `This path takes ${allow}.`,
        headers: { Allow: allow },
      })

/** Whether a request asks about the server as a whole (RFC 9110 §9.3.7). */
const asksServer = ({ method, url }: FastifyRequest): boolean => method === 'OPTIONS' && url === '*'

/** Makes the router that finds a path by its URL. */
const routerOf = (app: FastifyInstance, paths: ReadonlyArray<KnownPath>) => {
  const { maxParamLength } = routerSettingsOf(app)
  // A path with a part that is too long is found without a store.
  const router = FindMyWay({ ignoreTrailingSlash: true, maxParamLength, onMaxParamLength: () => {} })
  for (const known of paths) router.on(ANY, known.path, () => {}, known)
  return router
}

/**
 * Rejects, before any body is read, unknown paths and methods that a path does not take, and answers OPTIONS (B3). Has to be added before
 * the routes. Fastify's own router finds `POST /library/:itemId` for `POST /library/label`, which takes GET only: paths are looked up
 * without their method.
 * @returns the paths of the routes added so far
 */
export const rejectOtherMethods = (app: FastifyInstance): ReadonlyMap<string, KnownPath> => {
  const paths = new Map<string, KnownPath>()
  let router: ReturnType<typeof routerOf> | undefined
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isCatchAll) return
    const path = withoutSlash(url)
    const known = paths.get(path) ?? { path, methods: new Set() }
    for (const one of [method].flat()) known.methods.add(one)
    paths.set(path, known)
    router = undefined
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (isPlain(request)) return done()
    if (asksServer(request)) {
      // A wildcard may take methods only to say that there is no such path.
      const known = [...paths.values()].filter(({ path }) => !path.endsWith('*'))
      sendAllow(request, reply, withOptions(known.flatMap(({ methods }) => [...methods])))
      return
    }
    router ??= routerOf(app, [...paths.values()])
    const found = router.find(ANY, request.url)
    if (found?.store === null) sendProblem(request, reply, TOO_LONG)
    else if (found === null || Object.values(found.params).includes(''))
      sendProblem(request, reply, UNKNOWN_PATH)
    else if (found.store.methods.has(request.method)) done()
    else {
      contextOf(request).pattern = found.store.path
      sendAllow(request, reply, withOptions(found.store.methods))
    }
  })
  return paths
}

/** Returns the wildcards below which all paths are the API's: those of its paths, or everything under the prefix. */
const wildcardsOf = ({ prefix }: FastifyInstance, paths: Iterable<string>): ReadonlySet<string> =>
  prefix === ''
    ? new Set([...paths].map((path) => path.split('/')[1]).flatMap((top) => [`/${top}`, `/${top}/*`]))
    : new Set(['/*'])

/**
 * Adds wildcards for requests that no route takes, so that the hook sees them in an API within another application. A whole server needs
 * none: there the hook sees all requests.
 */
export const addCatchAlls = (app: FastifyInstance, paths: ReadonlyMap<string, KnownPath>): void => {
  for (const url of wildcardsOf(app, paths.keys())) {
    const taken = paths.get(`${app.prefix}${url}`)?.methods
    const method = app.supportedMethods.filter((one) => taken?.has(one) !== true) as Array<HTTPMethods>
    app.route({
      method,
      url,
      config: { isCatchAll: true },
      handler: async (_, reply) => reply.callNotFound(),
    })
  }
}
