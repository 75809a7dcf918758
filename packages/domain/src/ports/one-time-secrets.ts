import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../history/act.ts'
import type { Email } from '../values/email.ts'
import type { Instant } from '../values/instant.ts'
import type { TokenDigest } from './secrets.ts'
import type { Unavailable } from './unavailable.ts'

/** What a one-time secret is good for. */
export type SecretPurpose = 'sign-in' | 'add-passkey' | 'passkey-sign-in' | 'oidc' | 'set-password'

/** A one-time secret as it is stored: its digest, never the secret. */
export interface OneTimeSecret {
  readonly digest: TokenDigest
  readonly purpose: SecretPurpose
  /** The manager whom it is for; none for the challenge of a sign-in, where it is not known yet. */
  readonly email: Option<Email>
  readonly expiresAt: Instant
}

/** Secrets that work once, such as those of sign-in links (M2, M3). */
export interface OneTimeSecrets {
  /** Stores a secret, of a known manager if of any. With an act it leaves a record, in which the manager is a number (K1). */
  put(secret: OneTimeSecret, act?: TimedAct): TaskEither<Unavailable, void>
  /** Returns a secret that `take` would return, and leaves it. */
  find(
    digest: TokenDigest,
    purpose: SecretPurpose,
    now: Instant,
  ): TaskEither<Unavailable, Option<OneTimeSecret>>
  /**
   * Deletes a secret and returns it. None when it is unknown, used, for another purpose or expired (`expiresAt` itself is too
   * late). Of several calls at a time, one gets it.
   */
  take(
    digest: TokenDigest,
    purpose: SecretPurpose,
    now: Instant,
  ): TaskEither<Unavailable, Option<OneTimeSecret>>
  /** Deletes secrets that expired before a moment, at most a few thousand; returns how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}
