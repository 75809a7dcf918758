import type { IncomingMessage } from 'node:http'
import type { Caller, Instant, Scope, Unavailable } from '@almoner/domain'
import {
  type AuthenticatedCaller,
  type InvalidToken,
  type Requirement,
  requireScope,
  scopeFor,
} from '@almoner/domain/access'
import { type Clock, unavailable } from '@almoner/domain/ports'
import type { RawParameters } from '@almoner/domain/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  busy,
  type Problem,
  scopeMissing,
  TOKEN_INVALID,
  TOKEN_MISSING,
  TOKEN_REPEATED,
} from '../problems/problem.ts'
import { refuse } from '../problems/send-problem.ts'
import { contextOf, type Look, type RequestContext } from '../request-context.ts'
import { rawOf } from './parameters.ts'

/** The parameter that carries a token (A5). */
export const TOKEN_PARAMETER = 'access_token'

/** Returns the tokens in a query or body (A5). */
export const tokensIn = (source: RawParameters): ReadonlyArray<unknown> => {
  const value = Object.hasOwn(source, TOKEN_PARAMETER) ? source[TOKEN_PARAMETER] : undefined
  if (Array.isArray(value)) return value.length > 1 ? value : [...value, ...value]
  return value === undefined || value === null || value === '' ? [] : [value]
}

/** Returns every Authorization field: of one that comes twice, `headers` has the first only. */
export const authorizationsOf = ({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): ReadonlyArray<string> =>
  headers.authorization === undefined
    ? []
    : rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')

/** Returns the tokens in a request's head: in its Authorization fields, of which there should be one, and its query (A5). */
export const tokensInHead = (
  authorizations: ReadonlyArray<string>,
  query: RawParameters,
): ReadonlyArray<unknown> => {
  const bearer = authorizations.flatMap((field) => {
    const match = /^bearer(?: (.*))?$/i.exec(field)
    return match === null ? [] : [(match[1] ?? '').replace(/^ +/, '')]
  })
  return [...bearer, ...tokensIn(query)]
}

/** Returns the one token of a request, or the problem with how it was sent. */
export const oneToken = (tokens: ReadonlyArray<unknown>): E.Either<Problem, string> => {
  if (tokens.length > 1) return E.left(TOKEN_REPEATED)
  const [token] = tokens
  if (token === undefined) return E.left(TOKEN_MISSING)
  return typeof token === 'string' ? E.right(token) : E.left(TOKEN_INVALID)
}

/** Finds the caller behind a token. */
export type Authenticate = (token: string) => TE.TaskEither<InvalidToken | Unavailable, AuthenticatedCaller>

/** What a route asks of its callers. */
export interface RouteAccess {
  readonly method: string
  readonly access: Requirement
}

/** The looks at the caller of a route. Each notes the caller of the request, or sends a problem. */
export interface CallerLooks {
  /** Looks before the body is read, to reject early. It cannot know of a token in the body. */
  readonly atHead: Look
  /** Looks into the store once the body is read, just before the use case runs. This look decides (A9). */
  readonly atUse: Look
}

/** The way in which the routes of an API find their callers. */
export type CallerSource = (route: RouteAccess) => CallerLooks

/** What a look finds. */
interface FoundCaller extends Partial<RequestContext> {
  readonly caller: AuthenticatedCaller
}

/** Finds the caller of a request, or the problem with it. */
export type FindCaller = (request: FastifyRequest) => Promise<E.Either<Problem, FoundCaller>>

/** As {@link FindCaller}; undefined while the request has not shown who sends it. */
export type FindEarly = (request: FastifyRequest) => Promise<E.Either<Problem, FoundCaller | undefined>>

const holdsAll = <A>(held: ReadonlySet<A>, wanted: ReadonlySet<A>): boolean =>
  [...wanted].every((one) => held.has(one))

/** Looks a caller up again for work that takes long: it must be the same, with no right less. */
const confirmBy =
  (
    find: FindCaller,
    request: FastifyRequest,
    { clientId, scopes, roles }: Caller,
  ): NonNullable<Caller['confirm']> =>
  async () => {
    const found = await find(request)
    if (E.isRight(found)) {
      const { caller } = found.right
      const isSame =
        caller.clientId === clientId && holdsAll(caller.scopes, scopes) && holdsAll(caller.roles, roles)
      return isSame ? E.right(undefined) : E.left({ _tag: 'RightsEnded', reason: TOKEN_INVALID })
    }
    const { cause, code } = found.left
    return E.left(code === 'unavailable' ? unavailable(cause) : { _tag: 'RightsEnded', reason: found.left })
  }

/** Makes the looks at callers from how they are found: early, at the head, and in the store. */
export const makeLooks = (early: FindEarly, inStore: FindCaller, clock: Pick<Clock, 'now'>): CallerLooks => {
  const look =
    (find: FindEarly): Look =>
    async (request, reply) => {
      const found = await find(request)
      if (E.isLeft(found)) return refuse(request, reply, found.left)
      if (found.right === undefined) return true
      Object.assign(contextOf(request), found.right, { lookedUpAt: clock.now(), lookAgain: atUse })
      return true
    }
  const atUse = look(async (request) =>
    E.map((found: FoundCaller) => ({
      ...found,
      caller: { ...found.caller, confirm: confirmBy(inStore, request, found.caller) },
    }))(await inStore(request)),
  )
  return { atHead: look(early), atUse }
}

/** Milliseconds for which a read may wait. Ended rights must count everywhere within five seconds (A6, M4). */
const LONGEST_WAIT = 2000

/**
 * Looks a caller up again if the last look is more than two seconds old, as after a wait for a snapshot. Call it when the response to a read
 * is ready, before any of it is sent (A9).
 */
export const lookIfLate = async (
  request: FastifyRequest,
  reply: FastifyReply,
  now: Instant,
): Promise<boolean> => {
  const { lookedUpAt = now, lookAgain } = contextOf(request)
  return lookAgain !== undefined && now - lookedUpAt > LONGEST_WAIT ? lookAgain(request, reply) : true
}

const headTokens = (request: FastifyRequest): ReadonlyArray<unknown> =>
  tokensInHead(authorizationsOf(request.raw), rawOf(request.query))

/** Returns all tokens of a request: one may come in one place only (A5). */
const allTokens = (request: FastifyRequest): ReadonlyArray<unknown> => [
  ...headTokens(request),
  ...tokensIn(rawOf(request.body)),
]

/** The parts that find callers by their access tokens. */
interface TokenParts {
  /** Finds callers at the head of requests. It may use a cache. */
  readonly authenticate: Authenticate
  /** Finds callers in the store. */
  readonly authenticateInStore: Authenticate
  readonly clock: Clock
  /** Names the callers of an application that signs its users in itself; undefined where a token is needed. */
  readonly named?: ((request: FastifyRequest, scope: Scope) => ReturnType<FindEarly>) | undefined
}

/** Finds the caller of a request's one token. */
const findBy =
  (
    find: Authenticate,
    tokensOf: (request: FastifyRequest) => ReadonlyArray<unknown>,
    access: Requirement,
  ): FindCaller =>
  async (request) => {
    const token = oneToken(tokensOf(request))
    if (E.isLeft(token)) return token
    const found = await find(token.right)()
    if (E.isLeft(found))
      return E.left(found.left._tag === 'InvalidToken' ? TOKEN_INVALID : busy(found.left.cause))
    const caller = found.right
    const scope = scopeFor(access, caller)
    return E.isLeft(requireScope(scope)(caller)) ? E.left(scopeMissing(scope)) : E.right({ caller })
  }

/**
 * Finds callers by their access tokens (A5), unless the application names them. Rejects invalid tokens in header or query before the body is read,
 * and missing tokens of requests that have no body.
 */
export const tokenCallers =
  ({ authenticate, authenticateInStore, clock, named }: TokenParts): CallerSource =>
  ({ method, access }) => {
    const orNamed =
      <A>(find: (request: FastifyRequest) => Promise<E.Either<Problem, A>>) =>
      async (request: FastifyRequest): Promise<E.Either<Problem, A | FoundCaller>> => {
        const found = await named?.(request, access.scope)
        if (found !== undefined && (E.isLeft(found) || found.right !== undefined))
          return found as E.Either<Problem, FoundCaller>
        return find(request)
      }
    const byHead = findBy(authenticate, headTokens, access)
    const early: FindEarly = async (request) =>
      method !== 'GET' && headTokens(request).length === 0 ? E.right(undefined) : byHead(request)
    return makeLooks(orNamed(early), orNamed(findBy(authenticateInStore, allTokens, access)), clock)
  }
