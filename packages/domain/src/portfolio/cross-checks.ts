import * as E from 'fp-ts/lib/Either.js'
import { Language } from '../values/language.ts'
import { decode } from '../values/parameters.ts'
import { ChallengeId, NewOrganizationId, NewSectorId, OrganizationId, SectorId } from './ids.ts'
import { Year } from './numbers.ts'
import { readColumn } from './read-column.ts'
import { isRow } from './read-tables.ts'
import { type PortfolioTable, SectorsRow } from './rows.ts'
import { type PortfolioFault, type PortfolioSource, rowFault } from './source.ts'

// Every check here reads only the columns it is about: a row that is bad otherwise has its faults among others told too.

const organizationOf = readColumn('organization', OrganizationId)
const organizationIn = readColumn('id', OrganizationId)
const challengeIn = readColumn('id', ChallengeId)
const languageIn = readColumn('lang', Language)
const yearIn = readColumn('year', Year)

/** A fault for every row whose key an earlier row has. @param keyOf undefined where a row does not tell its key */
const repeats = (
  { tables }: PortfolioSource,
  table: PortfolioTable,
  field: string,
  keyOf: (row: unknown) => string | undefined,
): ReadonlyArray<PortfolioFault> => {
  const seen = new Set<string>()
  return (tables[table] ?? []).flatMap((row, at) => {
    const key = keyOf(row)
    if (key === undefined) return []
    if (seen.has(key)) return [rowFault(table, at, field, `repeats ${key}`)]
    seen.add(key)
    return []
  })
}

const challengeKey = (row: unknown): string | undefined => {
  const [id, lang] = [challengeIn(row), languageIn(row)]
  return id === undefined || lang === undefined ? undefined : `challenge ${id} in ${lang}`
}

const datasetKey = (row: unknown): string | undefined => {
  const [id, year] = [organizationIn(row), yearIn(row)]
  return id === undefined || year === undefined ? undefined : `${year} of ${id}`
}

/**
 * Returns the ids in a table's rows, including rows with errors, so that a reference to one is not a further error. Returns undefined if some
 * or all ids are unknown, so that references cannot be checked.
 */
const idsIn = <A>(
  { tables, unread }: PortfolioSource,
  table: PortfolioTable,
  idOf: (row: unknown) => A | undefined,
): ReadonlySet<A> | undefined => {
  const rows = tables[table]
  if (rows === undefined || unread.includes(table)) return undefined
  const ids = new Set(rows.map(idOf).filter((id) => id !== undefined))
  return ids.size === 0 && rows.length > 0 ? undefined : ids
}

const OF_ORGANIZATIONS = [
  { table: 'introductions', field: 'id', ownerOf: organizationIn },
  { table: 'summaries', field: 'id', ownerOf: organizationIn },
  { table: 'programs', field: 'id', ownerOf: organizationIn },
  { table: 'datasets', field: 'id', ownerOf: organizationIn },
  { table: 'challenges', field: 'organization', ownerOf: organizationOf },
] as const

const unknownOrganizations = (source: PortfolioSource): ReadonlyArray<PortfolioFault> => {
  const known = idsIn(source, 'organizations', organizationIn)
  if (known === undefined) return []
  return OF_ORGANIZATIONS.flatMap(({ table, field, ownerOf }) =>
    (source.tables[table] ?? []).flatMap((row, at) => {
      const owner = ownerOf(row)
      return owner === undefined || known.has(owner)
        ? []
        : [rowFault(table, at, field, 'is no organization of this portfolio')]
    }),
  )
}

const sectorsIn = (row: unknown): ReadonlyArray<SectorId> => {
  const read = isRow(row) ? decode(SectorsRow)(row) : E.left(undefined)
  return E.isRight(read) ? (read.right.sectors ?? []) : []
}

const unknownSectors = (source: PortfolioSource): ReadonlyArray<PortfolioFault> => {
  const known = idsIn(source, 'sectors', readColumn('sectorId', SectorId))
  if (known === undefined) return []
  return (source.tables.organizations ?? []).flatMap((row, at) =>
    sectorsIn(row)
      .filter((id) => !known.has(id))
      .map((id) => rowFault('organizations', at, 'sectors', `names the unknown sector ${id}`)),
  )
}

/** The integer id of a challenge belongs to one organization (H1). */
const sharedChallenges = ({ tables }: PortfolioSource): ReadonlyArray<PortfolioFault> => {
  const owners = new Map<ChallengeId, OrganizationId>()
  return (tables.challenges ?? []).flatMap((row, at) => {
    const [id, organization] = [challengeIn(row), organizationOf(row)]
    if (id === undefined || organization === undefined) return []
    const owner = owners.get(id) ?? organization
    owners.set(id, owner)
    return owner === organization
      ? []
      : [rowFault('challenges', at, 'id', `belongs to the organization ${owner} already`)]
  })
}

/** Returns the errors between rows: duplicate keys and dangling references (H1). */
export const crossFaults = (source: PortfolioSource): ReadonlyArray<PortfolioFault> => [
  ...repeats(source, 'sectors', 'sectorId', readColumn('sectorId', NewSectorId)),
  ...repeats(source, 'organizations', 'id', readColumn('id', NewOrganizationId)),
  ...repeats(source, 'challenges', 'lang', challengeKey),
  ...repeats(source, 'datasets', 'year', datasetKey),
  ...unknownSectors(source),
  ...unknownOrganizations(source),
  ...sharedChallenges(source),
]
