import { hash } from 'node:crypto'
import type { Instant, Unavailable } from '@almoner/domain'
import { checkAccess } from '@almoner/domain/access'
import {
  type ActiveSession,
  callerOfSession,
  NO_ACTIVE_SESSION,
  type NoSession,
} from '@almoner/domain/managers'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { problemOf } from '../problems/problem-of-failure.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { type CallerSource, type FindCaller, makeLooks } from '../request/authentication.ts'
import { CROSS_SITE, isFromOwnPage } from '../request/host-callers.ts'
import { contextOf } from '../request-context.ts'

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/**
 * Returns the name of the session cookie. On https the prefix binds it to this host and to secure connections. Cookies are the same for all ports
 * and paths of a host, so the name differs by port and path of the public URL (M4, M13).
 */
export const cookieNameOf = (baseUrl: string): string => {
  const { port, pathname } = new URL(baseUrl)
  const place = `${port}${pathname.replace(/\/+$/, '')}`
  const ending = place === '' ? '' : `-${hash('sha256', place).slice(0, 8)}`
  return `${isSecure(baseUrl) ? '__Host-' : ''}almoner${ending}`
}

const attributesOf = (baseUrl: string): string =>
  `Path=/; ${isSecure(baseUrl) ? 'Secure; ' : ''}HttpOnly; SameSite=Lax`

/** Returns the `Set-Cookie` of a session (M4). */
export const sessionCookie = (baseUrl: string, secret: string): string =>
  `${cookieNameOf(baseUrl)}=${secret}; ${attributesOf(baseUrl)}`

/** Returns the `Set-Cookie` that removes the session's. */
export const clearedCookie = (baseUrl: string): string =>
  `${cookieNameOf(baseUrl)}=; ${attributesOf(baseUrl)}; Max-Age=0`

const providerNameOf = (baseUrl: string): string => `${cookieNameOf(baseUrl)}-oidc`

/** Returns the `Set-Cookie` of a sign-in that goes on at the identity provider, for some seconds; none to remove it (M3). */
export const providerCookie = (baseUrl: string, secret = '', seconds = 0): string =>
  `${providerNameOf(baseUrl)}=${secret}; ${attributesOf(baseUrl)}; Max-Age=${seconds}`

const valueIn = (name: string, header: string | undefined): string | undefined => {
  const prefix = `${name}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  const [one = ''] = found
  return found.length === 1 && one !== prefix ? one.slice(prefix.length) : undefined
}

/** Returns the session's secret in a `Cookie` field; undefined if there is none, or several, one of which may be another site's. */
export const secretIn = (baseUrl: string, header: string | undefined): string | undefined =>
  valueIn(cookieNameOf(baseUrl), header)

/** As {@link secretIn}, of a sign-in that goes on at the identity provider. */
export const providerSecretIn = (baseUrl: string, header: string | undefined): string | undefined =>
  valueIn(providerNameOf(baseUrl), header)

declare module '../request-context.ts' {
  interface RequestContext {
    /** The session of a request to the console. */
    session?: ActiveSession
  }
}

/** Finds the session behind the secret of a cookie. */
type FindSession = (
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

/** Rejects requests of other sites that would change something (M5). */
export const rejectCrossSite =
  (baseUrl: () => string): onRequestAsyncHookHandler =>
  async (request, reply) =>
    isFromOwnPage(request.raw, baseUrl()) ? undefined : sendProblem(request, reply, CROSS_SITE)

/** Returns the session of a request that has passed {@link sessionCallers}. */
export const sessionOf = (request: FastifyRequest): ActiveSession => {
  const { session } = contextOf(request)
  if (session === undefined) throw new Error('a route of the console ran without a session')
  return session
}

/** Finds callers by the session cookie, and by nothing else: an access token changes nothing here (M5). */
export const sessionCallers =
  ({ findSession, baseUrl, now }: SessionParts): CallerSource =>
  ({ access }) => {
    const findBy =
      (isAttended: (request: FastifyRequest) => boolean): FindCaller =>
      async (request) => {
        const secret = secretIn(baseUrl(), request.headers.cookie)
        const found =
          secret === undefined ? E.left(NO_ACTIVE_SESSION) : await findSession(secret, isAttended(request))()
        if (E.isLeft(found)) return E.left(problemOf(found.left))
        const [session, caller] = [found.right, callerOfSession(found.right)]
        const checked = checkAccess(access, now)(caller)
        return E.isLeft(checked) ? E.left(problemOf(checked.left)) : E.right({ caller, session })
      }
    // The first look has put the idle end off already.
    return makeLooks(
      findBy(({ headers }) => headers[UNATTENDED] !== '?1'),
      findBy(() => false),
      { now },
    )
  }
