import { decode, type Policy, type Ports } from '@almoner/domain'
import { makeSignIn, REQUIREMENTS } from '@almoner/domain/access'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { addRoute } from '../add-route.ts'
import { badRequest, busy } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { encodeSession } from '../serializers/sessions.ts'
import { type SessionParts, sessionCallers, sessionOf } from './callers.ts'
import { clearedCookie } from './cookie.ts'
import { SignIn } from './operations.ts'
import { addSessionChoices } from './session-choices.ts'
import { NO_STORE, respondToSignIn, sourceOf } from './sign-in-response.ts'

/** Ports of the routes of sessions. */
type Needs = Pick<Ports, 'clock' | 'failedAttempts' | 'managers' | 'oneTimeSecrets' | 'secrets' | 'sessions'>

const addSignIn = (app: FastifyInstance, ports: Needs, policy: Policy, { baseUrl }: SessionParts): void => {
  const signIn = makeSignIn(ports, policy)
  const read = decode<t.TypeOf<typeof SignIn>>(SignIn)
  addRoute(app, {
    method: 'POST',
    url: '/sign-in/link',
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const sent = read(parametersOf(request, SignIn))
      if (E.isLeft(sent)) return sendProblem(request, reply, badRequest('Send a token.', sent.left.errors))
      const attempt = { secret: sent.right.token, ...sourceOf(request) }
      return respondToSignIn({ ports, policy, baseUrl }, request, reply, signIn(attempt))
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
  const onRequest = [sessionCallers(parts).onRequest(REQUIREMENTS.useOwnAccount, false)]
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
