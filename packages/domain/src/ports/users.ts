import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { NoActingUser } from '../people/acting-user.ts'
import type { PreferenceChange, User } from '../people/user.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'

/** The users: whom an email belongs to, in which language and whether at all they want notifications (F1). */
export interface Users {
  /** Returns the user; none for an unknown email. */
  find(email: Email): TaskEither<Unavailable, Option<User>>
  /** Every user by email, in batches, as one consistent snapshot. A fault throws out of the iteration. */
  all(): AsyncIterable<ReadonlyArray<User>>
  /**
   * Changes the preference of a user, who is made if need be (F1, F2), atomically. Gives the user as it is then. A change leaves a record (K1).
   * Fails with NoActingUser if the act depends on a binding that has ended (L1).
   */
  prefer(email: Email, change: PreferenceChange, act?: TimedAct): TaskEither<NoActingUser | Unavailable, User>
  /**
   * Makes or replaces all of these users; of two with the same email the later counts. Each user is written whole. Large imports may
   * take several transactions, so that others are not kept waiting: a fault in between leaves the first of them written, and the
   * same import may be run again. Each transaction that changes users leaves one record (K1).
   */
  putAll(users: ReadonlyArray<User>, act?: TimedAct): TaskEither<Unavailable, void>
}
