import type { IncomingMessage } from 'node:http'
import type { Caller, Instant, Scope, Unavailable } from '@almoner/domain'
import {
  type AuthenticatedCaller,
  type InvalidToken,
  type Requirement,
  requireScope,
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

/** Looks a caller up again for work that takes long. */
const confirmBy =
  (find: FindCaller, request: FastifyRequest): NonNullable<Caller['confirm']> =>
  async () => {
    const found = await find(request)
    if (E.isRight(found)) return E.right(undefined)
    const { cause } = found.left
    return E.left(cause === undefined ? { _tag: 'RightsEnded', reason: found.left } : unavailable(cause))
  }

/** Makes the looks at callers from how they are found: early, at the head, and in the store. */
export const makeLooks = (early: FindCaller, inStore: FindCaller, clock: Pick<Clock, 'now'>): CallerLooks => {
  const look =
    (find: FindCaller): Look =>
    async (request, reply) => {
      const found = await find(request)
      if (E.isLeft(found)) return refuse(request, reply, found.left)
      Object.assign(contextOf(request), found.right, { lookedUpAt: clock.now(), lookAgain: atUse })
      return true
    }
  const atUse = look(async (request) =>
    E.map((found: FoundCaller) => ({
      ...found,
      caller: { ...found.caller, confirm: confirmBy(inStore, request) },
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
}

/** Finds the caller of a request's one token. */
const findBy =
  (
    find: Authenticate,
    tokensOf: (request: FastifyRequest) => ReadonlyArray<unknown>,
    scope: Scope,
  ): FindCaller =>
  async (request) => {
    const token = oneToken(tokensOf(request))
    if (E.isLeft(token)) return token
    const found = await find(token.right)()
    if (E.isLeft(found))
      return E.left(found.left._tag === 'InvalidToken' ? TOKEN_INVALID : busy(found.left.cause))
    const caller = found.right
    return E.isLeft(requireScope(scope)(caller)) ? E.left(scopeMissing(scope)) : E.right({ caller })
  }

/**
 * Finds callers by their access tokens (A5). Rejects invalid tokens in header or query before the body is read, and missing tokens of requests
 * that have no body.
 */
export const tokenCallers =
  ({ authenticate, authenticateInStore, clock }: TokenParts): CallerSource =>
  ({ method, access: { scope } }) => {
    const { atHead, atUse } = makeLooks(
      findBy(authenticate, headTokens, scope),
      findBy(authenticateInStore, allTokens, scope),
      clock,
    )
    return {
      atHead: async (request, reply) =>
        (method !== 'GET' && headTokens(request).length === 0) || atHead(request, reply),
      atUse,
    }
  }
