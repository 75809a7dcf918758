import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ImageType, MediaName } from '../items/image.ts'
import type { Unavailable } from './unavailable.ts'

/** The digest under which an access token is stored: SHA-256 in lower-case hex (A6). */
export type TokenDigest = string & { readonly TokenDigest: unique symbol }

/** What must not be guessed, and what is stored instead of it (A6, D2). */
export interface Secrets {
  /** A fresh client secret or access token: at least 256 random bits, URL-safe text. Never fails. */
  mint(): string
  /** A fresh unguessable name for an image of this type, ending in `.jpg` or `.png` (D2). Never fails. */
  mintMediaName(type: ImageType): MediaName
  /** The digest of an access token; the same token gives the same digest. Never fails. */
  digest(token: string): TokenDigest
  /** A salted memory-hard hash of a client secret: a new one each time (A6). Unavailable when too many are being made. */
  hash(secret: string): TaskEither<Unavailable, string>
  /** Whether a hash was made from this secret; takes as long for a hash that is not one. Unavailable as `hash`. */
  verify(secret: string, hash: string): TaskEither<Unavailable, boolean>
}
