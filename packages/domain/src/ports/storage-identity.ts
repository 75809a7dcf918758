import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { StorageId, SweepRefusal } from '../items/sweep-rules.ts'
import type { Unavailable } from '../values/ports.ts'

/** The identity of the image storage as the database knows it, and the result of the latest sweep (D6). */
export interface StorageIdentity {
  /** Returns the identity; none before the first use of a storage. */
  find(): TaskEither<Unavailable, Option<StorageId>>
  /** Stores an identity unless there is one. Returns the one that is stored, the same for all who ask at once. */
  establish(id: StorageId): TaskEither<Unavailable, StorageId>
  /** Records why the latest sweep stopped; none when it ran. */
  recordSweep(refusal: Option<SweepRefusal>): TaskEither<Unavailable, void>
  /** Returns why the latest sweep stopped; none when it ran, or before the first. */
  lastRefusal(): TaskEither<Unavailable, Option<SweepRefusal>>
}
