import { decode, type Instant, type Policy, type Ports, type Unavailable } from '@almoner/domain'
import { type InvalidLink, makeSignIn, makeSignOut, type TooManyAttempts } from '@almoner/domain/access'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { addRoute } from '../add-route.ts'
import { badRequest, busy, type Problem } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { encodeSession } from '../serializers/sessions.ts'
import { type SessionParts, sessionCallers, sessionOf } from './callers.ts'
import { clearedCookie, secretIn, sessionCookie } from './cookie.ts'
import { SignIn } from './operations.ts'
import { addSessionChoices } from './session-choices.ts'

const NO_STORE = { 'Cache-Control': 'no-store' }

const INVALID_LINK: Problem = {
  code: 'invalid_link',
  detail: 'This link is unknown, used or expired. Ask for another one.',
  headers: { 'WWW-Authenticate': 'Cookie realm="almoner"' },
}

/** Ports of the routes of sessions. */
type Needs = Pick<Ports, 'clock' | 'failedAttempts' | 'managers' | 'oneTimeSecrets' | 'secrets' | 'sessions'>

const signInProblem = (failure: InvalidLink | TooManyAttempts | Unavailable, now: Instant): Problem => {
  if (failure._tag === 'InvalidLink') return INVALID_LINK
  if (failure._tag !== 'TooManyAttempts') return busy(failure.cause)
  const seconds = Math.max(1, Math.ceil((failure.until - now) / 1000))
  return {
    code: 'too_many_requests',
    detail: 'Too many links were not valid. Please wait.',
    headers: { 'Retry-After': String(seconds) },
  }
}

const addSignIn = (app: FastifyInstance, ports: Needs, policy: Policy, { baseUrl }: SessionParts): void => {
  const signIn = makeSignIn(ports, policy)
  const signOut = makeSignOut(ports)
  const read = decode<t.TypeOf<typeof SignIn>>(SignIn)
  addRoute(app, {
    method: 'POST',
    url: '/sign-in/link',
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const sent = read(parametersOf(request, SignIn))
      if (E.isLeft(sent)) return sendProblem(request, reply, badRequest('Send a token.', sent.left.errors))
      const browser = request.headers['user-agent'] ?? ''
      const opened = await signIn({ secret: sent.right.token, address: request.ip, browser })()
      if (E.isLeft(opened))
        return respondWithProblem(request, reply, signInProblem(opened.left, ports.clock.now()))
      // A session that the browser had before ends: its cookie is replaced.
      const earlier = secretIn(baseUrl(), request.headers.cookie)
      if (earlier !== undefined) await signOut(earlier)()
      return reply
        .headers({ ...NO_STORE, 'Set-Cookie': sessionCookie(baseUrl(), opened.right.secret) })
        .send(encodeSession(opened.right, policy))
    },
  })
}

/** Adds the routes that open, show and end a session (M3, M4). */
export const addSessionRoutes = (
  app: FastifyInstance,
  ports: Needs,
  policy: Policy,
  parts: SessionParts,
): void => {
  const { baseUrl } = parts
  addSignIn(app, ports, policy, parts)
  const onRequest = [sessionCallers(parts).onRequest('user', false)]
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: '/session',
    onRequest,
    handler: async (request) => encodeSession(sessionOf(request), policy),
  })
  addRoute(app, {
    method: 'DELETE',
    url: '/session',
    onRequest,
    handler: async (request, reply) => {
      const ended = await ports.sessions.end(sessionOf(request).session.digest)()
      if (E.isLeft(ended)) return respondWithProblem(request, reply, busy(ended.left.cause))
      return reply.headers({ ...NO_STORE, 'Set-Cookie': clearedCookie(baseUrl()) }).send()
    },
  })
  addSessionChoices(app, ports, policy, onRequest)
}
