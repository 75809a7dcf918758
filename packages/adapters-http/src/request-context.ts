import type { AuthenticatedCaller, RawParameters } from '@almoner/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A response whose body is in memory as a whole, so that it may be sent again. */
export interface BufferedResponse {
  readonly status: number
  readonly body: Buffer
  /** Its own header fields: type, ETag, link. */
  readonly headers: Readonly<Record<string, string>>
}

/** What the server learns of a request on its way to its route. */
export interface RequestContext {
  caller?: AuthenticatedCaller
  /** The parameters of path, query and body, merged. */
  parameters?: RawParameters
  upload?: Uint8Array | undefined
  /** What was sent, unless it was a stream or a problem. */
  response?: BufferedResponse
  /** The pattern of the path, where no route takes the method. */
  pattern?: string
  /** The cause of a response with a status of 500 or more, for the log. */
  cause?: unknown
}

const CONTEXT = Symbol('request context')

type WithContext = FastifyRequest & { [CONTEXT]: RequestContext | null }

/** Adds a context to each request of an application. A second call does nothing. */
export const decorateRequest = (app: FastifyInstance): void => {
  // A property that every request has costs nothing; a map beside them would keep the garbage collector busy.
  if (!app.hasRequestDecorator(CONTEXT)) app.decorateRequest(CONTEXT, null)
}

/** Returns the context of a request. */
export const contextOf = (request: FastifyRequest): RequestContext => {
  const holder = request as WithContext
  holder[CONTEXT] ??= {}
  return holder[CONTEXT]
}

/** Returns the pattern of a request's path, which log and metrics show instead of the URL. Undefined for an unknown path. */
export const patternOf = (request: FastifyRequest): string | undefined =>
  contextOf(request).pattern ?? (request.is404 ? undefined : request.routeOptions.url)
