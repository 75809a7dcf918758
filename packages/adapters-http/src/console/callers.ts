import type { IncomingMessage } from 'node:http'
import type { Instant, Unavailable } from '@almoner/domain'
import { type ActiveSession, callerOfSession, checkAccess, type NoSession } from '@almoner/domain/access'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { NO_SESSION } from '../problems/challenge.ts'
import { busy, type Problem } from '../problems/problem.ts'
import { problemOf } from '../problems/problem-of-failure.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import type { CallerSource } from '../request/authentication.ts'
import { contextOf } from '../request-context.ts'
import { secretIn } from './cookie.ts'

declare module '../request-context.ts' {
  interface RequestContext {
    /** The session of a request to the console. */
    session?: ActiveSession
  }
}

/** Finds the session behind the secret of a cookie. */
export type FindSession = (
  secret: string,
  isAttended: boolean,
) => TE.TaskEither<NoSession | Unavailable, ActiveSession>

/** The header of requests from a page that was not touched lately, as when it asks again after a change. Its value is `?1`. */
const UNATTENDED = 'almoner-unattended'

/** The parts that find the caller of a request to the console. */
export interface SessionParts {
  readonly findSession: FindSession
  readonly baseUrl: () => string
  readonly now: () => Instant
}

const CROSS_SITE: Problem = {
  code: 'cross_site',
  detail: 'Requests that change something are accepted from the pages of this service only.',
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns whether a request may change something: its browser says that it comes from a page of this origin, or, where the browser says
 * nothing, its Origin is ours. A request with neither may not (M5).
 */
export const isFromOwnPage = (
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  baseUrl: string,
): boolean => {
  if (SAFE.has(method)) return true
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === new URL(baseUrl).origin : site === 'same-origin'
}

/** Rejects requests of other sites that would change something (M5). */
export const rejectCrossSite =
  (baseUrl: () => string): onRequestAsyncHookHandler =>
  async (request, reply) =>
    isFromOwnPage(request.raw, baseUrl()) ? undefined : sendProblem(request, reply, CROSS_SITE)

/** Finds the session of a request by its cookie; responds with a problem if there is none. */
export const findSessionOf = async (
  { findSession, baseUrl }: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | ActiveSession> => {
  const secret = secretIn(baseUrl(), request.headers.cookie)
  if (secret === undefined) return sendProblem(request, reply, NO_SESSION)
  const found = await findSession(secret, request.headers[UNATTENDED] !== '?1')()
  if (E.isRight(found)) return found.right
  const { left } = found
  return respondWithProblem(request, reply, left._tag === 'NoSession' ? NO_SESSION : busy(left.cause))
}

/** Returns the session of a request that has passed {@link sessionCallers}. */
export const sessionOf = (request: FastifyRequest): ActiveSession => {
  const { session } = contextOf(request)
  if (session === undefined) throw new Error('a route of the console ran without a session')
  return session
}

/** Finds callers by the session cookie, and by nothing else: an access token changes nothing here (M5). */
export const sessionCallers = (parts: SessionParts): CallerSource => ({
  onRequest: (needed) => async (request, reply) => {
    const found = await findSessionOf(parts, request, reply)
    if (!('session' in found)) return found
    const caller = callerOfSession(found)
    const checked = checkAccess(needed, parts.now)(caller)
    if (E.isLeft(checked)) return sendProblem(request, reply, problemOf(checked.left))
    Object.assign(contextOf(request), { caller, session: found })
    return undefined
  },
  preHandler: () => [],
})
