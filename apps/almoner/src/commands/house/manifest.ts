import { HOUSE_TABLES } from '@almoner/adapters-kysely'
import { MIGRATION_NAMES } from '../../compose.ts'
import { ArchiveFault } from './archive-fault.ts'
import { type Kind, MANIFEST, VERSION } from './format.ts'

/** Rows by table. */
export type Counts = Readonly<Record<string, number>>

/** What an archive says of itself at its beginning. */
export interface Manifest {
  /** The names of its schema's migrations, in order. */
  readonly schema: ReadonlyArray<string>
  /** Rows by table; an export's alone. */
  readonly rows: Counts
}

const formatOf = (kind: Kind): string => `almoner-${kind}`

/** The first entry of an archive. */
export const manifestBytes = (kind: Kind, { schema, rows }: Manifest): Buffer => {
  const counts = kind === 'export' ? { rows } : {}
  return Buffer.from(
    `${JSON.stringify({ format: formatOf(kind), version: VERSION, schema, ...counts }, null, 2)}\n`,
  )
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const parsed = (bytes: Buffer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw new ArchiveFault(`has a ${MANIFEST} that is no JSON`)
}

const OTHER: Readonly<Record<Kind, string>> = {
  export: 'is a backup: use almoner restore',
  backup: 'is an export: use almoner import',
}

const countsOf = (rows: unknown): Counts => {
  const counts = typeof rows === 'object' && rows !== null ? (rows as Record<string, unknown>) : {}
  return Object.fromEntries(HOUSE_TABLES.map(({ name }) => [name, Number(counts[name])]))
}

/** Reads the first entry of an archive; {@link ArchiveFault} when this program cannot read what follows. */
export const readManifest = (kind: Kind, name: string, bytes: Buffer): Manifest => {
  if (name !== MANIFEST)
    throw new ArchiveFault(`is no archive of Almoner: it does not begin with ${MANIFEST}`)
  const { format, version, schema, rows } = parsed(bytes)
  const other = kind === 'export' ? 'backup' : 'export'
  if (format === formatOf(other)) throw new ArchiveFault(OTHER[kind])
  if (format !== formatOf(kind)) throw new ArchiveFault('is no archive of Almoner')
  if (version !== VERSION)
    throw new ArchiveFault(
      `has format ${String(version)}, and this program reads ${VERSION}: use a newer program`,
    )
  if (!isTexts(schema)) throw new ArchiveFault(`has a ${MANIFEST} that lacks the schema`)
  return { schema, rows: countsOf(rows) }
}

/** Refuses a schema that this program does not know. */
export const refuseNewer = ({ schema }: Manifest): void => {
  const unknown = schema.filter((name) => !MIGRATION_NAMES.includes(name))
  if (unknown.length > 0)
    throw new ArchiveFault(
      `has the migrations ${unknown.join(', ')}, which this program does not know: use a newer program`,
    )
}

/** Refuses a schema other than this program's, and says what to do. */
export const refuseOther = (manifest: Manifest): void => {
  refuseNewer(manifest)
  const missing = MIGRATION_NAMES.filter((name) => !manifest.schema.includes(name))
  if (missing.length > 0)
    throw new ArchiveFault(
      `lacks the migrations ${missing.join(', ')}: import it with the program that wrote it, run almoner migrate with this one, and export again`,
    )
}
