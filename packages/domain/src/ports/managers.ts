import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../history/act.ts'
import type {
  Manager,
  ManagerChange,
  ManagerExists,
  ManagerNotFound,
  NumberedManager,
} from '../people/manager.ts'
import type { Email } from '../values/email.ts'
import type { Unavailable } from './unavailable.ts'

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
   * Changes a manager. Disabling and a change of duty delete the manager's sessions and one-time secrets in the same transaction
   * (`endsSessions`, M4).
   */
  change(
    email: Email,
    change: ManagerChange,
    act?: TimedAct,
  ): TaskEither<ManagerNotFound | Unavailable, Manager>
}
