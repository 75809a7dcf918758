import { ArchiveFault } from './archive-fault.ts'
import type { ArchiveReader, Entry } from './archive-reader.ts'
import { checkedEntries } from './checked-entries.ts'
import type { Faults } from './faults.ts'
import { DATABASE, imageOf, MISSING } from './format.ts'
import { readManifest, refuseNewer } from './manifest.ts'
import { readMissing } from './missing-images.ts'

/** What a backup holds. */
export interface Backup {
  readonly database: Entry
  /** The names of the entries that are images. */
  readonly images: ReadonlySet<string>
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlySet<string>
}

/**
 * Goes through a backup from end to end: that it is whole, undamaged and of no newer program. Throws {@link ArchiveFault} where it
 * cannot go on.
 * @param told hears how many bytes are done
 */
export const verifyBackup = async (
  reader: ArchiveReader,
  faults: Faults,
  told: (bytes: number) => void,
): Promise<Backup> => {
  const images = new Set<string>()
  let database: Entry | undefined
  let missing: ReadonlySet<string> = new Set()
  let isFirst = true
  for await (const { name, size, at, bytes } of checkedEntries(reader, faults.inside)) {
    if (isFirst) refuseNewer(readManifest('backup', name, bytes))
    else if (imageOf(name) !== undefined) images.add(name)
    else if (name === MISSING) missing = readMissing(bytes)
    else if (name === DATABASE && database === undefined) database = { name, size, at }
    else throw new ArchiveFault(`holds ${name} where it should not be`)
    isFirst = false
    told(at)
  }
  if (database === undefined) throw new ArchiveFault(`lacks ${DATABASE}`)
  return { database, images, missing }
}
