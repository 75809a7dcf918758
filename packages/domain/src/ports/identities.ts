import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Identity, IdentityKey, IdentityNotFound, IdentityNotLinked } from '../access/identity.ts'
import type { NoSession } from '../access/session.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { ChangedBy } from './managers.ts'

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
