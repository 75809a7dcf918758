import type { MediaPorts } from '../media/ports.ts'
import type { CommonPolicy } from '../values/ports.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Clients } from './clients.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'
import type { Secrets } from './secrets.ts'

/** What access and the areas before it ask of the world. */
export interface AccessPorts extends MediaPorts {
  readonly secrets: Secrets
  readonly clients: Clients
  readonly accessTokens: AccessTokens
  readonly failedAttempts: FailedAttempts
  readonly idempotencyKeys: IdempotencyKeys
}

/** What a deployment decides for access and the areas before it. */
export interface AccessPolicy extends CommonPolicy {
  /** How long an access token lives, in seconds (A4). */
  readonly tokenTtl: number
}
