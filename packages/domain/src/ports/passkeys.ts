import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Passkey, PasskeyId, PasskeyName, PasskeyNotFound, PasskeyNotStored } from '../access/passkey.ts'
import type { TimedAct } from '../history/act.ts'
import type { Email } from '../values/email.ts'
import type { Instant } from '../values/instant.ts'
import type { Unavailable } from './unavailable.ts'

/** The passkeys of managers (M3). A change with an act leaves a record, in which the manager is a number (K1). */
export interface Passkeys {
  /** Stores a passkey of a known manager. Fails with PasskeyNotStored when the id is taken, or the manager has `MOST_PASSKEYS`. */
  add(passkey: Passkey, act?: TimedAct): TaskEither<PasskeyNotStored | Unavailable, void>
  /** Returns a passkey; none for an unknown id. */
  find(id: PasskeyId): TaskEither<Unavailable, Option<Passkey>>
  /** Returns the passkeys of a manager, in the order in which they were added. */
  of(email: Email): TaskEither<Unavailable, ReadonlyArray<Passkey>>
  /** Notes that a passkey was used. Does nothing to an unknown one. */
  use(passkey: Pick<Passkey, 'id' | 'signCount'>, at: Instant): TaskEither<Unavailable, void>
  /** Changes the name of a manager's passkey. */
  rename(
    passkey: { readonly email: Email; readonly id: PasskeyId; readonly name: PasskeyName },
    act?: TimedAct,
  ): TaskEither<PasskeyNotFound | Unavailable, Passkey>
  /** Deletes a manager's passkey. */
  remove(
    passkey: { readonly email: Email; readonly id: PasskeyId },
    act?: TimedAct,
  ): TaskEither<PasskeyNotFound | Unavailable, void>
}
