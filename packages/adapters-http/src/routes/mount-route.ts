import type { OpenedPortfolio } from '@almoner/domain/portfolio'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Problem } from '../problems/problem.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import { type CallerLooks, type CallerSource, lookIfLate } from '../request/authentication.ts'
import { type EnterLongRead, isLongRead } from '../request/body-parsers.ts'
import { readMultipartBody } from '../request/multipart-body.ts'
import { parametersOf, rawOf, unreadable } from '../request/parameters.ts'
import type { UploadLimits, WithFiles } from '../request/uploads.ts'
import { addRoute, contextOf, type Look, type RequestContext } from '../request-context.ts'
import { preconditionOf } from '../responses/headers.ts'
import { sendResponse } from '../responses/send.ts'
import type { Route, Services } from '../route.ts'

/** The parts that all routes of an API share. */
interface MountContext {
  readonly services: Services
  readonly callers: CallerSource
  readonly baseUrl: () => string
  readonly uploads: UploadLimits
  readonly enterLongRead: EnterLongRead
  /** Opens the files of routes that take several. */
  readonly withFiles?: WithFiles
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

/** Opens no files: for routes that take none. */
const withoutFiles: WithFiles = (_request, work) => work(undefined)

const handler = (
  { services, baseUrl, enterLongRead, withFiles = withoutFiles }: MountContext,
  route: Route,
  { atUse }: CallerLooks,
) => {
  const run = route.run(services)
  const { parameters } = route
  const opening = route.files ? withFiles : withoutFiles
  const beforeSending: Look = (request, reply) => lookIfLate(request, reply, services.ports.clock.now())
  const runRoute = (request: FastifyRequest, files: OpenedPortfolio | undefined) => {
    const { caller, upload } = contextOf(request)
    if (caller === undefined) throw new Error('a route ran without a caller')
    const { headers } = request
    const { 'if-match': match } = headers
    return run({
      // A response for all callers of a kind must not depend on the user that one of them acts for.
      caller: route.cacheable ? { ...caller, email: O.none } : caller,
      raw: parametersOf(request, parameters),
      expected: match === undefined ? O.none : preconditionOf(match, rawOf(request.params)['itemId']),
      upload,
      files,
      key: headers['idempotency-key']?.toString(),
      ifMatch: match,
      query: rawOf(request.query),
    })()
  }

  /**
   * Waits until the caller may read for long, if the request does; false if its client has gone meanwhile. The read counts until the response
   * has ended and its work too, which goes on for a while without its client.
   */
  const entered = async (request: FastifyRequest, { raw }: FastifyReply, work: Promise<void>) => {
    const { caller } = contextOf(request)
    if (caller === undefined) return true
    // The fields of a body filter nothing.
    const filters = route.method === 'GET' ? parametersOf(request, parameters) : {}
    if (!isLongRead(route.operation, filters)) return true
    const leave = await enterLongRead(caller)
    const closed = new Promise<void>((resolve) => raw.once('close', resolve))
    void Promise.all(raw.destroyed ? [work] : [work, closed]).then(leave)
    return !raw.destroyed
  }

  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const outcome = await opening(request, async (files) =>
      !route.files || (await atUse(request, reply)) ? runRoute(request, files) : undefined,
    )
    if (outcome === undefined) return reply
    if (E.isLeft(outcome))
      return respondWithProblem(request, reply, withReasons(outcome.left, contextOf(request).unreadable))
    const options = { parameters, baseUrl, ...(route.method === 'GET' && { beforeSending }) }
    return sendResponse(request, reply, outcome.right, options)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const work = Promise.withResolvers<void>()
    try {
      if (await entered(request, reply, work.promise)) return await respond(request, reply)
      reply.hijack()
      return undefined
    } finally {
      work.resolve()
    }
  }
}

/** Adds a route to an application, and HEAD beside GET (B3). */
export const mountRoute = (app: FastifyInstance, context: MountContext, route: Route): void => {
  const isRead = route.method === 'GET'
  const looks = context.callers(route)
  // The files of a body are read by the handler, which looks after them.
  const atUse = isRead || route.files ? [] : [looks.atUse]
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
