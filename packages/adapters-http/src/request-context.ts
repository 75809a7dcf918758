import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Instant } from '@almoner/domain'
import type { AuthenticatedCaller } from '@almoner/domain/access'
import type { RawParameters } from '@almoner/domain/values'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify'
import { routerSettingsOf } from './settings.ts'

/** A response whose body is in memory as a whole, so that it may be sent again. */
export interface BufferedResponse {
  readonly status: number
  /** Text unless it is cached: Node sends a text and its head by one write. */
  readonly body: string | Buffer
  /** Its own header fields: type, ETag, link. */
  readonly headers: Readonly<Record<string, string>>
}

/** Looks up who sends a request, and resolves with whether it may go on. If not, a problem has been sent. */
export type Look = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/** What the server learns of a request on its way to its route. */
export interface RequestContext {
  caller?: AuthenticatedCaller
  /** When the caller was last looked up, and how to look again (A9). */
  lookedUpAt?: Instant
  lookAgain?: Look
  /** Milliseconds for which it was held back because it asked for that (N4). */
  waited?: number
  /** The parameters of path, query and body, merged. */
  parameters?: RawParameters
  upload?: Uint8Array | undefined
  /** A multipart body that is to be read. */
  multipart?: Readable
  /** Why the text of a part cannot be read, by the name of the parameter (B10). */
  unreadable?: ReadonlyMap<string, string>
  /** What was sent, unless it was a stream or a problem. */
  response?: BufferedResponse
  /** The pattern of the path, where no route takes the method. */
  pattern?: string
  /** Why a sign-in or a subject token was refused, for the log (M11, A10). */
  readonly refusal?: { readonly reason: string; readonly message: string }
  /** The cause of a response with a status of 500 or more, for the log. */
  readonly cause?: unknown
}

/** The log message of a refused sign-in. */
export const SIGN_IN_REFUSED = 'refused a sign-in'

/** The log message of a refused subject token. */
export const SUBJECT_TOKEN_REFUSED = 'refused a subject token'

const CONTEXT = Symbol('request context')

/** Reports the cause of a response with a status of 500 or more. The cause may repeat values of the request, tokens among them (A5). */
export type OnFault = (cause: unknown, request: FastifyRequest) => void

const ON_FAULT = Symbol('on fault')

type WithContext = FastifyRequest & { [CONTEXT]: RequestContext | null; readonly [ON_FAULT]?: OnFault }

/** Adds a context to each request of an application, and a function that is called once for each fault. A second call does nothing. */
export const decorateRequest = (app: FastifyInstance, onFault?: OnFault): void => {
  // A property that every request has costs nothing; a map beside them would keep the garbage collector busy.
  if (app.hasRequestDecorator(CONTEXT)) return
  app.decorateRequest(CONTEXT, null)
  if (onFault !== undefined) app.decorateRequest(ON_FAULT, onFault)
}

/** Returns the context of a request. */
export const contextOf = (request: FastifyRequest): RequestContext => {
  const holder = request as WithContext
  holder[CONTEXT] ??= {}
  return holder[CONTEXT]
}

/** Records and reports the cause of a response with a status of 500 or more. The first cause of a request counts. */
export const recordFault = (request: FastifyRequest, cause: unknown): void => {
  const context: { cause?: unknown } = contextOf(request)
  if (context.cause !== undefined) return
  context.cause = cause
  const { [ON_FAULT]: onFault } = request as WithContext
  onFault?.(cause, request)
}

/** Records why a sign-in or a subject token was refused. An application around the console or the API gets a line in its own log (M11, A10). */
export const recordRefusal = (request: FastifyRequest, reason: string, message = SIGN_IN_REFUSED): void => {
  const context: { refusal?: RequestContext['refusal'] } = contextOf(request)
  context.refusal = { reason, message }
  request.log.warn({ route: patternOf(request), reason }, message)
}

/** Returns the pattern of a request's path, which log and metrics show instead of the URL. Undefined for an unknown path. */
export const patternOf = (request: FastifyRequest): string | undefined =>
  contextOf(request).pattern ?? (request.is404 ? undefined : request.routeOptions.url)

/** Matches what a URL may have behind its path: a slash, and a query. */
const BEHIND = /(?<=.)\/?(?:\?.*)?$/s

/** Matches the path of a route that takes several; `*` is also what OPTIONS asks about the server. */
const PATTERN = /[:*]/

/** Returns whether Fastify has found the path of a request, and it has no parameters: no other path is the same. */
export const isPlain = ({ url, routeOptions: { url: path = '*', config } }: FastifyRequest): boolean =>
  !config.isCatchAll && !PATTERN.test(path) && url.replace(BEHIND, '') === path.replace(BEHIND, '')

/** Matches the beginning of a target in absolute form, as programs send it to proxies. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i

/** Returns the target of a request without scheme and host: a target in absolute form means its path (B3). */
export const targetOf = ({ url = '/', method }: Pick<IncomingMessage, 'url' | 'method'>): string => {
  if (url.startsWith('/') || !ORIGIN.test(url)) return url
  const rest = url.replace(ORIGIN, '')
  // Proxies pass OPTIONS for a host alone on as OPTIONS * (RFC 9112 §3.2.4).
  if (rest === '') return method === 'OPTIONS' ? '*' : '/'
  return rest.startsWith('/') ? rest : `/${rest}`
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is another one with or without the slash at the end of its path. */
    readonly isOtherSpelling?: true
  }
}

/** Returns the same path with a slash at its end, or without; undefined for a wildcard, which has no other spelling. */
const otherSpellingOf = (url: string): string | undefined => {
  if (url.endsWith('*')) return undefined
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`
}

const IS_WHOLE = Symbol('whole server')

/** Notes that an application is a whole server, of whose routes nothing else makes a document. Returns it. */
export const markWholeServer = (app: FastifyInstance): FastifyInstance => app.decorate(IS_WHOLE, true)

/**
 * Adds a route for paths with and without a slash at the end (B3), whether or not the application's router ignores the slash. Within another
 * application each method gets a route, because a route with several methods gets one name for all of them in an OpenAPI document.
 */
export const addRoute = (app: FastifyInstance, { method, ...route }: RouteOptions): void => {
  const methods = [method].flat() as ReadonlyArray<HTTPMethods>
  const add = (url: string, config: RouteOptions['config']) => {
    for (const some of app.hasDecorator(IS_WHOLE) ? [[...methods]] : methods)
      app.route({ ...route, url, method: some, exposeHeadRoute: false, ...(config && { config }) })
  }
  add(route.url, route.config)
  const other = otherSpellingOf(route.url)
  if (other !== undefined && !routerSettingsOf(app).ignoresTrailingSlash)
    add(other, { ...route.config, isOtherSpelling: true })
}
