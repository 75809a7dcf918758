import { decode, type Instant, type Policy, type Ports, type Unavailable } from '@almoner/domain'
import type { TooManyAttempts } from '@almoner/domain/access'
import {
  type ActiveSession,
  type InvalidLink,
  makeSignOut,
  type OpenedSession,
  type ProviderUnavailable,
  type SignInReason,
  type SignInRefused,
} from '@almoner/domain/managers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { busy, type Problem } from '../problems/problem.ts'
import { problemOf, type UseCaseFailure } from '../problems/problem-of-failure.ts'
import { respondWithProblem } from '../problems/send-problem.ts'
import type { RouteAccess } from '../request/authentication.ts'
import { type AnyParameters, parametersOf } from '../request/parameters.ts'
import { addRoute, recordRefusal } from '../request-context.ts'
import type { RouteDescription } from '../route.ts'
import { encodeSession } from '../serializers/managers.ts'
import { type SessionParts, secretIn, sessionCallers, sessionCookie, sessionOf } from './callers.ts'

/** For responses with secrets. */
export const NO_STORE = { 'Cache-Control': 'no-store' }

const CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="almoner"' }

type SignInFailure = InvalidLink | SignInRefused | ProviderUnavailable | TooManyAttempts | Unavailable

/**
 * Reasons that depend on the identity provider's claims alone. The person may know them: they do not say who is a manager (M3, M11).
 */
const UNVERIFIED: ReadonlyArray<SignInReason> = [
  'no-address',
  'addresses-differ',
  'address-not-verified',
  'verification-not-stated',
]

/** Returns why a sign-in is refused, for the log; undefined for a fault, which is logged by its cause. */
const reasonOf = (failure: SignInFailure): SignInReason | 'too-many-attempts' | undefined => {
  if (failure._tag === 'SignInRefused') return failure.reason
  if (failure._tag === 'InvalidLink') return 'invalid-link'
  return failure._tag === 'TooManyAttempts' ? 'too-many-attempts' : undefined
}

/** Responds to a refused sign-in with its problem, and logs the reason (M11). */
export const refuseSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  failure: SignInFailure,
  now: Instant,
): FastifyReply => {
  const reason = reasonOf(failure)
  if (reason !== undefined) recordRefusal(request, reason)
  return respondWithProblem(request, reply, signInProblem(failure, now))
}

/** Returns the problem of too many wrong attempts (A8). */
export const tooManyAttempts = ({ until }: TooManyAttempts, now: Instant): Problem => ({
  code: 'too_many_requests',
  detail: 'There were too many attempts. Please wait.',
  headers: { 'Retry-After': String(Math.max(1, Math.ceil((until - now) / 1000))) },
})

/** Maps the failure of a sign-in to a problem. */
const signInProblem = (failure: SignInFailure, now: Instant): Problem => {
  switch (failure._tag) {
    case 'InvalidLink':
      return {
        code: 'invalid_link',
        detail: 'This link is unknown, used or expired. Ask for another one.',
        headers: CHALLENGE,
      }
    case 'SignInRefused':
      return UNVERIFIED.includes(failure.reason)
        ? {
            code: 'email_unverified',
            detail:
              'Your identity provider does not confirm your address. Confirm it there, or use another way to sign in.',
            headers: CHALLENGE,
          }
        : {
            code: 'sign_in_refused',
            detail: 'You are not signed in. Try again, or use another way to sign in.',
            headers: CHALLENGE,
          }
    case 'ProviderUnavailable':
      return {
        code: 'sign_in_unavailable',
        detail: 'The identity provider does not answer. Try again, or use another way to sign in.',
        headers: { 'Retry-After': '5' },
        cause: failure.cause,
      }
    case 'TooManyAttempts':
      return tooManyAttempts(failure, now)
    default:
      return busy(failure.cause)
  }
}

/** The parts of a way to sign in. */
export interface SignInParts extends SessionParts {
  readonly ports: Ports
  readonly policy: Policy
}

/** Responds to a sign-in: with the session and its cookie, or with a problem. */
export const respondToSignIn = async (
  {
    ports,
    policy,
    baseUrl,
  }: Pick<SignInParts, 'baseUrl' | 'policy'> & {
    readonly ports: Pick<Ports, 'clock' | 'secrets' | 'sessions'>
  },
  request: FastifyRequest,
  reply: FastifyReply,
  signIn: TE.TaskEither<SignInFailure, OpenedSession>,
): Promise<FastifyReply> => {
  const opened = await signIn()
  if (E.isLeft(opened)) return refuseSignIn(request, reply, opened.left, ports.clock.now())
  // A session that the browser had before ends: its cookie is replaced.
  const earlier = secretIn(baseUrl(), request.headers.cookie)
  if (earlier !== undefined) await makeSignOut(ports)(earlier)()
  return reply
    .headers({ ...NO_STORE, 'Set-Cookie': sessionCookie(baseUrl(), opened.right.secret) })
    .send(encodeSession(opened.right, policy))
}

/** Returns where a request to sign in comes from. */
export const sourceOf = ({ ip, headers }: FastifyRequest) => ({
  address: ip,
  browser: headers['user-agent'] ?? '',
})

type Described<P extends AnyParameters> = Omit<RouteDescription, 'parameters'> & { readonly parameters: P }

/** Returns the hooks by which a route finds its session: at its head, and again before it changes anything (A9). */
export const sessionHooks = (parts: SessionParts, route: RouteAccess) => {
  const { atHead, atUse } = sessionCallers(parts)(route)
  return { onRequest: [atHead], preHandler: route.method === 'GET' ? [] : [atUse] }
}

/** Adds a route that works on the session; presence is checked by the description. */
export const addOwn = <P extends AnyParameters>(
  app: FastifyInstance,
  parts: SessionParts,
  route: Described<P>,
  run: (active: ActiveSession, parameters: t.TypeOf<P>) => TE.TaskEither<UseCaseFailure, unknown>,
): void => {
  const read = decode<t.TypeOf<P>>(route.parameters)
  addRoute(app, {
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    config: { route },
    ...sessionHooks(parts, route),
    handler: async (request, reply) => {
      const sent = read(parametersOf(request, route.parameters))
      if (E.isLeft(sent)) return respondWithProblem(request, reply, problemOf(sent.left))
      const done = await run(sessionOf(request), sent.right)()
      return E.isLeft(done)
        ? respondWithProblem(request, reply, problemOf(done.left))
        : reply.headers(NO_STORE).send(done.right)
    },
  })
}
