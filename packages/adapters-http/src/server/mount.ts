import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { expectationOf } from '../answers/etag.ts'
import { writeAnswer } from '../answers/write.ts'
import type { ServerOptions } from '../options.ts'
import { sendProblem } from '../problems/send.ts'
import { gather } from '../request/gather.ts'
import { readMultipartBody } from '../request/multipart-body.ts'
import type { Slots } from '../request/slots.ts'
import { stateOf } from '../request/state.ts'
import { admit, oneToken, tokensAhead, tokensInBody } from '../request/token.ts'
import type { Route } from '../routes/route.ts'
import type { Services } from '../services.ts'
import { refuseEmptySegments } from './methods.ts'

type Raw = Readonly<Record<string, unknown>>

/** What all routes of a server share. */
export interface MountContext {
  readonly services: Services
  readonly baseUrl: ServerOptions['baseUrl']
  /** Places in memory for the bytes of uploads. */
  readonly slots: Slots
  /** Runs once the caller is known, before the route's work. */
  readonly afterCaller: ReadonlyArray<preHandlerAsyncHookHandler>
}

const rawOf = (place: unknown): Raw => (typeof place === 'object' && place !== null ? (place as Raw) : {})

/** Every Authorization field: of one that comes twice, `headers` would show the first alone. */
const authorizations = ({ rawHeaders }: FastifyRequest['raw']): ReadonlyArray<string> =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')

const ahead = (request: FastifyRequest) => tokensAhead(authorizations(request.raw), rawOf(request.query))

/** Lets the caller in, or answers why not. */
const letIn = async (
  { services }: MountContext,
  route: Route,
  [request, reply]: readonly [FastifyRequest, FastifyReply],
  tokens: ReadonlyArray<unknown>,
): Promise<FastifyReply | undefined> => {
  const token = oneToken(tokens)
  if (E.isLeft(token)) return sendProblem(request, reply, token.left)
  const caller = await admit(services.authenticate, token.right, route.access)()
  if (E.isLeft(caller)) return sendProblem(request, reply, caller.left)
  stateOf(request).caller = caller.right
  return undefined
}

/** Refuses whoever shows a bad token outside the body before the body is read at all. */
const admitAhead =
  (context: MountContext, route: Route): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    const tokens = ahead(request)
    return tokens.length === 0 ? undefined : letIn(context, route, [request, reply], tokens)
  }

const readMultipart =
  ({ slots }: MountContext, route: Route): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    if (!request.isMultipart()) return
    if (route.upload !== undefined) {
      const release = await slots.take()
      reply.raw.once('close', release)
      if (reply.raw.closed) release()
    }
    const { fields, upload } = await readMultipartBody(request, route.upload)
    request.body = fields
    stateOf(request).upload = upload
  }

/** Looks for the token in the body too, once that has been read: it may be given in one place only (A5). */
const admitWithBody =
  (context: MountContext, route: Route): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    const inBody = tokensInBody(rawOf(request.body))
    if (stateOf(request).caller !== undefined && inBody.length === 0) return undefined
    return letIn(context, route, [request, reply], [...ahead(request), ...inBody])
  }

const handler = ({ services, baseUrl }: MountContext, route: Route) => {
  const run = route.run(services)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller, upload } = stateOf(request)
    if (caller === undefined) throw new Error('a route ran without a caller')
    const path = rawOf(request.params)
    const raw = gather(route.parameters, { path, query: rawOf(request.query), body: rawOf(request.body) })
    const ifMatch = request.headers['if-match']
    const expected = expectationOf(ifMatch, path['itemId'])
    const answer = await run({ caller, raw, expected, upload })()
    return E.isLeft(answer)
      ? sendProblem(request, reply, answer.left)
      : writeAnswer(answer.right, { request, reply, parameters: route.parameters, baseUrl: baseUrl() })
  }
}

/** Mounts one route, and HEAD beside GET (B3). */
export const mount = (app: FastifyInstance, context: MountContext, route: Route): void => {
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    onRequest: [refuseEmptySegments, admitAhead(context, route)],
    preHandler: [readMultipart(context, route), admitWithBody(context, route), ...context.afterCaller],
    handler: handler(context, route),
  })
}
