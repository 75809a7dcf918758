import type { IncomingMessage } from 'node:http'
import { type Admitted, type InvalidToken, permit, type Scope, type Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { scopeMissing, TOKEN_INVALID, TOKEN_MISSING, TOKEN_REPEATED } from '../problems/challenge.ts'
import { busy, type Problem } from '../problems/problem.ts'

/** The parameter that carries a token (A5). */
export const TOKEN_PARAMETER = 'access_token'

const inParameter = (place: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => {
  const value = Object.hasOwn(place, TOKEN_PARAMETER) ? place[TOKEN_PARAMETER] : undefined
  if (Array.isArray(value)) return value.length > 1 ? value : [...value, ...value]
  return value === undefined || value === null || value === '' ? [] : [value]
}

/** Every Authorization field: of one that comes twice, `headers` shows the first alone. */
export const authorizationsOf = ({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): ReadonlyArray<string> =>
  headers.authorization === undefined
    ? []
    : rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'authorization')

/** The tokens in a request's Authorization fields, of which there should be one, and its query (A5). */
export const tokensAhead = (
  authorization: ReadonlyArray<string>,
  query: Readonly<Record<string, unknown>>,
): ReadonlyArray<unknown> => {
  const bearer = authorization.flatMap((field) => {
    const match = /^bearer(?: (.*))?$/i.exec(field)
    return match === null ? [] : [(match[1] ?? '').replace(/^ +/, '')]
  })
  return [...bearer, ...inParameter(query)]
}

/** The tokens in a request's body (A5). */
export const tokensInBody = inParameter

/** The one token of a request, or what is wrong with how it was sent. */
export const oneToken = (tokens: ReadonlyArray<unknown>): E.Either<Problem, string> => {
  if (tokens.length > 1) return E.left(TOKEN_REPEATED)
  const [token] = tokens
  if (token === undefined) return E.left(TOKEN_MISSING)
  return typeof token === 'string' ? E.right(token) : E.left(TOKEN_INVALID)
}

const refused = (failure: InvalidToken | Unavailable): Problem =>
  failure._tag === 'InvalidToken' ? TOKEN_INVALID : busy(failure.cause)

/** A caller, if it reaches as far as a route asks (A5). */
export const admitCaller = (scope: Scope, caller: Admitted): E.Either<Problem, Admitted> =>
  E.isLeft(permit(scope)(caller)) ? E.left(scopeMissing(scope)) : E.right(caller)

/** The caller behind a token, if it reaches as far as a route asks (A5). */
export const admit = (
  authenticate: (token: string) => TE.TaskEither<InvalidToken | Unavailable, Admitted>,
  token: string,
  scope: Scope,
): TE.TaskEither<Problem, Admitted> =>
  pipe(
    authenticate(token),
    TE.mapError(refused),
    TE.flatMapEither((caller) => admitCaller(scope, caller)),
  )
