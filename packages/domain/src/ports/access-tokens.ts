import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Grant, TokenDigest } from '../access/caller.ts'
import type { Scope } from '../access/scopes.ts'
import type { ClientId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** An access token as it is stored: never the token itself (A6). */
export interface StoredToken {
  readonly digest: TokenDigest
  readonly clientId: ClientId
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Instant
  /** Milliseconds from its issue to its end; absent if an earlier version stored it. */
  readonly life?: number
}

/** Access tokens that have been issued: of each its digest, and never the token (A4, A6). */
export interface AccessTokens {
  /** Keeps a token of a known client. */
  add(token: StoredToken): TaskEither<Unavailable, void>
  /**
   * What a token grants at a moment. None when it is unknown, revoked or expired (`expiresAt` itself is too late), was issued by a clock that was
   * ahead (`isInLife`, I9), or its client is disabled. Roles and email are the client's present ones.
   */
  grantOf(digest: TokenDigest, now: Instant): TaskEither<Unavailable, Option<Grant>>
  /** Ends a token of this client and says whether it had one; another client's token stays. */
  revoke(digest: TokenDigest, clientId: ClientId): TaskEither<Unavailable, boolean>
  /** Forgets tokens that expired before a moment, or that a clock which was ahead of it has made (`isInLife`, I9), at most a few thousand; gives how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}
