import { createHash } from 'node:crypto'
import { UNRELEASED } from '../schema/migrations/adoption.ts'
import { MIGRATIONS } from '../schema/migrations/migrator.ts'
import {
  type Archive,
  bytesOf,
  DATABASE,
  digestLine,
  digestsName,
  END,
  type Entry,
  endBytes,
  MANIFEST,
  MISSING,
  TORN,
  VERSION,
} from './archive.ts'
import { ArchiveError, type ErrorReport } from './errors.ts'

/** An entry whose content was read. That of a database, which may not fit into memory, is left out. */
export interface VerifiedEntry extends Omit<Entry, 'parts'> {
  readonly bytes: Buffer
}

/** Compares the entries of an archive with its lists of digests. */
const makeDigests = (report: ErrorReport) => {
  const all = createHash('sha256')
  let lines: Array<string> = []
  let entries = 0
  let lists = 0
  return {
    nextList: () => digestsName(lists + 1),
    add(name: string, digest: string): void {
      lines.push(digestLine(digest, name))
      entries += 1
    },
    compareList(text: Buffer): void {
      lists += 1
      all.update(text)
      const written = new Set(text.toString().split(/(?<=\n)/))
      const names = lines.filter((line) => !written.has(line)).map((line) => line.slice(66, -1))
      if (names.length === 0 && written.size !== lines.length) names.push('a list of digests')
      for (const name of names) report.inside(`${name} is damaged: its digest is another one`)
      lines = []
    },
    compareEnd(text: Buffer): void {
      if (lines.length > 0 || !endBytes(entries, all.digest('hex')).equals(text))
        report.inside(`${END} does not fit what stands before it`)
    },
  }
}

const read = async (entry: Entry): Promise<{ readonly bytes: Buffer; readonly digest: string }> => {
  const hash = createHash('sha256')
  if (entry.name !== DATABASE) {
    const bytes = await bytesOf(entry)
    return { bytes, digest: hash.update(bytes).digest('hex') }
  }
  for await (const part of entry.parts) hash.update(part)
  return { bytes: Buffer.alloc(0), digest: hash.digest('hex') }
}

/** Reads the entries of an archive and compares their digests. Throws {@link ArchiveError} if the file is no archive or not whole. */
export async function* verifiedEntries(
  { entries }: Archive,
  report: ErrorReport,
): AsyncGenerator<VerifiedEntry, void> {
  const digests = makeDigests(report)
  let isOver = false
  for await (const entry of entries()) {
    if (isOver) throw new ArchiveError(`goes on behind ${END}`)
    const { name, size, at } = entry
    const { bytes, digest } = await read(entry)
    isOver = name === END
    if (isOver) digests.compareEnd(bytes)
    else if (name === digests.nextList()) digests.compareList(bytes)
    else {
      digests.add(name, digest)
      yield { name, size, at, bytes }
    }
  }
  if (!isOver) throw new ArchiveError(TORN)
}

const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(({ name }) => name)

const KNOWN: ReadonlySet<string> = new Set([...MIGRATION_NAMES, ...UNRELEASED.flat()])

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
  const unknown = schema.filter((migration) => !KNOWN.has(migration))
  if (unknown.length > 0)
    throw new ArchiveError(
      `has the migrations ${unknown.join(', ')}, which this program does not know: use a newer program`,
    )
  return { schema, rows: rows as Record<string, number> }
}

/** Throws {@link ArchiveError}, with what to do, if an export has a schema whose rows this program cannot import. */
export const rejectOlder = ({ schema }: Manifest): void => {
  const lacking = (names: ReadonlyArray<string>) => names.filter((name) => !schema.includes(name))
  // Later migrations, and the newer of the unreleased states, only added columns, which presentRow fills.
  const missing = lacking(MIGRATION_NAMES)
  if (missing[0] !== MIGRATION_NAMES[0] || lacking(UNRELEASED[0] ?? []).length === 0) return
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
