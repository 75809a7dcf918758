import { createHash } from 'node:crypto'
import { decode, type Ports, type Unavailable, type ValidationFailed } from '@almoner/domain'
import { IdempotencyKey, type KeyedRequest, type Receipt, type StoredResponse } from '@almoner/domain/access'
import type { KeyUse } from '@almoner/domain/ports'
import { fieldError, validationFailed } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { KeyInUse, KeyReused } from './problems/problem-of-failure.ts'
import { TOKEN_PARAMETER } from './request/authentication.ts'
import { JSON_CONTENT, type RouteResponse } from './responses/headers.ts'

/** The header field that carries a key. */
export const KEY_HEADER = 'Idempotency-Key'

/** Reads the key of a request's header field (I4). */
export const readKey = (field: string): E.Either<ValidationFailed, IdempotencyKey> =>
  E.mapLeft(({ errors: [{ message }] }: ValidationFailed) =>
    validationFailed([fieldError(KEY_HEADER, message)]),
  )(decode(IdempotencyKey)(field))

/** The parts of a request by which two requests with one key are the same (I4). */
interface Digested {
  readonly method: string
  /** The route's pattern. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  /** The parameters, decoded, so that their encoding does not count. */
  readonly parameters: unknown
  readonly upload: Uint8Array | undefined
}

/** Sorts the members of objects: their order does not count. */
const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** An absent query comes as one parameter without a name. */
const counts = (name: string): boolean => name !== TOKEN_PARAMETER && name !== ''

/** Returns the digest of a request. Access tokens do not count, wherever they are; a file counts by its content. */
export const digestOf = ({ query, upload, ...rest }: Digested): string => {
  const others = Object.fromEntries(Object.entries(query).filter(([name]) => counts(name)))
  const file = upload === undefined ? null : createHash('sha256').update(upload).digest('hex')
  return createHash('sha256')
    .update(JSON.stringify({ ...rest, query: others, file }, sorted))
    .digest('hex')
}

/** Returns the response to a write, as it is stored. A collection or a file is none: no write returns one. */
const storedOf = (response: RouteResponse): StoredResponse => {
  switch (response.kind) {
    case 'json':
      return {
        status: 200,
        contentType: O.some(JSON_CONTENT),
        etag: O.fromNullable(response.etag),
        body: response.text,
      }
    case 'empty':
      return { status: 200, contentType: O.none, etag: O.none, body: '' }
    case 'stored':
      return response.response
    case 'collection':
    case 'file':
      throw new Error('a write returned a collection or a file')
  }
}

/** Makes the receipt of a write from the function that makes its response. */
type ReceiptOf = <A>(respond: (result: A) => RouteResponse) => Receipt<A>

/** Runs the work of a request once: later requests with the same key get the stored response (I4). */
export type Once = <L extends { readonly _tag: string }>(
  request: KeyedRequest,
  work: (receiptOf: ReceiptOf) => TE.TaskEither<L, RouteResponse>,
) => TE.TaskEither<L | KeyReused | KeyInUse | Unavailable, RouteResponse>

type Earlier = O.Option<E.Either<KeyReused, RouteResponse>>

const replayOf = (request: KeyedRequest, { digest, response }: KeyUse): E.Either<KeyReused, RouteResponse> =>
  digest === request.digest ? E.right({ kind: 'stored', response }) : E.left({ _tag: 'KeyReused' })

/**
 * Tracks the keys of requests that run in this process. Across processes the key in the database decides: the second write waits for the
 * first one's transaction, and is rolled back.
 */
export const makeOnce = ({ idempotencyKeys }: Pick<Ports, 'idempotencyKeys'>): Once => {
  const running = new Map<string, string>()

  /** Looks for an earlier request with the same key. */
  const earlier = async (request: KeyedRequest): Promise<E.Either<Unavailable, Earlier>> =>
    E.map(O.map((use: KeyUse) => replayOf(request, use)))(await idempotencyKeys.find(request, request.at)())

  const run = async <L extends { readonly _tag: string }>(
    request: KeyedRequest,
    work: (receiptOf: ReceiptOf) => TE.TaskEither<L, RouteResponse>,
  ): Promise<E.Either<L | KeyReused | Unavailable, RouteResponse>> => {
    const before = await earlier(request)
    if (E.isLeft(before)) return before
    if (O.isSome(before.right)) return before.right.value
    const outcome = await work((respond) => ({
      ...request,
      about: O.none,
      responseTo: (result) => storedOf(respond(result)),
    }))()
    if (E.isRight(outcome) || outcome.left._tag !== 'Unavailable') return outcome
    // Another process may have used the key meanwhile, so that this write was rolled back.
    const meanwhile = await earlier(request)
    return E.isRight(meanwhile) && O.isSome(meanwhile.right) ? meanwhile.right.value : outcome
  }

  return (request, work) => async () => {
    // Each may contain spaces.
    const name = JSON.stringify([request.clientId, request.person, request.key])
    const other = running.get(name)
    if (other !== undefined) return E.left({ _tag: other === request.digest ? 'KeyInUse' : 'KeyReused' })
    running.set(name, request.digest)
    try {
      return await run(request, work)
    } finally {
      running.delete(name)
    }
  }
}
