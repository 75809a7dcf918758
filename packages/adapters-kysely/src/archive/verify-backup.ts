import type { Archive } from './archive-reader.ts'
import { ArchiveError, type ErrorReport } from './errors.ts'
import { DATABASE, imageOfName, MISSING } from './format.ts'
import { readManifest, readMissing } from './manifest.ts'
import type { OnProgress } from './progress.ts'
import { verifiedEntries } from './verify-entries.ts'

/** What a backup holds besides the database. */
export interface BackupSummary {
  /** The names of the entries of images. */
  readonly images: ReadonlySet<string>
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlySet<string>
}

/** Verifies a backup from start to end: that it is whole, undamaged and of no newer program. */
export const verifyBackup = async (
  archive: Archive,
  report: ErrorReport,
  onProgress: OnProgress,
): Promise<BackupSummary> => {
  const images = new Set<string>()
  const names = new Set<string>()
  let missing: ReadonlySet<string> = new Set()
  for await (const entry of verifiedEntries(archive, report)) {
    const { name, bytes, at } = entry
    if (names.size === 0) readManifest('backup', entry)
    else if (imageOfName(name) !== undefined) images.add(name)
    else if (name === MISSING) missing = readMissing(bytes)
    else if (name !== DATABASE || names.has(name))
      throw new ArchiveError(`holds ${name} where it should not be`)
    names.add(name)
    onProgress('checking', { done: at, total: archive.size, units: 'bytes' })
  }
  if (!names.has(DATABASE)) throw new ArchiveError(`lacks ${DATABASE}`)
  return { images, missing }
}
