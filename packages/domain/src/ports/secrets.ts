import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TokenDigest } from '../access/caller.ts'
import type { ImageType, MediaName } from '../media/model.ts'
import type { Unavailable } from '../values/ports.ts'

/** How a secret relates to its stored form: `legacy` matches a hash that an earlier version wrote, to be replaced by a digest (A6). */
export type SecretMatch = 'none' | 'digest' | 'legacy'

/** Creates unguessable values, and the digests that are stored instead (A6, D2). */
export interface Secrets {
  /** A fresh client secret or access token: at least 256 random bits, URL-safe text. Never fails. */
  mint(): string
  /** A fresh unguessable name for an image of this type, ending in `.jpg` or `.png` (D2). Never fails. */
  mintMediaName(type: ImageType): MediaName
  /** Returns the digest of a client secret or an access token; equal texts have equal digests. Never fails. */
  digest(secret: string): TokenDigest
  /**
   * Compares a secret with its stored form, a digest in constant time. Unavailable when too many legacy hashes are being checked.
   */
  verify(secret: string, stored: string): TaskEither<Unavailable, SecretMatch>
}
