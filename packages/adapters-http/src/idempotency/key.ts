import { decode, fault, IdempotencyKey, type Invalid, invalid } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'

/** The header field that carries a key. */
export const KEY_HEADER = 'Idempotency-Key'

/** Reads the key of a request's header field, if any: empty is absent (I4). */
export const readKey = (field: string | undefined): E.Either<Invalid, IdempotencyKey | undefined> =>
  field === undefined || field === ''
    ? E.right(undefined)
    : E.mapLeft(({ faults: [{ message }] }: Invalid) => invalid([fault(KEY_HEADER, message)]))(
        decode(IdempotencyKey)(field),
      )
