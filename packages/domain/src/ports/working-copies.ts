import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CopyKey } from '../desk/copy-key.ts'
import type { CopySummary, WorkingCopy } from '../desk/working-copy.ts'
import type { ManagerNotFound } from '../people/manager.ts'
import type { Email } from '../values/addresses.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** What managers have typed and not saved yet (M7). No cache holds anything of it. */
export interface WorkingCopies {
  /**
   * Stores a copy in the place of the one with the same manager and key. Fails with ManagerNotFound for an unknown manager, and with
   * ValidationFailed if it would be one copy too many (`tooManyCopies`).
   */
  put(copy: WorkingCopy): TaskEither<ManagerNotFound | ValidationFailed | Unavailable, void>
  /** Returns a copy of a manager; none for an unknown key. */
  find(email: Email, key: CopyKey): TaskEither<Unavailable, Option<WorkingCopy>>
  /** Returns all copies of a manager without their fields, the latest change first, then by key. */
  of(email: Email): TaskEither<Unavailable, ReadonlyArray<CopySummary>>
  /** Deletes a copy of a manager, if there is one. */
  remove(email: Email, key: CopyKey): TaskEither<Unavailable, void>
  /** Deletes copies that were last changed before a moment, at most some hundreds; returns how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}
