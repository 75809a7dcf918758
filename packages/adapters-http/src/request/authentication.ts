import type { IncomingMessage } from 'node:http'
import type { Scope, Unavailable } from '@almoner/domain'
import {
  type AuthenticatedCaller,
  type InvalidToken,
  type Requirement,
  requireScope,
} from '@almoner/domain/access'
import type { RawParameters } from '@almoner/domain/values'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { scopeMissing, TOKEN_INVALID, TOKEN_MISSING, TOKEN_REPEATED } from '../problems/challenge.ts'
import { busy, type Problem } from '../problems/problem.ts'
import { respondWithProblem, sendProblem } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'
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

const headTokens = (request: FastifyRequest): ReadonlyArray<unknown> =>
  tokensInHead(authorizationsOf(request.raw), rawOf(request.query))

/** Lets the caller go on, or sends the reason why not (A5). The reply resolves once the response is sent, so nothing goes on before. */
const authorize = async (
  authenticate: Authenticate,
  scope: Scope,
  [request, reply]: readonly [FastifyRequest, FastifyReply],
  tokens: ReadonlyArray<unknown>,
): Promise<FastifyReply | undefined> => {
  const token = oneToken(tokens)
  if (E.isLeft(token)) return sendProblem(request, reply, token.left)
  const caller = await authenticate(token.right)()
  if (E.isLeft(caller)) {
    const { left } = caller
    return respondWithProblem(request, reply, left._tag === 'InvalidToken' ? TOKEN_INVALID : busy(left.cause))
  }
  if (E.isLeft(requireScope(scope)(caller.right))) return sendProblem(request, reply, scopeMissing(scope))
  contextOf(request).caller = caller.right
  return undefined
}

/** The way in which the routes of an API find their caller. Each hook sets the caller of the request, or sends a problem. */
export interface CallerSource {
  /** Runs before the body is read. */
  readonly onRequest: (needed: Requirement, hasBody: boolean) => onRequestAsyncHookHandler
  /** Runs once the body is read; none if the body never names a caller. */
  readonly preHandler: (needed: Requirement) => ReadonlyArray<onRequestAsyncHookHandler>
}

/** Rejects invalid tokens in header or query before the body is read, and missing tokens of requests that have no body. */
export const authenticateHead =
  (authenticate: Authenticate, scope: Scope, hasBody: boolean): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const tokens = headTokens(request)
    return tokens.length === 0 && hasBody
      ? undefined
      : authorize(authenticate, scope, [request, reply], tokens)
  }

/** Looks for the token in the body as well, once it is read: a token may come in one place only (A5). */
export const authenticateBody =
  (authenticate: Authenticate, scope: Scope): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const inBody = tokensIn(rawOf(request.body))
    return contextOf(request).caller !== undefined && inBody.length === 0
      ? undefined
      : authorize(authenticate, scope, [request, reply], [...headTokens(request), ...inBody])
  }

/** Finds callers by their access tokens (A5). */
export const tokenCallers = (authenticate: Authenticate): CallerSource => ({
  onRequest: ({ scope }, hasBody) => authenticateHead(authenticate, scope, hasBody),
  preHandler: ({ scope }) => [authenticateBody(authenticate, scope)],
})
