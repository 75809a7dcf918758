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
