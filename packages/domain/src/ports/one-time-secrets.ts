import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { TokenDigest } from '../access/caller.ts'
import type { ManagerDisabled, ManagerNotFound } from '../people/manager.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** What a one-time secret is good for. */
export type SecretPurpose = 'sign-in' | 'add-passkey' | 'passkey-sign-in' | 'oidc' | 'set-password'

/** A one-time secret as it is stored: its digest, never the secret. */
export interface OneTimeSecret {
  readonly digest: TokenDigest
  readonly purpose: SecretPurpose
  /** The manager whom it is for; none for the challenge of a sign-in, where it is not known yet. */
  readonly email: Option<Email>
  readonly expiresAt: Instant
  /** Milliseconds from its issue to its end; absent if an earlier version stored it. */
  readonly life?: number
}

/** The challenge of a sign-in. */
export type SignInChallenge = Omit<OneTimeSecret, 'email'>

/** A secret for a manager. */
export interface ManagerSecret extends SignInChallenge {
  readonly email: Email
}

/** Secrets that work once, such as those of sign-in links (M2, M3). */
export interface OneTimeSecrets {
  /** Stores the challenge of a sign-in, for a manager who is not known yet. */
  putChallenge(challenge: SignInChallenge): TaskEither<Unavailable, void>
  /**
   * Stores a secret. With an act it leaves a record, in which the manager is a number (K1). The manager is locked: a secret is stored either
   * before its manager is disabled or erased, which then deletes it, or not at all (A9).
   */
  put(
    secret: ManagerSecret,
    act?: TimedAct,
  ): TaskEither<ManagerNotFound | ManagerDisabled | Unavailable, void>
  /** Returns a secret that `take` would return, and leaves it. */
  find(
    digest: TokenDigest,
    purpose: SecretPurpose,
    now: Instant,
  ): TaskEither<Unavailable, Option<OneTimeSecret>>
  /**
   * Deletes a secret and returns it. None when it is unknown, used, for another purpose or expired (`expiresAt` itself is too
   * late), or made by a clock that was ahead (`isInLife`, I9). Of several calls at a time, one gets it.
   */
  take(
    digest: TokenDigest,
    purpose: SecretPurpose,
    now: Instant,
  ): TaskEither<Unavailable, Option<OneTimeSecret>>
  /** Deletes secrets that expired before a moment, or that a clock which was ahead of it has made (`isInLife`, I9), at most a few thousand; returns how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}
