import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CheckedImage, MediaName } from '../items/image.ts'
import type { StorageId } from '../items/sweep-rules.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** A file as the store holds it. */
export interface StoredFile {
  readonly name: MediaName
  readonly storedAt: Instant
}

/** Where the bytes of images live (D2). */
export interface MediaStore {
  /**
   * Stores an image under a new name. When it succeeds, the bytes are durable. When it fails, it leaves no file, or one with an unused name,
   * which the sweep deletes (D5).
   */
  put(name: MediaName, image: CheckedImage): TaskEither<Unavailable, void>
  /** Deletes a file; one that is not there is no fault. */
  remove(name: MediaName): TaskEither<Unavailable, void>
  /** Every file held, in batches and no order. A fault throws out of the iteration. */
  files(): AsyncIterable<ReadonlyArray<StoredFile>>
  /** Returns the identity of the database that the storage belongs to (D6); none before its first use. The marker is no image. */
  readMarker(): TaskEither<Unavailable, Option<StorageId>>
  /** Stores the identity durably, in place of an earlier one. */
  writeMarker(id: StorageId): TaskEither<Unavailable, void>
}
