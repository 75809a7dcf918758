import type { ClientId, Email, IdempotencyKey, Instant } from '@almoner/domain'

/** The first use of a key, and what was answered; `email` is whose address or device token the answer holds. */
export interface IdempotencyKeyRow {
  readonly client_id: ClientId
  readonly key: IdempotencyKey
  readonly digest: string
  readonly used_at: Instant
  readonly email: Email | null
  readonly status: number
  readonly content_type: string | null
  readonly etag: string | null
  readonly body: string
}

/** The table of idempotency keys, by name. */
export interface IdempotencyTables {
  readonly idempotency_key: IdempotencyKeyRow
}
