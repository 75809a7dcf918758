import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { IdempotencyKey, StoredResponse } from '../idempotency/receipt.ts'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** The first use of a key. */
export interface KeyUse {
  readonly digest: string
  readonly response: StoredResponse
}

/**
 * The keys of requests that wrote something (I4). A key is stored by the write itself, in its transaction, as the write's `Receipt` says. A
 * write whose key is taken fails as `NothingDone`.
 */
export interface IdempotencyKeys {
  /** The use of a client's key, if it is younger than `KEY_LIFE`. */
  find(clientId: ClientId, key: IdempotencyKey, now: Instant): TaskEither<Unavailable, Option<KeyUse>>
  /** Forgets the keys whose response holds an address or a device token of this user (L1); gives how many. */
  forget(email: Email): TaskEither<Unavailable, number>
  /** Forgets keys that are free again, at most a few thousand; gives how many. */
  purge(now: Instant): TaskEither<Unavailable, number>
}
