import { ArchiveError } from './errors.ts'
import { MISSING } from './format.ts'
import { parseJson } from './manifest.ts'

/** The greatest number of images that a message names. */
const NAMED = 20

const namesText = (paths: ReadonlyArray<string>): string =>
  paths.length <= NAMED
    ? paths.join(', ')
    : `${paths.slice(0, NAMED).join(', ')} and ${paths.length - NAMED} more`

/** Throws {@link ArchiveError} if images are missing. */
export const rejectMissing = (paths: ReadonlyArray<string>): void => {
  if (paths.length > 0) throw new ArchiveError(`is not written: images are missing: ${namesText(paths)}`)
}

/** The content of the entry that lists missing images. */
export const missingBytes = (paths: ReadonlyArray<string>): Buffer =>
  Buffer.from(`${JSON.stringify(paths, null, 2)}\n`)

/** Reads the entry that lists missing images; throws {@link ArchiveError} if it is no such list. */
export const readMissing = (bytes: Buffer): ReadonlySet<string> => {
  const paths = parseJson(bytes.toString())
  if (!Array.isArray(paths)) throw new ArchiveError(`has a ${MISSING} that is not a list`)
  return new Set(paths.map(String))
}
