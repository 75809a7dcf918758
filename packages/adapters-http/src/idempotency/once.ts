import type { KeyedRequest, KeyUse, Ports, Receipt, Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../responses/route-response.ts'
import { storedOf } from './stored.ts'

/** The key was used for another request. */
export interface KeyReused {
  readonly _tag: 'KeyReused'
}

/** The first request with the key is still running. */
export interface KeyInUse {
  readonly _tag: 'KeyInUse'
}

const KEY_REUSED: KeyReused = { _tag: 'KeyReused' }
const KEY_IN_USE: KeyInUse = { _tag: 'KeyInUse' }

/** Makes the receipt of a write from how its result is answered. */
export type ReceiptOf = <A>(answer: (result: A) => Answer) => Receipt<A>

/** Runs the work of a request, unless it has been done before: then gives the stored answer (I4). */
export type Once = <L extends { readonly _tag: string }>(
  request: KeyedRequest,
  work: (receiptOf: ReceiptOf) => TE.TaskEither<L, Answer>,
) => TE.TaskEither<L | KeyReused | KeyInUse | Unavailable, Answer>

type Earlier = O.Option<E.Either<KeyReused, Answer>>

const answerOf = (request: KeyedRequest, { digest, response }: KeyUse): E.Either<KeyReused, Answer> =>
  digest === request.digest ? E.right({ kind: 'stored', response }) : E.left(KEY_REUSED)

/**
 * Keeps the keys of requests that run in this process. Two processes learn of each other by the key in the database: the write that comes
 * second waits for the first one's transaction, and is undone.
 */
export const makeOnce = ({ idempotencyKeys }: Pick<Ports, 'idempotencyKeys'>): Once => {
  const running = new Map<string, string>()

  /** What the request that had this key before makes of this one. */
  const earlier = async (request: KeyedRequest): Promise<E.Either<Unavailable, Earlier>> =>
    E.map(O.map((use: KeyUse) => answerOf(request, use)))(
      await idempotencyKeys.find(request.clientId, request.key, request.at)(),
    )

  const run = async <L extends { readonly _tag: string }>(
    request: KeyedRequest,
    work: (receiptOf: ReceiptOf) => TE.TaskEither<L, Answer>,
  ): Promise<E.Either<L | KeyReused | Unavailable, Answer>> => {
    const before = await earlier(request)
    if (E.isLeft(before)) return before
    if (O.isSome(before.right)) return before.right.value
    const outcome = await work((answer) => ({
      ...request,
      about: O.none,
      responseTo: (result) => storedOf(answer(result)),
    }))()
    if (E.isRight(outcome) || outcome.left._tag !== 'Unavailable') return outcome
    // Another process may have used the key meanwhile, so that this write was undone.
    const meanwhile = await earlier(request)
    return E.isRight(meanwhile) && O.isSome(meanwhile.right) ? meanwhile.right.value : outcome
  }

  return (request, work) => async () => {
    const name = `${request.clientId} ${request.key}`
    const other = running.get(name)
    if (other !== undefined) return E.left(other === request.digest ? KEY_IN_USE : KEY_REUSED)
    running.set(name, request.digest)
    try {
      return await run(request, work)
    } finally {
      running.delete(name)
    }
  }
}
