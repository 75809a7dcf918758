import type { OrganizationId, PortfolioContent } from './model.ts'
import { PORTFOLIO_TABLES, type PortfolioTable } from './source.ts'

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

/** The files or the portfolio have changed since they were reviewed: the load would do something else than was shown. */
export interface PortfolioChanged {
  readonly _tag: 'PortfolioChanged'
}

/** The one {@link PortfolioChanged}. */
export const PORTFOLIO_CHANGED: PortfolioChanged = { _tag: 'PortfolioChanged' }
