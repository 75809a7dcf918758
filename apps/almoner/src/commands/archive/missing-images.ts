import type { Printout } from '../../cli/command.ts'
import { failed } from '../../cli/failure.ts'
import { ArchiveError } from './errors.ts'
import { MISSING } from './format.ts'
import { parseJson } from './manifest.ts'

interface Written {
  readonly missing: ReadonlyArray<string>
  readonly bytes: number
}

/** The greatest number of images that a message names. */
const NAMED = 20

const namesText = (paths: ReadonlyArray<string>): string =>
  paths.length <= NAMED
    ? paths.join(', ')
    : `${paths.slice(0, NAMED).join(', ')} and ${paths.length - NAMED} more`

const listText = (paths: ReadonlyArray<string>): string =>
  `${paths.length === 1 ? '1 image' : `${paths.length} images`}: ${namesText(paths)}`

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

/** What a command prints that wrote an archive. It fails if images are missing. */
export const writtenPrintout = <A extends Written>(file: string, text: string, written: A): Printout => ({
  text: `${text} in ${file} (${written.bytes} bytes)`,
  json: { file, ...written },
  failure:
    written.missing.length === 0
      ? undefined
      : failed(
          `missing from the media store: ${listText(written.missing)}`,
          'all the rest was written; the archive lists them too',
        ),
})

/** A line that names the images that an archive lacks, after the text of a command; only the text when there are none. */
export const withMissing = (text: string, paths: ReadonlyArray<string>): string =>
  paths.length === 0 ? text : `${text}\nmissing when the archive was written: ${listText(paths)}`
