import type { ClientId, Email, Instant } from '@almoner/domain'
import type { IdempotencyKey, TokenDigest } from '@almoner/domain/access'
import type { Flag } from './columns.ts'

/** Scopes and roles are names separated by spaces. */
export interface ClientRow {
  readonly id: ClientId
  readonly name: string
  readonly scopes: string
  readonly roles: string
  readonly email: Email | null
  readonly disabled: Flag
  /** Whether it obtains tokens for people (A10). */
  readonly for_people: Flag
  /** Whether it has no secret; only with `for_people`. */
  readonly public: Flag
  /** The one audience whose ID tokens it takes; null for all. */
  readonly audience: string | null
}

/** `seq` grows with each secret that a client is given. */
export interface ClientSecretRow {
  readonly client_id: ClientId
  readonly seq: number
  readonly hash: string
  readonly until: Instant | null
  /** Milliseconds from its rotation to `until`; null if that is not known. */
  readonly life: number | null
}

interface AccessTokenRow {
  readonly digest: TokenDigest
  readonly client_id: ClientId
  readonly scopes: string
  readonly expires_at: Instant
  /** Milliseconds from its issue to its end; null if an earlier version issued it. */
  readonly life: number | null
  /** The person whose token it is (A10). */
  readonly email: Email | null
}

/** The last use of a client, some minutes late. */
interface ClientUseRow {
  readonly client_id: ClientId
  readonly used_at: Instant
}

/**
 * The first use of a key, and the response; `person` is empty unless the key belongs to a person besides the client, `email` is whose address or device token the response holds, and `token_digest` the digest of that
 * device's identity, which may belong to another user by now.
 */
export interface IdempotencyKeyRow {
  readonly client_id: ClientId
  readonly person: Email | ''
  readonly key: IdempotencyKey
  readonly digest: string
  readonly used_at: Instant
  readonly email: Email | null
  readonly token_digest: string | null
  readonly status: number
  readonly content_type: string | null
  readonly etag: string | null
  readonly body: string
}

/** The tables of clients and what they hold. */
export interface ClientTables {
  readonly client: ClientRow
  readonly client_secret: ClientSecretRow
  readonly client_use: ClientUseRow
  readonly access_token: AccessTokenRow
  readonly idempotency_key: IdempotencyKeyRow
}
