import { mergedNames } from '../schema/migrations/0017-initial.ts'
import { MIGRATIONS } from '../schema/migrations/list.ts'
import { isTranslated, presentCounts } from './earlier-schemas.ts'
import { ArchiveError } from './errors.ts'
import { MANIFEST, MISSING, VERSION } from './format.ts'
import type { VerifiedEntry } from './verify-entries.ts'

const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(({ name }) => name)

/** What an archive holds: rows of tables, or a SQLite database. */
export type Kind = 'export' | 'backup'

/** The first entry of an archive. */
export interface Manifest {
  /** The names of its schema's migrations, in order. */
  readonly schema: ReadonlyArray<string>
  /** The number of rows by table, in an export. */
  readonly rows?: Readonly<Record<string, number>>
}

/** The content of a manifest. */
export const manifestBytes = (kind: Kind, manifest: Manifest): Buffer =>
  Buffer.from(`${JSON.stringify({ format: `almoner-${kind}`, version: VERSION, ...manifest }, null, 2)}\n`)

/** Parses JSON; undefined when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bytes of a manifest: the real ones have about a kilobyte (H4). */
const LARGEST_MANIFEST = 1024 * 1024

const OTHER_KIND: Readonly<Record<Kind, string>> = {
  export: 'is a backup: use almoner restore',
  backup: 'is an export: use almoner import',
}

/** Reads the first entry of an archive; throws {@link ArchiveError} if this program cannot read what follows. */
export const readManifest = (kind: Kind, { name, bytes }: VerifiedEntry): Manifest => {
  if (name !== MANIFEST)
    throw new ArchiveError(`is no archive of Almoner: it does not begin with ${MANIFEST}`)
  if (bytes.length > LARGEST_MANIFEST) throw new ArchiveError(`has a ${MANIFEST} of more than 1 MiB`)
  const parsed = parseJson(bytes.toString())
  if (typeof parsed !== 'object' || parsed === null)
    throw new ArchiveError(`has a ${MANIFEST} that is no JSON`)
  const { format, version, schema, rows = {} } = parsed as Record<string, unknown>
  const other = kind === 'export' ? 'backup' : 'export'
  if (format === `almoner-${other}`) throw new ArchiveError(OTHER_KIND[kind])
  if (format !== `almoner-${kind}`) throw new ArchiveError('is no archive of Almoner')
  if (version !== VERSION)
    throw new ArchiveError(
      `has format ${String(version)}, and this program reads ${VERSION}: use a newer program`,
    )
  if (!Array.isArray(schema)) throw new ArchiveError(`has a ${MANIFEST} that lacks the schema`)
  const applied = mergedNames(schema)
  const isKnown = (migration: string) => MIGRATION_NAMES.includes(migration)
  // An older program may have had another history. Each row is checked against the present columns in any case.
  const isOlder = (migration: string) => kind === 'export' && migration < (MIGRATION_NAMES.at(-1) ?? '')
  const unknown = applied.filter((migration) => !isKnown(migration) && !isOlder(migration))
  if (unknown.length > 0)
    throw new ArchiveError(
      `has the migrations ${unknown.join(', ')}, which this program does not know: use a newer program`,
    )
  return { schema: applied.filter(isKnown), rows: rows as Record<string, number> }
}

/** Returns a manifest under the present names. Rejects a schema whose rows this program cannot translate, and says what to do. */
export const presentManifest = ({ schema, rows = {} }: Manifest): Manifest => {
  const missing = MIGRATION_NAMES.filter((name) => !schema.includes(name))
  if (missing.length === 0) return { schema, rows }
  if (missing.every(isTranslated)) return { schema, rows: presentCounts(rows) }
  throw new ArchiveError(
    `lacks the migrations ${missing.join(', ')}: import it with the program that wrote it, run almoner migrate with this one, and export again`,
  )
}

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
