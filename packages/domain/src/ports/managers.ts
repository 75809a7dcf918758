import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { TokenDigest } from '../access/caller.ts'
import type { NoSession } from '../access/session.ts'
import type {
  LastOperator,
  Manager,
  ManagerChange,
  ManagerExists,
  ManagerNotFound,
  NumberedManager,
} from '../people/manager.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'

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
