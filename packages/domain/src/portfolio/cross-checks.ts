import { isRow, type ReadRow, type ReadTables } from './read-tables.ts'
import type { PortfolioTable } from './rows.ts'
import { type PortfolioFault, type PortfolioSource, rowFault } from './source.ts'

/** A fault for every row whose key an earlier row has. */
const repeats = <A>(
  table: PortfolioTable,
  rows: ReadonlyArray<ReadRow<A>>,
  field: string,
  keyOf: (row: A) => string,
): ReadonlyArray<PortfolioFault> => {
  const seen = new Set<string>()
  return rows.flatMap(({ at, row }) => {
    const key = keyOf(row)
    if (seen.has(key)) return [rowFault(table, at, field, `repeats ${key}`)]
    seen.add(key)
    return []
  })
}

/** The ids that a table's rows give, those of bad rows too: what refers to a bad row is no fault of its own. */
const idsIn = (source: PortfolioSource, table: PortfolioTable, field: string): ReadonlySet<string> =>
  new Set((source.tables[table] ?? []).flatMap((row) => (isRow(row) ? [String(row[field])] : [])))

const OF_ORGANIZATIONS = ['introductions', 'summaries', 'programs', 'datasets'] as const

const strangers = (
  table: PortfolioTable,
  field: string,
  known: ReadonlySet<string>,
  rows: ReadonlyArray<{ readonly at: number; readonly id: string }>,
): ReadonlyArray<PortfolioFault> =>
  rows
    .filter(({ id }) => !known.has(id))
    .map(({ at }) => rowFault(table, at, field, 'is no organization of this portfolio'))

const unknownOrganizations = (source: PortfolioSource, tables: ReadTables): ReadonlyArray<PortfolioFault> => {
  const known = idsIn(source, 'organizations', 'id')
  const challenges = tables.challenges.map(({ at, row }) => ({ at, id: row.organization }))
  return [
    ...OF_ORGANIZATIONS.flatMap((table) =>
      strangers(
        table,
        'id',
        known,
        tables[table].map(({ at, row }) => ({ at, id: row.id })),
      ),
    ),
    ...strangers('challenges', 'organization', known, challenges),
  ]
}

const unknownSectors = (source: PortfolioSource, tables: ReadTables): ReadonlyArray<PortfolioFault> => {
  const known = idsIn(source, 'sectors', 'sectorId')
  return tables.organizations.flatMap(({ at, row: { sectors = [] } }) =>
    sectors
      .filter((id) => !known.has(id))
      .map((id) => rowFault('organizations', at, 'sectors', `names the unknown sector ${id}`)),
  )
}

/** The integer id of a challenge belongs to one organization (H1). */
const sharedChallenges = ({ challenges }: ReadTables): ReadonlyArray<PortfolioFault> => {
  const owners = new Map<number, string>()
  return challenges.flatMap(({ at, row: { id, organization } }) => {
    const owner = owners.get(id) ?? organization
    owners.set(id, owner)
    return owner === organization
      ? []
      : [rowFault('challenges', at, 'id', `belongs to the organization ${owner} already`)]
  })
}

/** What is wrong with good rows among each other: repeated keys, and what refers to nothing (H1). */
export const crossFaults = (source: PortfolioSource, tables: ReadTables): ReadonlyArray<PortfolioFault> => [
  ...repeats('sectors', tables.sectors, 'sectorId', ({ sectorId }) => sectorId),
  ...repeats('organizations', tables.organizations, 'id', ({ id }) => id),
  ...repeats('challenges', tables.challenges, 'lang', ({ id, lang }) => `challenge ${id} in ${lang}`),
  ...repeats('datasets', tables.datasets, 'year', ({ id, year }) => `${year} of ${id}`),
  ...unknownSectors(source, tables),
  ...unknownOrganizations(source, tables),
  ...sharedChallenges(tables),
]
