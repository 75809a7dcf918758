import type { OrganizationId } from './ids.ts'
import type { PortfolioContent } from './portfolio.ts'
import { PORTFOLIO_TABLES, type PortfolioTable } from './rows.ts'

/** How many rows of a table a load adds, changes, removes and leaves as they are. */
export interface TableChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly kept: number
}

/** What changes in each table. */
export type PortfolioChanges = Readonly<Record<PortfolioTable, TableChanges>>

type Keyed = ReadonlyMap<string, string>

/** The same text for the same fields, in whichever order an adapter has put them. */
const canonical = (entry: object): string =>
  JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const keyed = <A extends object>(
  entries: ReadonlyArray<A>,
  keyOf: (entry: A) => ReadonlyArray<unknown>,
): Keyed => new Map(entries.map((entry) => [JSON.stringify(keyOf(entry)), canonical(entry)]))

const KEYED: Readonly<Record<PortfolioTable, (content: PortfolioContent) => Keyed>> = {
  sectors: ({ sectors }) => keyed(sectors, ({ id }) => [id]),
  organizations: ({ organizations }) =>
    keyed(
      organizations.map((organization) => ({ ...organization, sectors: organization.sectors.toSorted() })),
      ({ id }) => [id],
    ),
  introductions: ({ introductions }) =>
    keyed(introductions, ({ organization, lang, rank }) => [organization, lang, rank]),
  summaries: ({ summaries }) =>
    keyed(summaries, ({ organization, lang, rank }) => [organization, lang, rank]),
  programs: ({ programs }) => keyed(programs, ({ organization, lang, rank }) => [organization, lang, rank]),
  challenges: ({ challenges }) => keyed(challenges, ({ organization, id, lang }) => [organization, id, lang]),
  datasets: ({ datasets }) => keyed(datasets, ({ organization, year }) => [organization, year]),
}

const compare = (before: Keyed, after: Keyed): TableChanges => {
  const common = [...after].filter(([key]) => before.has(key))
  const kept = common.filter(([key, entry]) => before.get(key) === entry).length
  return {
    added: after.size - common.length,
    changed: common.length - kept,
    removed: before.size - common.length,
    kept,
  }
}

/** Returns whether two portfolios are the same, in whichever order their rows are. */
export const isSamePortfolio = (before: PortfolioContent, after: PortfolioContent): boolean =>
  before.name === after.name &&
  Object.values(portfolioChanges(before, after)).every(
    ({ added, changed, removed }) => added + changed + removed === 0,
  )

/** What replacing one portfolio by another changes, table by table. */
export const portfolioChanges = (before: PortfolioContent, after: PortfolioContent): PortfolioChanges =>
  Object.fromEntries(
    PORTFOLIO_TABLES.map((table) => [table, compare(KEYED[table](before), KEYED[table](after))]),
  ) as PortfolioChanges

/** How a load changes an organization, and in which tables. */
export interface OrganizationChange {
  readonly id: OrganizationId
  /** Its new name; the old one if it is removed. */
  readonly name: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** The tables with changed rows of it. */
  readonly tables: ReadonlyArray<{ readonly table: PortfolioTable } & Omit<TableChanges, 'kept'>>
}

const idsOf = ({ organizations }: PortfolioContent): ReadonlyMap<OrganizationId, string> =>
  new Map(organizations.map(({ id, name }) => [id, name]))

/** The rows of each organization. Every key begins with the organization's id. */
const byOwner = (rows: Keyed): ReadonlyMap<string, Keyed> => {
  const owners = new Map<string, Map<string, string>>()
  for (const [key, row] of rows) {
    const [owner] = JSON.parse(key) as [string]
    const own = owners.get(owner) ?? new Map<string, string>()
    own.set(key, row)
    owners.set(owner, own)
  }
  return owners
}

const NO_ROWS: Keyed = new Map()

/** Returns how a load changes each organization, by id; without those that stay as they are. */
export const organizationChanges = (
  before: PortfolioContent,
  after: PortfolioContent,
): ReadonlyArray<OrganizationChange> => {
  const [old, next] = [idsOf(before), idsOf(after)]
  const tables = PORTFOLIO_TABLES.filter((table) => table !== 'sectors').map((table) => ({
    table,
    before: byOwner(KEYED[table](before)),
    after: byOwner(KEYED[table](after)),
  }))
  return [...new Set([...old.keys(), ...next.keys()])].toSorted().flatMap((id) => {
    const changed = tables.flatMap(({ table, ...rows }) => {
      const changes = compare(rows.before.get(id) ?? NO_ROWS, rows.after.get(id) ?? NO_ROWS)
      const { kept: _, ...counts } = changes
      return counts.added + counts.changed + counts.removed === 0 ? [] : [{ table, ...counts }]
    })
    if (changed.length === 0) return []
    const kind = old.has(id) ? (next.has(id) ? 'changed' : 'removed') : 'added'
    return [{ id, name: next.get(id) ?? old.get(id) ?? id, kind, tables: changed } as const]
  })
}

/** Returns a text that two portfolios share if they are the same, in whichever order their rows are. */
export const portfolioText = (content: PortfolioContent): string =>
  JSON.stringify([
    content.name,
    ...PORTFOLIO_TABLES.map((table) => [...KEYED[table](content)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ])

/** The files or the portfolio have changed since they were reviewed: the load would do something else than was shown. */
export interface PortfolioChanged {
  readonly _tag: 'PortfolioChanged'
}

/** The one {@link PortfolioChanged}. */
export const PORTFOLIO_CHANGED: PortfolioChanged = { _tag: 'PortfolioChanged' }
