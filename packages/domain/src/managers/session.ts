import type { Option } from 'fp-ts/lib/Option.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type AuthenticatedCaller,
  authenticatedCallerOf,
  personActor,
  type TokenDigest,
} from '../access/caller.ts'
import { DUTIES, type Duty } from '../access/duties.ts'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import { addMillis, type Instant, instant, isFarAhead, MINUTE, SECOND } from '../values/time.ts'
import type { IdentityKey, Passkey, PasswordHash, StoredPassword } from './credentials.ts'
import type { Manager } from './model.ts'

/** A manager's session as it is stored: the digest of its secret, never the secret (M4). */
export interface Session {
  readonly digest: TokenDigest
  readonly email: Email
  readonly openedAt: Instant
  readonly lastSeenAt: Instant
  /** When the session ends unless it is used before. */
  readonly idleEndsAt: Instant
  /** When the session ends at the latest. */
  readonly endsAt: Instant
  /** When the person last proved presence (M4). */
  readonly confirmedAt: Instant
  /** The browser's own name for itself, shortened. */
  readonly browser: string
}

/** A session that counts, and its manager. */
export interface ActiveSession {
  readonly session: Session
  readonly manager: Manager
  /** The number under which the manager's changes are recorded (K1). */
  readonly number: number
}

/** The session is unknown or has ended, or its manager is disabled (M4). */
export interface NoSession {
  readonly _tag: 'NoSession'
}

/** The one {@link NoSession}. */
export const NO_ACTIVE_SESSION: NoSession = { _tag: 'NoSession' }

/** How long sessions live, in seconds (M4). */
export interface SessionLife {
  readonly sessionIdle: number
  readonly sessionLife: number
}

/** The most characters of a browser's name that are stored. */
const BROWSER = 200

const idleEnd = (now: Instant, endsAt: Instant, { sessionIdle }: SessionLife): Instant =>
  instant(Math.min(addMillis(now, sessionIdle * SECOND), endsAt))

/**
 * Returns a session that begins now. Signing in proves presence, unless `confirmedAt` says when the person last did; it is never later than now.
 */
export const newSession = (
  given: Pick<Session, 'digest' | 'email' | 'browser'> & Partial<Pick<Session, 'confirmedAt'>>,
  now: Instant,
  life: SessionLife,
): Session => {
  const { digest, email, browser } = given
  const confirmedAt = instant(Math.min(given.confirmedAt ?? now, now))
  const endsAt = addMillis(now, life.sessionLife * SECOND)
  const idleEndsAt = idleEnd(now, endsAt, life)
  return {
    ...{ digest, email, openedAt: now, lastSeenAt: now, idleEndsAt, endsAt, confirmedAt },
    browser: browser.slice(0, BROWSER),
  }
}

/** Returns the session as used now; none if it was noted less than a minute ago, so that not every request writes. */
export const usedSession = (session: Session, now: Instant, life: SessionLife): O.Option<Session> =>
  now - session.lastSeenAt < MINUTE
    ? O.none
    : O.some({ ...session, lastSeenAt: now, idleEndsAt: idleEnd(now, session.endsAt, life) })

/**
 * Returns whether a session counts at a moment; both ends themselves are too late (M4). One that was opened or used by a clock that was ahead has
 * ended, since its ends lie further away than it was given (I9).
 */
export const isCurrentSession = (session: Session, now: Instant): boolean =>
  now < session.idleEndsAt &&
  now < session.endsAt &&
  !isFarAhead(session.openedAt, now) &&
  !isFarAhead(session.lastSeenAt, now)

/**
 * Returns the client of a manager's sessions: idempotency keys and limits, which count by client, then count by manager (A8, I4). No registered
 * client can have this identifier, because it has a colon.
 */
const clientOf = (number: number): ClientId => `console:${number}` as ClientId

/** Returns the caller that a session stands for, with the scopes and roles of the manager's duty (M2). */
export const callerOfSession = ({ session, manager, number }: ActiveSession): AuthenticatedCaller => ({
  ...authenticatedCallerOf({
    clientId: clientOf(number),
    ...DUTIES[manager.duty],
    email: O.some(manager.email),
    expiresAt: session.idleEndsAt,
    issuedAt: session.lastSeenAt,
  }),
  actor: personActor(number),
  confirmedAt: session.confirmedAt,
  session: session.digest,
})

/** What a code uses up: the step of a code, or a recovery code. */
export type UsedCode = { readonly step: number } | { readonly recoveryCode: TokenDigest }

/** The parts of a password that a code is compared with. */
export type SecondFactors = Pick<StoredPassword, 'totpSecret' | 'usedStep' | 'recoveryCodes'>

/** A credential as a sign-in has checked it. It opens a session only if it is still the same then (M3). */
export type CheckedCredential =
  /** A sign-in link, which opening uses up. */
  | { readonly way: 'link'; readonly link: TokenDigest }
  | { readonly way: 'passkey'; readonly passkey: Pick<Passkey, 'id' | 'publicKey'> }
  | { readonly way: 'oidc'; readonly identity: IdentityKey }
  /** A password, right if it has a hash, and a code that is compared when the session opens, so that wrong ones count (M9). */
  | {
      readonly way: 'password'
      readonly hash: Option<PasswordHash>
      /** Returns what the code uses up, if it is right. Pure: it may be called again. */
      readonly usedBy: (factors: Option<SecondFactors>) => Option<UsedCode>
    }

/** What a sign-in has found out: a credential, and the duty of its manager (M2). */
export interface SignInProof {
  readonly duty: Duty
  readonly credential: CheckedCredential
}
