import * as O from 'fp-ts/lib/Option.js'
import type { Language } from '../values/text.ts'
import type { OrganizationId, PortfolioContent } from './model.ts'
import { type FileRow, fileRow, PORTFOLIO_TABLES, type PortfolioTable } from './source.ts'

/** How many rows of a table a load adds, changes, removes and leaves as they are. */
export interface TableChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly kept: number
}

/** What changes in each table. */
export type PortfolioChanges = Readonly<Record<PortfolioTable, TableChanges>>

/** How a load changes an organization, and in which tables. */
export interface OrganizationChange {
  readonly id: OrganizationId
  /** Its new name; the old one if it is removed. */
  readonly name: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** The tables with changed rows of it. */
  readonly tables: ReadonlyArray<{ readonly table: PortfolioTable } & Omit<TableChanges, 'kept'>>
}

/** A cell that differs, by its column. Undefined where a row has none. */
export interface CellChange {
  readonly column: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** A row that a load adds, changes or removes. */
export interface RowChange {
  readonly table: PortfolioTable
  readonly kind: Kind
  /** That of its organization; of a sector its own. */
  readonly id: string
  readonly lang: O.Option<Language>
  /** The number of a challenge, the year of figures; which one it is of the texts of this language, from 1. */
  readonly number: O.Option<number>
  readonly cells: ReadonlyArray<CellChange>
}

/** What differs between two portfolios, in whichever order their rows are. */
export interface PortfolioComparison {
  readonly changes: PortfolioChanges
  /** By id, without the organizations that stay as they are. */
  readonly organizations: ReadonlyArray<OrganizationChange>
  /** A text that two pairs of portfolios share only if they are the same. */
  readonly fingerprint: string
  readonly isSame: boolean
}

/** Work in pieces. The caller lets other work run at each `yield` (I6). */
type Pieces<A> = Generator<void, A>

/** Rows of a piece: a few milliseconds of work. */
const PIECE = 200

/** Runs work to its end at once. */
const atOnce = <A>(pieces: Pieces<A>): A => {
  for (;;) {
    const step = pieces.next()
    if (step.done) return step.value
  }
}

type Keyed = ReadonlyMap<string, string>
type Digest = (text: string) => string

/** The same text for the same fields, in whichever order an adapter has put them. */
const canonical = (entry: object): string =>
  JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const KEYS: { readonly [T in PortfolioTable]: (row: PortfolioContent[T][number]) => ReadonlyArray<unknown> } =
  {
    sectors: ({ id }) => [id],
    organizations: ({ id }) => [id],
    introductions: ({ organization, lang, rank }) => [organization, lang, rank],
    summaries: ({ organization, lang, rank }) => [organization, lang, rank],
    programs: ({ organization, lang, rank }) => [organization, lang, rank],
    challenges: ({ organization, id, lang }) => [organization, id, lang],
    datasets: ({ organization, year }) => [organization, year],
  }

const comparable = (row: object): object =>
  'sectors' in row && Array.isArray(row.sectors) ? { ...row, sectors: row.sectors.toSorted() } : row

/** Does some work for each value, in pieces. */
function* each<A>(values: Iterable<A>, work: (value: A) => void): Pieces<void> {
  let done = 0
  for (const value of values) {
    work(value)
    done += 1
    if (done % PIECE === 0) yield
  }
}

/** The rows of a table by their keys, as digests, so that the texts of a large portfolio are in memory only once. */
function* keyed(content: PortfolioContent, table: PortfolioTable, digest: Digest): Pieces<Keyed> {
  const keyOf: (row: never) => ReadonlyArray<unknown> = KEYS[table]
  const rows = new Map<string, string>()
  yield* each<object>(content[table], (row) =>
    rows.set(JSON.stringify(keyOf(row as never)), digest(canonical(comparable(row)))),
  )
  return rows
}

type Counts = Omit<TableChanges, 'kept'>
type Kind = keyof Counts

const NONE: Counts = { added: 0, changed: 0, removed: 0 }

/** The numbers of changed rows, of all and by the organization that each key begins with. */
function* compare(before: Keyed, after: Keyed): Pieces<readonly [TableChanges, ReadonlyMap<string, Counts>]> {
  const owners = new Map<string, Counts>()
  const all = { ...NONE, kept: 0 }
  const count = (key: string, kind: Kind): void => {
    const [owner] = JSON.parse(key) as [string]
    const own = owners.get(owner) ?? NONE
    owners.set(owner, { ...own, [kind]: own[kind] + 1 })
    all[kind] += 1
  }
  yield* each(after, ([key, row]) => {
    const old = before.get(key)
    if (old === row) all.kept += 1
    else count(key, old === undefined ? 'added' : 'changed')
  })
  yield* each(before.keys(), (key) => {
    if (!after.has(key)) count(key, 'removed')
  })
  return [all, owners]
}

/** A digest of the rows of a table, in whichever order they are. */
const digestOf = (rows: Keyed, digest: Digest): string =>
  digest(
    [...rows]
      .map(([key, row]) => `${key}${row}`)
      .toSorted()
      .join('\n'),
  )

type OfTables = ReadonlyArray<readonly [PortfolioTable, ReadonlyMap<string, Counts>]>

const namesIn = ({ organizations }: PortfolioContent): ReadonlyMap<string, string> =>
  new Map(organizations.map(({ id, name }) => [id, name]))

const organizationChanges = (
  before: PortfolioContent,
  after: PortfolioContent,
  tables: OfTables,
): ReadonlyArray<OrganizationChange> => {
  const changed = new Set(tables.flatMap(([, owners]) => [...owners.keys()]))
  const [old, next] = [namesIn(before), namesIn(after)]
  return [...changed].toSorted().map((id) => ({
    id: id as OrganizationId,
    name: next.get(id) ?? old.get(id) ?? id,
    kind: old.has(id) ? (next.has(id) ? 'changed' : 'removed') : 'added',
    tables: tables.flatMap(([table, owners]) => {
      const counts = owners.get(id)
      return counts === undefined ? [] : [{ table, ...counts }]
    }),
  }))
}

/**
 * Compares two portfolios in pieces. Digests keep the texts of both from being in memory twice.
 * @param digest gives different texts for different texts; itself the text, where memory does not matter
 */
export function* comparing(
  before: PortfolioContent,
  after: PortfolioContent,
  digest: Digest,
): Pieces<PortfolioComparison> {
  const changes: Array<[PortfolioTable, TableChanges]> = []
  const owned: Array<readonly [PortfolioTable, ReadonlyMap<string, Counts>]> = []
  const digests: Array<string> = []
  for (const table of PORTFOLIO_TABLES) {
    const [old, next] = [yield* keyed(before, table, digest), yield* keyed(after, table, digest)]
    const [counts, owners] = yield* compare(old, next)
    changes.push([table, counts])
    if (table !== 'sectors') owned.push([table, owners])
    digests.push(digestOf(old, digest), digestOf(next, digest))
    yield
  }
  return {
    changes: Object.fromEntries(changes) as PortfolioChanges,
    organizations: organizationChanges(before, after, owned),
    fingerprint: digest(JSON.stringify([before.name, after.name, ...digests])),
    isSame:
      before.name === after.name &&
      changes.every(([, { added, changed, removed }]) => added + changed + removed === 0),
  }
}

/** Compares two portfolios at once, as {@link comparing} does. */
export const comparePortfolios = (
  before: PortfolioContent,
  after: PortfolioContent,
  digest: Digest = (text) => text,
): PortfolioComparison => atOnce(comparing(before, after, digest))

type RowsByKey = ReadonlyMap<string, object>

/** The rows of a table by their owner and key, of some owners. */
const byOwner = (
  table: PortfolioTable,
  content: PortfolioContent,
  owners: ReadonlySet<string>,
): ReadonlyMap<string, RowsByKey> => {
  const keyOf: (row: never) => ReadonlyArray<unknown> = KEYS[table]
  const rows = new Map<string, Map<string, object>>()
  for (const row of content[table]) {
    const [owner, ...rest] = keyOf(row as never)
    if (!owners.has(owner as string)) continue
    const own = rows.get(owner as string) ?? new Map<string, object>()
    rows.set(owner as string, own.set(JSON.stringify(rest), row))
  }
  return rows
}

const cellsOf = (old: FileRow, next: FileRow): ReadonlyArray<CellChange> =>
  [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((column) => !['id', 'sectorId', 'organization', 'lang', 'year'].includes(column))
    .filter((column) => old[column] !== next[column])
    .map((column) => ({ column, before: old[column]?.toString(), after: next[column]?.toString() }))

const rowChange = (
  table: PortfolioTable,
  id: string,
  old: object | undefined,
  next: object | undefined,
): RowChange => {
  const { lang, rank, id: own, year } = { ...old, ...next } as Partial<Record<string, unknown>>
  const number = typeof rank === 'number' ? rank + 1 : table === 'challenges' ? own : year
  const fileRowOf = (row: object | undefined) =>
    row === undefined ? {} : fileRow(table, comparable(row) as never)
  return {
    table,
    kind: old === undefined ? 'added' : next === undefined ? 'removed' : 'changed',
    id,
    lang: O.fromNullable(lang as Language | undefined),
    number: O.fromNullable(number as number | undefined),
    cells: cellsOf(fileRowOf(old), fileRowOf(next)),
  }
}

const NO_ROWS: RowsByKey = new Map()

function* ownChanges(
  table: PortfolioTable,
  id: string,
  before: RowsByKey = NO_ROWS,
  after: RowsByKey = NO_ROWS,
): Generator<RowChange> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(key), after.get(key)]
    if (canonical(comparable(old ?? {})) !== canonical(comparable(next ?? {})))
      yield rowChange(table, id, old, next)
  }
}

function* changesOf(
  before: PortfolioContent,
  after: PortfolioContent,
  tables: ReadonlyArray<PortfolioTable>,
  ids: ReadonlyArray<string>,
): Generator<RowChange> {
  const owners = new Set(ids)
  const all = tables.map(
    (table) => [table, byOwner(table, before, owners), byOwner(table, after, owners)] as const,
  )
  for (const id of owners)
    for (const [table, old, next] of all) yield* ownChanges(table, id, old.get(id), next.get(id))
}

/**
 * Yields the rows that a load adds, changes or removes: sectors first, then those of each organization.
 * @param organizations that the load changes
 */
export function* rowChanges(
  before: PortfolioContent,
  after: PortfolioContent,
  organizations: ReadonlyArray<Pick<OrganizationChange, 'id'>>,
): Generator<RowChange> {
  const sectors = [...before.sectors, ...after.sectors].map(({ id }) => id)
  const others = PORTFOLIO_TABLES.filter((table) => table !== 'sectors')
  yield* changesOf(before, after, ['sectors'], sectors.toSorted())
  yield* changesOf(
    before,
    after,
    others,
    organizations.map(({ id }) => id),
  )
}

/** The files or the portfolio have changed since they were reviewed: the load would do something else than was shown. */
export interface PortfolioChanged {
  readonly _tag: 'PortfolioChanged'
}

/** The one {@link PortfolioChanged}. */
export const PORTFOLIO_CHANGED: PortfolioChanged = { _tag: 'PortfolioChanged' }
