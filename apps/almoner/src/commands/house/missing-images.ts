import { type Failure, failed } from '../../failure.ts'
import { ArchiveFault } from './archive-fault.ts'
import { MISSING } from './format.ts'

/** Images that are named in one message at most. */
const NAMED = 20

/** Names images in a message, as many as anybody wants to read. */
export const namesText = (paths: ReadonlyArray<string>): string =>
  paths.length <= NAMED
    ? paths.join(', ')
    : `${paths.slice(0, NAMED).join(', ')} and ${paths.length - NAMED} more`

const countText = ({ length }: ReadonlyArray<string>): string =>
  length === 1 ? '1 image' : `${length} images`

/** Makes the content of the entry that lists the images an archive lacks. */
export const missingBytes = (paths: ReadonlyArray<string>): Buffer =>
  Buffer.from(`${JSON.stringify(paths, null, 2)}\n`)

/**
 * Reads the list of images that an archive lacks.
 * @throws ArchiveFault when it is not such a list
 */
export const readMissing = (bytes: Buffer): ReadonlySet<string> => {
  try {
    const paths: unknown = JSON.parse(bytes.toString())
    if (Array.isArray(paths)) return new Set(paths.map(String))
  } catch {}
  throw new ArchiveFault(`has a ${MISSING} that is not a list`)
}

/** What is wrong although an archive was written: undefined when no image is missing. */
export const missingFailure = (paths: ReadonlyArray<string>): Failure | undefined =>
  paths.length === 0
    ? undefined
    : failed(
        `missing from the media store: ${countText(paths)}: ${namesText(paths)}`,
        'all the rest was written; the archive lists them too',
      )

/** Tells whoever takes an archive in which images it lacks; no line when it has all. */
export const missingText = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.length === 0 ? [] : [`missing when the archive was written: ${countText(paths)}: ${namesText(paths)}`]
