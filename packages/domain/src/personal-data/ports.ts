import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Act } from '../access/acts.ts'
import type { InsufficientRole } from '../access/caller.ts'
import type { LastOperator } from '../managers/model.ts'
import type { ChangedBy, ManagerPorts } from '../managers/ports.ts'
import type { NoSession } from '../managers/session.ts'
import type { MediaName } from '../media/model.ts'
import type { UserNotFound } from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { FoundPerson, PersonalRecord } from './model.ts'

/** What personal data and the areas before it ask of the world. */
export interface PersonalDataPorts extends ManagerPorts {
  readonly personalData: PersonalData
}

/** Who erases a person. */
export interface ErasedBy extends Pick<ChangedBy, 'by'> {
  /** Whether managers may be erased (L4): by callers with `super-admin`, and by commands. */
  readonly isOperator: boolean
}

/**
 * The rows of a person are erased, and remains of them may still be in the files of the database (L1). A repeat removes them. `cause` is for the log
 * only.
 */
export interface ErasureUnfinished {
  readonly _tag: 'ErasureUnfinished'
  readonly isDiskFull: boolean
  readonly cause: unknown
}

/** Everything that is stored about people, by their addresses. */
export interface PersonalData {
  /**
   * Erases a person in one transaction (L1): the user, former preferences, seen marks, devices, dead devices, authorship, responses of idempotency
   * keys, and per-device rows of deliveries; clients become unbound. A manager goes with sessions and working copies. Devices without an outcome count as skipped at `now`;
   * the totals of deliveries stay. With an act it leaves a record of the person's number, which nothing links to the person any more (K1).
   * Once it succeeds, the store's files do not hold the address or a device token of the person.
   * Fails with ErasureUnfinished if the data is erased but remains of it may still be in the files: a repeat removes them, and succeeds.
   * Fails with UserNotFound if nothing is stored about the address; of a manager with InsufficientRole unless an operator erases, and with
   * LastOperator if no enabled operator would be left (L4); with NoSession as `Managers.change`. Returns the images that only the person's working
   * copies held (D5): their bytes may be deleted.
   */
  erase(
    email: Email,
    now: Instant,
    act?: Act,
    by?: ErasedBy,
  ): TaskEither<
    UserNotFound | InsufficientRole | LastOperator | NoSession | ErasureUnfinished | Unavailable,
    ReadonlyArray<MediaName>
  >
  /**
   * Returns everything that is stored about a person, as one consistent snapshot (L2). Empty for an unknown address. Outcomes of devices that are
   * detached since are included only while something still links them to the person.
   */
  find(email: Email): TaskEither<Unavailable, PersonalRecord>
  /**
   * Returns the people whose address contains a text, at most `most`: who has exactly this address, then the others by address. These are people
   * who have a preference, bind a client, wrote a post or are managers. A person without a number in the records of changes gets one (K1).
   * @param text in lower case and NFC, as addresses are
   */
  search(text: string, most: number): TaskEither<Unavailable, ReadonlyArray<FoundPerson>>
  /** Returns the address of the person with a number in the records of changes; none for an unknown or erased one. */
  addressOf(number: number): TaskEither<Unavailable, Option<Email>>
}
