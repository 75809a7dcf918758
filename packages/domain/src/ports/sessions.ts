import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { TokenDigest } from '../access/caller.ts'
import type { ActiveSession, Session } from '../access/session.ts'
import type { SignInProof } from '../access/sign-in-proof.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** The sessions of managers (M4). Nothing of them is cached: an ended session is unknown everywhere at once. */
export interface Sessions {
  /**
   * Stores a session if what a sign-in has checked is still so, in one transaction: the manager is enabled and has this duty, and the credential
   * is the same (M3). Uses up its link or its code; counts a wrong code after a right password, and refuses codes after ten of them (M9).
   * A wrong password takes the same work, and counts nowhere.
   * @returns the number under which the manager's changes are recorded (K1); none if the sign-in is refused
   */
  open(session: Session, proof: SignInProof): TaskEither<Unavailable, Option<number>>
  /** Returns a session with its manager. None when it is unknown, at one of its ends, or its manager is disabled. */
  find(digest: TokenDigest, now: Instant): TaskEither<Unavailable, Option<ActiveSession>>
  /** Returns which of these sessions {@link find} would find at a moment, at most a thousand at a time. */
  current(
    digests: ReadonlyArray<TokenDigest>,
    now: Instant,
  ): TaskEither<Unavailable, ReadonlySet<TokenDigest>>
  /** Notes that a session was used: sets `lastSeenAt` and `idleEndsAt`. Does nothing to an ended session. */
  touch(session: Pick<Session, 'digest' | 'lastSeenAt' | 'idleEndsAt'>): TaskEither<Unavailable, void>
  /** Ends a session, and returns whether there was one. */
  end(digest: TokenDigest): TaskEither<Unavailable, boolean>
  /**
   * Ends all sessions of a manager, or all but one, and returns how many there were. If there were any, an act leaves a record, in which the
   * manager is a number (K1).
   */
  endAll(
    email: Email,
    options?: { readonly except?: TokenDigest; readonly act?: TimedAct },
  ): TaskEither<Unavailable, number>
  /** Returns the sessions of a manager that count at a moment, newest first. */
  of(email: Email, now: Instant): TaskEither<Unavailable, ReadonlyArray<Session>>
  /** Deletes sessions that ended before a moment, or that began or were used in its future (I9), at most a few thousand; returns how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}
