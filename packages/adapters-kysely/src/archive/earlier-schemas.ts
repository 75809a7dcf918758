import { EARLIER_COLUMNS, EARLIER_TABLES } from '../schema/migrations/earlier-names.ts'
import { TRANSFER_TABLES } from '../transfer/load.ts'

/** Migrations after which an export of the schema before can still be imported: they renamed tables and columns, or added them. */
const TRANSLATED: ReadonlySet<string> = new Set([
  '0018-plain-names',
  '0019-search',
  '0020-personal-data',
  '0022-console',
  '0023-translation',
  '0024-history',
  '0025-working-copies',
  '0026-passkeys',
  '0027-client-use',
  '0028-manager-time-zone',
  '0029-audit',
  '0030-identities',
  '0031-passwords',
  '0032-audit-filters',
  '0033-wrong-codes',
  '0034-response-tokens',
  '0035-one-address',
  '0036-portfolio-key',
  '0037-origins',
  '0038-composed-ids',
  '0040-lives',
  '0041-planned',
])

/** Whether an export that lacks a migration can be imported. */
export const isTranslated = (migration: string): boolean => TRANSLATED.has(migration)

/** Returns the present name of a table of an export. */
export const presentTable = (name: string): string => EARLIER_TABLES[name] ?? name

/** Columns that later schemas have added, with the value that a row of an earlier export gets. */
const ADDED_COLUMNS: Readonly<Record<string, Readonly<Record<string, null | number | string>>>> = {
  manager: { time_zone: null },
  client_secret: { life: null },
  provider: {
    ...{ unanswered: 0, refusals: 0, backoffs: 0, probes: 0, probe_at: null, probe_delivery: null },
    ...{ probe_device: null, accepted_at: null, accepted_with: null },
    ...{ planned_at: null, override_since: null },
  },
  retry: { refusals: 0, planned_at: null },
  delivery: { shortened: '', counted_from: null },
}

/** Before 0037 devices of Web Push waited for the provider as a whole; now they are due, and wait for their own origins. */
const present = (table: string, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  table === 'retry' && row['held_for'] === 'webpush' ? { ...row, held_for: null, due_at: 0 } : row

/** Returns a parsed row of an export under the present names of its columns. */
export const presentRow = (table: string, row: unknown): unknown => {
  if (typeof row !== 'object' || row === null) return row
  const renamed = EARLIER_COLUMNS[table]
  const named =
    renamed === undefined
      ? row
      : Object.fromEntries(Object.entries(row).map(([name, value]) => [renamed[name] ?? name, value]))
  return present(table, { ...ADDED_COLUMNS[table], ...named })
}

/** Returns the numbers of rows that the manifest of an earlier schema gives, by the present names of tables. New tables have none. */
export const presentCounts = (rows: Readonly<Record<string, number>>): Readonly<Record<string, number>> => ({
  ...Object.fromEntries(TRANSFER_TABLES.map(({ name }) => [name, 0])),
  ...Object.fromEntries(Object.entries(rows).map(([name, count]) => [presentTable(name), count])),
})
