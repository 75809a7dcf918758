import { freeSince, type IdempotencyKey, type Receipt } from '@almoner/domain/access'
import { type NothingDone, unavailable } from '@almoner/domain/ports'
import type { ClientId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type { Tables } from './tables.ts'

/** The key of a receipt: a client and its idempotency key. */
export const nameOfKey = (clientId: ClientId, key: IdempotencyKey): string => `${clientId} ${key}`

/** Runs a write and stores its receipt, if it has one and succeeds; `NothingDone` if its key is used. */
export const withReceipt = <L, A>(
  { keyUses }: Tables,
  receipt: Receipt<A> | undefined,
  write: () => E.Either<L, A>,
): E.Either<L | NothingDone, A> => {
  if (receipt === undefined) return write()
  const { clientId, key, digest, at, about, device } = receipt
  const name = nameOfKey(clientId, key)
  const before = keyUses.get(name)
  if (before !== undefined && before.at > freeSince(at)) return E.left(unavailable('the key is taken'))
  const written = write()
  if (E.isRight(written))
    keyUses.set(name, { digest, at, about, device, response: receipt.responseTo(written.right) })
  return written
}
