import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PasswordNotFound, StoredPassword } from '../access/password.ts'
import type { TimedAct } from '../history/act.ts'
import type { Email } from '../values/email.ts'
import type { Instant } from '../values/instant.ts'
import type { TokenDigest } from './secrets.ts'
import type { Unavailable } from './unavailable.ts'

/** A change of a password: another hash, or other recovery codes. */
export type PasswordChange =
  | Pick<StoredPassword, 'hash' | 'changedAt'>
  | Pick<StoredPassword, 'recoveryCodes'>

/** What a sign-in uses up: the step of a code, or a recovery code. */
export type UsedCode = { readonly step: number } | { readonly recoveryCode: TokenDigest }

/** What goes with a change. */
export interface PasswordOptions {
  /** The session that stays when the others end. */
  readonly except?: TokenDigest
  /** Leaves a record, in which the manager is a number (K1). */
  readonly act?: TimedAct
}

/** The passwords of managers, with their second factors (M3). Setting, changing and removing one ends the manager's sessions (M4). */
export interface Passwords {
  /** Stores the password of a known manager, in place of an earlier one. */
  set(password: StoredPassword, options?: PasswordOptions): TaskEither<Unavailable, void>
  /** Returns the password of a manager. */
  find(email: Email): TaskEither<Unavailable, Option<StoredPassword>>
  /** Returns the managers who have a password. */
  owners(): TaskEither<Unavailable, ReadonlySet<Email>>
  /** Changes the hash, which ends sessions, or replaces the recovery codes, which does not. */
  change(
    email: Email,
    change: PasswordChange,
    options?: PasswordOptions,
  ): TaskEither<PasswordNotFound | Unavailable, void>
  /**
   * Notes a sign-in, and uses its code up. Returns false, and changes nothing, if the step is not after the last used one, or the recovery code
   * is not among those left. Of several uses at a time, one gets it.
   */
  use(email: Email, code: UsedCode, at: Instant): TaskEither<Unavailable, boolean>
  /** Deletes the password of a manager. */
  remove(email: Email, options?: PasswordOptions): TaskEither<PasswordNotFound | Unavailable, void>
}
