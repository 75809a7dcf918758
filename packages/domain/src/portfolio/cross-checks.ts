import * as E from 'fp-ts/lib/Either.js'
import { decode } from '../values/parameters.ts'
import { Language } from '../values/text.ts'
import { ChallengeId, NewOrganizationId, NewSectorId, OrganizationId, SectorId } from './ids.ts'
import { Year } from './numbers.ts'
import type { PortfolioContent } from './portfolio.ts'
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

/** Yields a fault for every row whose key an earlier row has. @param keyOf undefined where a row does not tell its key */
function* repeats(
  { tables }: PortfolioSource,
  table: PortfolioTable,
  field: string,
  keyOf: (row: unknown) => string | undefined,
): Generator<PortfolioFault> {
  const seen = new Set<string>()
  for (const [at, row] of (tables[table] ?? []).entries()) {
    const key = keyOf(row)
    if (key === undefined) continue
    if (seen.has(key)) yield rowFault(table, at, field, `repeats ${key}: keep one of the two rows`)
    seen.add(key)
  }
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
 * Returns the ids in a table's rows, including rows with errors, so that a reference to one is not a further error. An absent table stays as it
 * is (H5). Returns undefined if some or all ids are unknown, so that references cannot be checked.
 */
const idsIn = <A>(
  { tables, unread }: PortfolioSource,
  table: PortfolioTable,
  present: ReadonlyArray<{ readonly id: A }>,
  idOf: (row: unknown) => A | undefined,
): ReadonlySet<A> | undefined => {
  const rows = tables[table]
  if (unread.includes(table)) return undefined
  if (rows === undefined) return new Set(present.map(({ id }) => id))
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

const NO_ORGANIZATION =
  'is no organization of this portfolio: add it to organizations, or name one that is there'

function* unknownOrganizations(source: PortfolioSource, before: PortfolioContent): Generator<PortfolioFault> {
  const known = idsIn(source, 'organizations', before.organizations, organizationIn)
  if (known === undefined) return
  for (const { table, field, ownerOf } of OF_ORGANIZATIONS)
    for (const [at, row] of (source.tables[table] ?? []).entries()) {
      const owner = ownerOf(row)
      if (owner !== undefined && !known.has(owner)) yield rowFault(table, at, field, NO_ORGANIZATION)
    }
  if (source.tables.organizations !== undefined) yield* leftWithoutOrganization(source, before, known)
}

/** Yields a fault for every organization that goes while rows of tables that the load leaves as they are point to it (H5). */
function* leftWithoutOrganization(
  { tables }: PortfolioSource,
  before: PortfolioContent,
  known: ReadonlySet<OrganizationId>,
): Generator<PortfolioFault> {
  const lost = new Map<OrganizationId, Set<PortfolioTable>>()
  for (const { table } of OF_ORGANIZATIONS)
    if (tables[table] === undefined)
      for (const { organization } of before[table])
        if (!known.has(organization)) lost.set(organization, (lost.get(organization) ?? new Set()).add(table))
  for (const [id, owners] of lost)
    yield rowFault(
      'organizations',
      undefined,
      '',
      `lacks the organization ${id}, to which rows of ${[...owners].join(' and ')} point that this load leaves as they are: keep ${id}, or load ${[...owners].join(' and ')} too`,
    )
}

/** As {@link leftWithoutOrganization}, for a sector that goes. */
function* leftWithoutSector(
  before: PortfolioContent,
  known: ReadonlySet<SectorId>,
): Generator<PortfolioFault> {
  const lost = new Map<SectorId, Array<OrganizationId>>()
  for (const { id, sectors } of before.organizations)
    for (const sector of sectors)
      if (!known.has(sector)) lost.set(sector, [...(lost.get(sector) ?? []), id].slice(0, MOST_NAMED))
  for (const [id, owners] of lost)
    yield rowFault(
      'sectors',
      undefined,
      '',
      `lacks the sector ${id}, to which rows of organizations point that this load leaves as they are (${owners.join(', ')}): keep ${id}, or load organizations too`,
    )
}

/** The most organizations that one message names. */
const MOST_NAMED = 10

const sectorsIn = (row: unknown): ReadonlyArray<SectorId> => {
  const read = isRow(row) ? decode(SectorsRow)(row) : E.left(undefined)
  return E.isRight(read) ? (read.right.sectors ?? []) : []
}

function* unknownSectors(source: PortfolioSource, before: PortfolioContent): Generator<PortfolioFault> {
  const known = idsIn(source, 'sectors', before.sectors, readColumn('sectorId', SectorId))
  if (known === undefined) return
  const { sectors, organizations } = source.tables
  if (sectors !== undefined && organizations === undefined) yield* leftWithoutSector(before, known)
  for (const [at, row] of (source.tables.organizations ?? []).entries())
    for (const id of sectorsIn(row))
      if (!known.has(id))
        yield rowFault(
          'organizations',
          at,
          'sectors',
          `names the unknown sector ${id}: add it to sectors, or name one that is there`,
        )
}

/** The integer id of a challenge belongs to one organization (H1). */
function* sharedChallenges({ tables }: PortfolioSource): Generator<PortfolioFault> {
  const owners = new Map<ChallengeId, OrganizationId>()
  for (const [at, row] of (tables.challenges ?? []).entries()) {
    const [id, organization] = [challengeIn(row), organizationOf(row)]
    if (id === undefined || organization === undefined) continue
    const owner = owners.get(id) ?? organization
    owners.set(id, owner)
    if (owner !== organization)
      yield rowFault(
        'challenges',
        at,
        'id',
        `belongs to the organization ${owner} already: give this challenge another number`,
      )
  }
}

/**
 * Yields the errors between rows: duplicate keys and dangling references (H1), also of tables that the load leaves as they are (H5).
 * @param before the portfolio that there is
 */
export function* crossFaults(source: PortfolioSource, before: PortfolioContent): Generator<PortfolioFault> {
  yield* repeats(source, 'sectors', 'sectorId', readColumn('sectorId', NewSectorId))
  yield* repeats(source, 'organizations', 'id', readColumn('id', NewOrganizationId))
  yield* repeats(source, 'challenges', 'lang', challengeKey)
  yield* repeats(source, 'datasets', 'year', datasetKey)
  yield* unknownSectors(source, before)
  yield* unknownOrganizations(source, before)
  yield* sharedChallenges(source)
}
