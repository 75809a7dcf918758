import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { TokenDigest } from '../access/caller.ts'
import type { PreconditionFailed } from '../content/model.ts'
import type { DeliveryPolicy, DeliveryPorts } from '../delivery/ports.ts'
import type { MediaName, StoredImage } from '../media/model.ts'
import type { Email } from '../values/addresses.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type {
  Identity,
  IdentityKey,
  IdentityNotFound,
  IdentityNotLinked,
  Passkey,
  PasskeyId,
  PasskeyName,
  PasskeyNotFound,
  PasskeyNotStored,
  PasswordNotFound,
  StoredPassword,
} from './credentials.ts'
import type {
  LastOperator,
  Manager,
  ManagerChange,
  ManagerDisabled,
  ManagerExists,
  ManagerNotFound,
  NumberedManager,
} from './model.ts'
import type { PreviewToken, PreviewUrl } from './preview.ts'
import type { ActiveSession, NoSession, Session, SignInProof } from './session.ts'
import type { CopyKey, CopySummary, WorkingCopy } from './working-copy.ts'

/** What managers and the areas before it ask of the world. */
export interface ManagerPorts extends DeliveryPorts {
  readonly managers: Managers
  readonly sessions: Sessions
  readonly oneTimeSecrets: OneTimeSecrets
  readonly passkeys: Passkeys
  readonly identities: Identities
  readonly passwords: Passwords
  readonly workingCopies: WorkingCopies
  readonly waitingFeeds: WaitingFeeds
  readonly previewTokens: PreviewTokens
}

/** What a deployment decides for managers and the areas before it. */
export interface ManagerPolicy extends DeliveryPolicy {
  /** How long a session of the console lives without a request, in seconds (M4). */
  readonly sessionIdle: number
  /** How long a session of the console lives at most, in seconds (M4). */
  readonly sessionLife: number
  /** Where the app shows previews; none if it does not (A11). */
  readonly previewUrl: Option<PreviewUrl>
}

/** Who changes a manager, or what signs one in. */
export interface ChangedBy {
  /**
   * The session that makes the change. The change fails with NoSession if it has ended, in the transaction of the change (M4). It goes on when
   * the other sessions of its person end.
   */
  readonly by?: TokenDigest
  /** Leaves a record, in which the manager is a number (K1). */
  readonly act?: TimedAct
}

/** The people who work in the console (M2). A change with an act leaves a record, in which the manager is a number (K1). */
export interface Managers {
  /** Adds a manager. Fails with ManagerExists when the address is taken. */
  add(manager: Manager, act?: TimedAct): TaskEither<ManagerExists | Unavailable, void>
  /** Returns the manager, a disabled one too; none for an unknown address. */
  find(email: Email): TaskEither<Unavailable, Option<Manager>>
  /** Returns every manager, by address. */
  all(): TaskEither<Unavailable, ReadonlyArray<Manager>>
  /** Returns the managers that have a number in the history, in the order of the numbers. Signing in gives one (K1). */
  numbered(): TaskEither<Unavailable, ReadonlyArray<NumberedManager>>
  /**
   * Changes a manager. Disabling and a change of duty delete all of the manager's sessions and one-time secrets in the same transaction
   * (`endsSessions`, M4). Fails with LastOperator if no enabled operator would be left (`isLastOperator`, L4): of two changes at a time that
   * would do so together, one succeeds.
   */
  change(
    email: Email,
    change: ManagerChange,
    by?: ChangedBy,
  ): TaskEither<ManagerNotFound | LastOperator | NoSession | Unavailable, Manager>
}

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

/** The passkeys of managers (M3). */
export interface Passkeys {
  /** Stores a passkey of a known manager. Fails with PasskeyNotStored when the id is taken, or the manager has `MOST_PASSKEYS`. */
  add(passkey: Passkey, by?: ChangedBy): TaskEither<PasskeyNotStored | NoSession | Unavailable, void>
  /** Returns a passkey; none for an unknown id. */
  find(id: PasskeyId): TaskEither<Unavailable, Option<Passkey>>
  /** Returns the passkeys of a manager, in the order in which they were added. */
  of(email: Email): TaskEither<Unavailable, ReadonlyArray<Passkey>>
  /** Notes that a passkey was used. Does nothing to an unknown one. */
  use(passkey: Pick<Passkey, 'id' | 'signCount'>, at: Instant): TaskEither<Unavailable, void>
  /** Changes the name of a manager's passkey. */
  rename(
    passkey: { readonly email: Email; readonly id: PasskeyId; readonly name: PasskeyName },
    by?: ChangedBy,
  ): TaskEither<PasskeyNotFound | NoSession | Unavailable, Passkey>
  /** Deletes a manager's passkey, which ends the manager's other sessions and deletes the manager's one-time secrets (M4). */
  remove(
    passkey: { readonly email: Email; readonly id: PasskeyId },
    by?: ChangedBy,
  ): TaskEither<PasskeyNotFound | NoSession | Unavailable, void>
}

/** A change of a password: another hash, or other recovery codes. */
export type PasswordChange =
  | Pick<StoredPassword, 'hash' | 'changedAt'>
  | Pick<StoredPassword, 'recoveryCodes'>

/**
 * The passwords of managers, with their second factors (M3). `Sessions.open` uses their codes up. Each change ends the manager's other sessions
 * and deletes the manager's one-time secrets, in the same transaction (M4).
 */
export interface Passwords {
  /** Stores the password of a known manager, in place of an earlier one. */
  set(password: StoredPassword, by?: ChangedBy): TaskEither<NoSession | Unavailable, void>
  /** Returns the password of a manager. */
  find(email: Email): TaskEither<Unavailable, Option<StoredPassword>>
  /** Returns the managers who have a password. */
  owners(): TaskEither<Unavailable, ReadonlySet<Email>>
  /** Changes the hash, or replaces the recovery codes. */
  change(
    email: Email,
    change: PasswordChange,
    by?: ChangedBy,
  ): TaskEither<PasswordNotFound | NoSession | Unavailable, void>
  /** Deletes the password of a manager. Wrong codes count on, so that removing it does not end an hour in which codes are refused (M9). */
  remove(email: Email, by?: ChangedBy): TaskEither<PasswordNotFound | NoSession | Unavailable, void>
}

/** The accounts of identity providers that sign managers in (M3). */
export interface Identities {
  /**
   * Links an identity to a manager. Leaves a record `link-identity` of its manager, by number (K1). Fails with IdentityNotLinked when the manager
   * has one, is disabled or unknown, or the identity belongs to a manager.
   */
  link(identity: Identity): TaskEither<IdentityNotLinked | Unavailable, void>
  /** Returns an identity; none for an unknown one. */
  find(key: IdentityKey): TaskEither<Unavailable, Option<Identity>>
  /** Returns the identities of all managers, by address. */
  all(): TaskEither<Unavailable, ReadonlyArray<Identity>>
  /** Returns the identity of a manager, if there is one. */
  of(email: Email): TaskEither<Unavailable, Option<Identity>>
  /** Notes that an identity was used. Does nothing to an unknown one. */
  use(key: IdentityKey, at: Instant): TaskEither<Unavailable, void>
  /** Deletes the identity of a manager, which ends the manager's other sessions and deletes the manager's one-time secrets (M4). */
  unlink(email: Email, by?: ChangedBy): TaskEither<IdentityNotFound | NoSession | Unavailable, void>
}

/** What managers have typed and not saved yet (M7). No cache holds anything of it. */
export interface WorkingCopies {
  /**
   * Stores a copy in the place of the one with the same manager and key. Fails with ManagerNotFound for an unknown manager, and with
   * ValidationFailed if it would be one copy too many (`tooManyCopies`). With `expected`, the moment of the copy that the writer knows, or none
   * for no copy: fails with PreconditionFailed, in its transaction, if there is another one; the new copy is later than the one it replaces.
   * The copy holds the known images that its fields name (`copyImages`), besides all that it held before (D5). Returns the moment of the copy.
   */
  put(
    copy: WorkingCopy,
    expected?: Option<Instant>,
  ): TaskEither<ManagerNotFound | PreconditionFailed | ValidationFailed | Unavailable, Instant>
  /** Returns a copy of a manager; none for an unknown key. */
  find(email: Email, key: CopyKey): TaskEither<Unavailable, Option<WorkingCopy>>
  /** Returns all copies of a manager without their fields, the latest change first, then by key. */
  of(email: Email): TaskEither<Unavailable, ReadonlyArray<CopySummary>>
  /**
   * Stores an image that a working copy shows once its fields name it, and holds it until the copy is removed, whether or not there is a copy yet
   * (D5). If the manager has more than `MOST_COPY_IMAGES`, the oldest that no copy names are released. Returns the images that are forgotten:
   * their bytes may be deleted. Fails with ManagerNotFound for an unknown manager.
   */
  addImage(
    email: Email,
    key: CopyKey,
    image: StoredImage,
    at: Instant,
  ): TaskEither<ManagerNotFound | Unavailable, ReadonlyArray<MediaName>>
  /**
   * Deletes a copy of a manager, if there is one, and releases its images: until an hour after `at` they are known, so that the copy can be stored
   * again (M12). With `expected` as in {@link put}, a copy of another moment stays.
   */
  remove(
    email: Email,
    key: CopyKey,
    at: Instant,
    expected?: Option<Instant>,
  ): TaskEither<PreconditionFailed | Unavailable, void>
  /** Deletes copies that were last changed before a moment, at most some hundreds, and releases their images; returns how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}

/** The private address at which a manager's feed reader asks how many posts wait: the digest of its secret, never the secret (M14). */
export interface WaitingFeed {
  readonly digest: TokenDigest
  readonly email: Email
  readonly madeAt: Instant
}

/** The waiting feeds of managers, one each (M14). Disabling a manager, a change of duty and an erasure delete it in their transaction (`endsSessions`). */
export interface WaitingFeeds {
  /** Stores a feed in place of an earlier one of its manager. Fails with NoSession for a manager who is unknown or disabled, too. */
  put(feed: WaitingFeed, by?: ChangedBy): TaskEither<NoSession | Unavailable, void>
  /** Returns the manager of a feed; none for an unknown digest. */
  find(digest: TokenDigest): TaskEither<Unavailable, Option<Manager>>
  /** Returns the feed of a manager, if there is one. */
  of(email: Email): TaskEither<Unavailable, Option<WaitingFeed>>
  /** Deletes the feed of a manager, if there is one. */
  remove(email: Email, by?: ChangedBy): TaskEither<NoSession | Unavailable, void>
}

/** Tokens by which an app shows one text of one item before readers see it: of each its digest, and never the token (A11). */
export interface PreviewTokens {
  /** Stores a token. It counts for as long as `Sessions.find` finds its session, so nothing else ends it before its time. */
  add(token: PreviewToken): TaskEither<Unavailable, void>
  /** Returns a token that counts at a moment (`isInLife`, I9): `expiresAt` itself is too late. */
  find(digest: TokenDigest, now: Instant): TaskEither<Unavailable, Option<PreviewToken>>
  /** Deletes tokens that expired before a moment, or that a clock which was ahead of it has made (`isInLife`, I9), at most a few thousand; returns how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}
