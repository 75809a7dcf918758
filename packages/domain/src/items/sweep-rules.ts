import * as O from 'fp-ts/lib/Option.js'

/** The random identity that a database and its image storage share (D6). */
export type StorageId = string & { readonly StorageId: unique symbol }

/** Stored images of one kind, and how many of them a sweep would delete. */
export interface ImageCount {
  readonly files: number
  readonly orphans: number
}

/** What a sweep has counted before it deletes anything. */
export interface SweepCounts {
  /** Images of library and feed. */
  readonly uploads: ImageCount
  readonly portfolio: ImageCount
  /** Whether the database references any image at all. */
  readonly referencesAny: boolean
}

/** Why a sweep does not run: the storage belongs to another database, the database references no image, or too many images would go. */
export type SweepRefusal = 'other-storage' | 'no-references' | 'too-many-orphans'

/** With fewer files than this, a large share says little. */
const LEAST_FILES = 50

const isTooMany = ({ files, orphans }: ImageCount): boolean => files >= LEAST_FILES && orphans * 5 > files

/**
 * Returns why a sweep with these counts must stop (D6): it would delete more than a fifth of at least 50 images of a kind, or anything
 * on behalf of a database that references no image.
 */
export const sweepRefusal = ({ uploads, portfolio, referencesAny }: SweepCounts): O.Option<SweepRefusal> => {
  if (!referencesAny && uploads.orphans + portfolio.orphans > 0) return O.some('no-references')
  return isTooMany(uploads) || isTooMany(portfolio) ? O.some('too-many-orphans') : O.none
}
