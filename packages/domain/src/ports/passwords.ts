import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PasswordNotFound, StoredPassword } from '../access/password.ts'
import type { NoSession } from '../access/session.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { ChangedBy } from './managers.ts'

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
