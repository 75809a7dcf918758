import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Email } from '../values/addresses.ts'
import type { ClientId, DeviceIdentity } from '../values/ids.ts'
import { type Branded, type Refined, refined } from '../values/refined.ts'
import { type Instant, instant, MINUTE } from '../values/time.ts'
import type { Actor, Caller, TokenDigest } from './caller.ts'

/** Every action that an audit record can name (K1). docs/history.md describes them. */
export const ACTIONS = [
  'create',
  'update',
  'upload-image',
  'remove-image',
  'restore',
  'fail-schedule',
  'delete-item',
  'propose',
  'change-proposal',
  'publish-proposal',
  'discard-proposal',
  'attach-label',
  'detach-label',
  'load-labels',
  'link-translation',
  'unlink-translation',
  'confirm-translation',
  'attach-device',
  'detach-device',
  'set-preference',
  'import-users',
  'erase-user',
  'restore-devices',
  'add-manager',
  'change-manager',
  'invite-manager',
  'end-sessions',
  'add-passkey',
  'rename-passkey',
  'remove-passkey',
  'link-identity',
  'unlink-identity',
  'set-password',
  'change-password',
  'renew-recovery-codes',
  'remove-password',
  'make-waiting-feed',
  'remove-waiting-feed',
  'create-notification',
  'change-notification',
  'delete-notification',
  'add-client',
  'rotate-client',
  'disable-client',
  'enable-client',
  'withdraw-client',
  'pause-provider',
  'resume-provider',
  'load-portfolio',
  'import-archive',
] as const
/** One of {@link ACTIONS}. */
export type Action = (typeof ACTIONS)[number]

/** How long an act can be taken back (M12), and how long the images that it released are kept for that (D5). */
export const UNDO_TIME = 60 * MINUTE

/** Who does what: the part of an audit record that a use case knows. */
export interface Act {
  readonly actor: Actor
  readonly action: Action
  /** The user to whom the actor must still be bound when the change commits; absent if the change does not depend on that (L1). */
  readonly boundTo?: Email
  /** The token of a person (A10) that binds the actor to the user in the place of the client. */
  readonly boundBy?: TokenDigest
}

/** An act and its time. A write of an item needs none: the item has it. */
export interface TimedAct extends Act {
  readonly at: Instant
}

/** Who acts and when, where the use case knows what. */
export type ActedBy = Omit<TimedAct, 'action'>

/** A client's name for a request, which makes it safe to repeat (I4). */
export type IdempotencyKey = Branded<string, 'IdempotencyKey'>

const KEY = /^[\x20-\x7e]{1,255}$/

/** Reads an `Idempotency-Key`. */
export const IdempotencyKey: Refined<IdempotencyKey> = refined(
  'IdempotencyKey',
  (text) =>
    KEY.test(text)
      ? E.right(text as IdempotencyKey)
      : E.left('must be 1 to 255 characters of ASCII, 0x20 to 0x7E'),
  {
    type: 'string',
    description:
      'Makes the request safe to repeat: within 24 hours, a request with the same key gets the response of the first one.',
    minLength: 1,
    maxLength: 255,
  },
)

/** Milliseconds for which a key keeps the answer of its request. */
export const KEY_LIFE = 24 * 60 * MINUTE

/** Keys that were first used at this moment or before are free again. */
export const freeSince = (now: Instant): Instant => instant(now - KEY_LIFE)

/** Keys that were first used after this moment were used by a clock that was ahead: no clock frees them in time (I9). */
export const usedAhead = (now: Instant): Instant => instant(now + KEY_LIFE)

/** A response, as it is sent again. */
export interface StoredResponse {
  readonly status: number
  readonly contentType: O.Option<string>
  readonly etag: O.Option<string>
  readonly body: string
}

/** A key with its owner: a client, and for a token of A10 the person too (I4). */
export interface OwnedKey {
  readonly clientId: ClientId
  /** Absent unless the request had a person's token. */
  readonly person?: Email | undefined
  readonly key: IdempotencyKey
}

/** Returns to whom the keys of a caller belong (I4). */
export const keyOwner = ({
  clientId,
  email,
  personToken,
}: Pick<Caller, 'clientId' | 'email' | 'personToken'>): Pick<
  KeyedRequest,
  'clientId' | 'person' | 'personToken'
> =>
  personToken !== undefined && O.isSome(email) ? { clientId, person: email.value, personToken } : { clientId }

/** A request that has a key, and when it came. */
export interface KeyedRequest extends OwnedKey {
  /** The token of the person, without which no key of the person is kept: an erasure ends both (L1). */
  readonly personToken?: TokenDigest | undefined
  /** A digest of all that makes it another request (I4). */
  readonly digest: string
  readonly at: Instant
}

/** What a write leaves in its own transaction, so that a repeat of its request gets the first answer again (I4). */
export interface Receipt<A> extends KeyedRequest {
  /** The user whose address or device token the response holds. */
  readonly about: O.Option<Email>
  /** The device whose token the response holds. It may come to another user, with whom the response goes then, too (L1). */
  readonly device?: DeviceIdentity
  /** The response to a request whose write gives this. Pure: called once for each time that the transaction runs. */
  readonly responseTo: (result: A) => StoredResponse
}

/** A receipt for a write that gives something of which the result is made. */
export const receiptFrom = <A, B>(
  receipt: Receipt<A> | undefined,
  resultOf: (given: B) => A,
): Receipt<B> | undefined =>
  receipt && { ...receipt, responseTo: (given) => receipt.responseTo(resultOf(given)) }

/** A receipt whose response holds the address and a device token of a user. */
export const receiptAbout = <A>(
  receipt: Receipt<A> | undefined,
  email: Email,
  device: DeviceIdentity,
): Receipt<A> | undefined => receipt && { ...receipt, about: O.some(email), device }
