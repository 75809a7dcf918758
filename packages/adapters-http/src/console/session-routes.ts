import { decode, type Policy, type Ports } from '@almoner/domain'
import { personActor } from '@almoner/domain/access'
import {
  type ActiveSession,
  type ManagerChange,
  makeEndOtherSessions,
  makeListOwnSessions,
  makeShowLink,
  makeSignIn,
  NO_ACTIVE_SESSION,
} from '@almoner/domain/managers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { badRequest, busy } from '../problems/problem.ts'
import type { UseCaseFailure } from '../problems/problem-of-failure.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { addRoute } from '../request-context.ts'
import { encodeOneSession, encodeSession, encodeShownLink } from '../serializers/managers.ts'
import { clearedCookie, type SessionParts, secretIn, sessionOf } from './callers.ts'
import { OWN_SESSIONS, SignIn } from './operations.ts'
import {
  addOwn,
  NO_STORE,
  refuseSignIn,
  respondToSignIn,
  sessionHooks,
  sourceOf,
} from './sign-in-response.ts'

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

/**
 * Adds the route that says whom a link signs in, and leaves the link (M2). It also says who else is signed in in this browser, so that a link of
 * another person signs in under that person's name only with a person's consent.
 */
const addShowLink = (
  app: FastifyInstance,
  ports: Needs,
  { baseUrl, findSession, now }: SessionParts,
): void => {
  const show = makeShowLink(ports)
  const read = decode<t.TypeOf<typeof SignIn>>(SignIn)
  addRoute(app, {
    method: 'POST',
    url: '/sign-in/link/person',
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const sent = read(parametersOf(request, SignIn))
      if (E.isLeft(sent)) return sendProblem(request, reply, badRequest('Send a token.', sent.left.errors))
      const shown = await show({ secret: sent.right.token, ...sourceOf(request) })()
      if (E.isLeft(shown)) return refuseSignIn(request, reply, shown.left, now())
      const secret = secretIn(baseUrl(), request.headers.cookie)
      const found = secret === undefined ? undefined : await findSession(secret, false)()
      const current = found && E.isRight(found) ? found.right.manager : undefined
      return reply.headers(NO_STORE).send(encodeShownLink(shown.right, current))
    },
  })
}

const addSignOut = (
  app: FastifyInstance,
  { sessions }: Pick<Ports, 'sessions'>,
  parts: SessionParts,
): void => {
  const { signOut } = OWN_SESSIONS
  addRoute(app, {
    method: signOut.method,
    url: signOut.path,
    ...sessionHooks(parts, signOut),
    handler: async (request, reply) => {
      const ended = await sessions.end(sessionOf(request).session.digest)()
      if (E.isLeft(ended)) return respondWithProblem(request, reply, busy(ended.left.cause))
      return reply.headers({ ...NO_STORE, 'Set-Cookie': clearedCookie(parts.baseUrl()) }).send()
    },
  })
}

/** Returns the work of the routes by which a manager chooses language and time zone of the pages (M2). It returns the session. */
const makeChoose =
  ({ clock, managers }: Pick<Ports, 'clock' | 'managers'>, policy: Policy) =>
  (active: ActiveSession, choice: ManagerChange): TE.TaskEither<UseCaseFailure, unknown> => {
    const act = { actor: personActor(active.number), action: 'change-manager', at: clock.now() } as const
    return pipe(
      managers.change(active.manager.email, choice, { by: active.session.digest, act }),
      TE.map((manager) => encodeSession({ ...active, manager }, policy)),
      TE.mapError((failure) => (failure._tag === 'ManagerNotFound' ? NO_ACTIVE_SESSION : failure)),
    )
  }

/** Adds the routes that open, show, change and end a session, and those of all sessions of the same manager (M2 to M4). */
export const addSessionRoutes = (
  app: FastifyInstance,
  ports: Needs,
  policy: Policy,
  parts: SessionParts,
): void => {
  addSignIn(app, ports, policy, parts)
  addShowLink(app, ports, parts)
  addSignOut(app, ports, parts)
  const { show, setLanguage, setTimeZone, list, endOthers } = OWN_SESSIONS
  const [choose, listOwn, endOther] = [
    makeChoose(ports, policy),
    makeListOwnSessions(ports),
    makeEndOtherSessions(ports),
  ]
  addOwn(app, parts, show, (active) => TE.right(encodeSession(active, policy)))
  addOwn(app, parts, setLanguage, (active, { lang }) => choose(active, { lang }))
  addOwn(app, parts, setTimeZone, (active, { timeZone = null }) => choose(active, { timeZone }))
  addOwn(app, parts, list, (active) =>
    pipe(
      listOwn(active),
      TE.map((all) => ({ sessions: all.map(encodeOneSession) })),
    ),
  )
  addOwn(app, parts, endOthers, (active) =>
    pipe(
      endOther(active),
      TE.map((ended) => ({ ended })),
    ),
  )
}
