import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Passkey, PasskeyId, PasskeyName, PasskeyNotFound, PasskeyNotStored } from '../access/passkey.ts'
import type { NoSession } from '../access/session.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { ChangedBy } from './managers.ts'

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
