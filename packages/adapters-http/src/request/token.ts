import type { IncomingMessage } from 'node:http'
import { type Admitted, type InvalidToken, permit, type Scope, type Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { scopeMissing, TOKEN_INVALID, TOKEN_MISSING, TOKEN_REPEATED } from '../problems/challenge.ts'
import { busy, type Problem } from '../problems/problem.ts'

/** The parameter that carries a token (A5). */
const TOKEN_PARAMETER = 'access_token'

const AUTHORIZATION = 'authorization'

const inParameter = (place: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => {
  const value = Object.hasOwn(place, TOKEN_PARAMETER) ? place[TOKEN_PARAMETER] : undefined
  if (Array.isArray(value)) return value.length > 1 ? value : [...value, ...value]
  return value === undefined || value === null || value === '' ? [] : [value]
}

/** Every Authorization field: of one that comes twice, `headers` would show the first alone. */
export const authorizationsOf = ({
  rawHeaders,
}: Pick<IncomingMessage, 'rawHeaders'>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    // Most names are told by their length.
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) found.push(value)
  }
  return found
}

/** The tokens in a request's Authorization fields, of which there should be one, and its query (A5). */
export const tokensAhead = (
  authorization: ReadonlyArray<string>,
  query: Readonly<Record<string, unknown>>,
): ReadonlyArray<unknown> => {
  const bearer = authorization.flatMap((field) => {
    const match = /^bearer(?: +(.*))?$/i.exec(field)
    return match === null ? [] : [match[1] ?? '']
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

/** The caller behind a token, if it reaches as far as a route asks (A5). */
export const admit = (
  authenticate: (token: string) => TE.TaskEither<InvalidToken | Unavailable, Admitted>,
  token: string,
  scope: Scope,
): TE.TaskEither<Problem, Admitted> =>
  pipe(
    authenticate(token),
    TE.mapError(refused),
    TE.flatMapEither((caller) =>
      pipe(
        permit(scope)(caller),
        E.bimap(
          () => scopeMissing(scope),
          () => caller,
        ),
      ),
    ),
  )
