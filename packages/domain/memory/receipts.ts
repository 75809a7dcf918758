import * as E from 'fp-ts/lib/Either.js'
import {
  type ClientId,
  freeSince,
  type IdempotencyKey,
  type NothingDone,
  type Receipt,
  unavailable,
} from '../src/all.ts'
import type { Tables } from './tables.ts'

/** What a key is stored under: it belongs to its client. */
export const nameOfKey = (clientId: ClientId, key: IdempotencyKey): string => `${clientId} ${key}`

/** Runs a write and keeps its receipt, if it has one and succeeds; `NothingDone` where its key is taken. */
export const withReceipt = <L, A>(
  { keyUses }: Tables,
  receipt: Receipt<A> | undefined,
  write: () => E.Either<L, A>,
): E.Either<L | NothingDone, A> => {
  if (receipt === undefined) return write()
  const { clientId, key, digest, at, about } = receipt
  const name = nameOfKey(clientId, key)
  const before = keyUses.get(name)
  if (before !== undefined && before.at > freeSince(at)) return E.left(unavailable('the key is taken'))
  const written = write()
  if (E.isRight(written))
    keyUses.set(name, { digest, at, about, response: receipt.responseTo(written.right) })
  return written
}
