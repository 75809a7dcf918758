import type { Admitted, Caller } from '@almoner/domain'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ServerOptions } from '../options.ts'
import { refuseEmptySegments } from '../plugins/method-not-allowed.ts'
import type { Keeping, Outcome } from '../plugins/response-cache/response-cache.ts'
import { PROBLEMS } from '../problems/catalogue.ts'
import type { Problem } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import { gather } from '../request/merge-parameters.ts'
import { readMultipartBody } from '../request/multipart-body.ts'
import {
  admit,
  admitCaller,
  authorizationsOf,
  oneToken,
  tokensAhead,
  tokensInBody,
} from '../request/token.ts'
import type { Slots } from '../request/upload-limit.ts'
import { stateOf } from '../request-context.ts'
import { expectationOf } from '../responses/etag.ts'
import { makeReady } from '../responses/render.ts'
import { sendReady, sendStreamed } from '../responses/send.ts'
import type { Route } from '../route.ts'
import type { Services } from '../services.ts'

type Raw = Readonly<Record<string, unknown>>

/** What all routes of a server share. */
export interface MountContext {
  readonly services: Services
  readonly keeping: Keeping
  readonly baseUrl: ServerOptions['baseUrl']
  /** Places in memory for the bytes of uploads, of those who are known before their body is read, and of others. */
  readonly slots: { readonly ofCallers: Slots; readonly ofStrangers: Slots }
  /** Runs once the caller is known, before the route's work. */
  readonly afterCaller: ReadonlyArray<preHandlerAsyncHookHandler>
}

const rawOf = (place: unknown): Raw => (typeof place === 'object' && place !== null ? (place as Raw) : {})

const ahead = (request: FastifyRequest) => tokensAhead(authorizationsOf(request.raw), rawOf(request.query))

/** Refusals which tell that the caller knows something that is no longer so; on this node it might be kept for a moment yet. */
const OUT_OF_DATE: ReadonlySet<number> = new Set([404, 409, 412])

/** Lets the caller in and goes on, or answers why not. Whoever is known need not wait. */
const letIn = (
  { keeping }: MountContext,
  { access }: Route,
  [request, reply, goOn]: readonly [FastifyRequest, FastifyReply, (fault?: Error) => void],
  tokens: ReadonlyArray<unknown>,
): void => {
  const decide = (caller: E.Either<Problem, Admitted>): void => {
    if (E.isLeft(caller)) {
      sendProblem(request, reply, caller.left)
      return
    }
    stateOf(request).caller = caller.right
    goOn()
  }
  const token = oneToken(tokens)
  const known = E.isRight(token) ? keeping.callerOf(request, token.right) : undefined
  if (E.isLeft(token)) decide(token)
  else if (known !== undefined) decide(admitCaller(access, known))
  else admit(keeping.authenticate(request), token.right, access)().then(decide, goOn)
}

/** Refuses whoever shows a bad token outside the body before the body is read at all, and who shows none where there is no body. */
const admitAhead =
  (context: MountContext, route: Route): onRequestHookHandler =>
  (request, reply, done) => {
    const tokens = ahead(request)
    if (tokens.length === 0 && route.method !== 'GET') done()
    else letIn(context, route, [request, reply, done], tokens)
  }

const readMultipart = ({ slots }: MountContext, route: Route): preHandlerHookHandler => {
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (route.upload !== undefined) {
      const places = stateOf(request).caller === undefined ? slots.ofStrangers : slots.ofCallers
      const release = await places.take()
      reply.raw.once('close', release)
      if (reply.raw.closed) release()
    }
    const { fields, upload } = await readMultipartBody(request, route.upload)
    request.body = fields
    stateOf(request).upload = upload
  }
  return (request, reply, done) => {
    if (request.isMultipart()) read(request, reply).then(() => done(), done)
    else done()
  }
}

/** Looks for the token in the body too, once that has been read: it may be given in one place only (A5). */
const admitWithBody =
  (context: MountContext, route: Route): preHandlerHookHandler =>
  (request, reply, done) => {
    const inBody = tokensInBody(rawOf(request.body))
    if (stateOf(request).caller !== undefined && inBody.length === 0) done()
    else letIn(context, route, [request, reply, done], [...ahead(request), ...inBody])
  }

const send = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome) => {
  if (E.isLeft(outcome)) return sendProblem(request, reply, outcome.left)
  return outcome.right.kind === 'ready'
    ? sendReady(request, reply, outcome.right)
    : sendStreamed(request, reply, outcome.right)
}

const handler = ({ services, baseUrl, keeping }: MountContext, route: Route) => {
  const run = route.run(services)
  const { parameters } = route
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller, upload } = stateOf(request)
    if (caller === undefined) throw new Error('a route ran without a caller')
    const path = rawOf(request.params)
    const raw = gather(parameters, { path, query: rawOf(request.query), body: rawOf(request.body) })
    const expected = expectationOf(request.headers['if-match'], path['itemId'])
    const head = {
      key: request.headers['idempotency-key']?.toString(),
      ifMatch: request.headers['if-match'],
      query: rawOf(request.query),
    }
    const make = (asker: Caller) => async (): Promise<Outcome> => {
      const answer = await run({ caller: asker, raw, expected, upload, head })()
      return E.isLeft(answer)
        ? answer
        : E.right(await makeReady(answer.right, { request, parameters, baseUrl: baseUrl() }))
    }
    if (route.shared !== true) {
      const outcome = await make(caller)()
      if (E.isLeft(outcome) && OUT_OF_DATE.has(PROBLEMS[outcome.left.code].status))
        await keeping.forget(caller)
      return send(request, reply, outcome)
    }
    // Others of the caller's kind will see it: it must not depend on whom the caller acts for.
    const name = () => `${route.operation} ${JSON.stringify([path, raw])}`
    const ofItsKind = make({ ...caller, email: O.none })
    return send(request, reply, await keeping.share(request, name, ofItsKind))
  }
}

/** Mounts one route, and HEAD beside GET (B3). */
export const mount = (app: FastifyInstance, context: MountContext, route: Route): void => {
  const isRead = route.method === 'GET'
  const admitted = admitAhead(context, route)
  app.route({
    method: isRead ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    onRequest: route.path.includes(':') ? [refuseEmptySegments, admitted] : [admitted],
    preHandler: [
      ...(isRead ? [] : [readMultipart(context, route), admitWithBody(context, route)]),
      ...context.afterCaller,
    ],
    handler: handler(context, route),
  })
}
