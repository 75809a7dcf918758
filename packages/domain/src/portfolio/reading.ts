import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { FileName } from '../media/model.ts'
import { decode, type FieldError, parameters } from '../values/parameters.ts'
import { Language } from '../values/text.ts'
import {
  ChallengeId,
  NewOrganizationId,
  NewSectorId,
  OrganizationId,
  type PortfolioContent,
  PortfolioName,
  type PortfolioOf,
  SectorId,
  Year,
} from './model.ts'
import {
  firstOf,
  inFile,
  isRow,
  PORTFOLIO_LIMITS,
  type PortfolioFault,
  type PortfolioFaults,
  type PortfolioSource,
  type PortfolioTable,
  type ReadTables,
  readTables,
  rowFault,
  SectorsRow,
} from './source.ts'

/**
 * Reads one column of rows independently of other errors, so that all errors are reported at once (H1). Returns undefined where the column is
 * absent or invalid.
 */
export const readColumn = <A>(
  column: string,
  codec: t.Type<A, unknown, unknown>,
): ((row: unknown) => A | undefined) => {
  const read = decode(parameters({ name: column, required: {}, optional: { value: codec } }))
  return (row) => {
    const value = isRow(row) ? read({ value: row[column] }) : E.left(undefined)
    return E.isRight(value) ? value.right.value : undefined
  }
}

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
function* crossFaults(source: PortfolioSource, before: PortfolioContent): Generator<PortfolioFault> {
  yield* repeats(source, 'sectors', 'sectorId', readColumn('sectorId', NewSectorId))
  yield* repeats(source, 'organizations', 'id', readColumn('id', NewOrganizationId))
  yield* repeats(source, 'challenges', 'lang', challengeKey)
  yield* repeats(source, 'datasets', 'year', datasetKey)
  yield* unknownSectors(source, before)
  yield* unknownOrganizations(source, before)
  yield* sharedChallenges(source)
}

/** A portfolio whose images are still files beside its own. */
export type FilePortfolio = PortfolioOf<FileName>

const Head = inFile({ name: 'PortfolioFile', required: { name: PortfolioName }, optional: {} })

interface OfOrganization {
  readonly id: OrganizationId
  readonly lang: Language
}

/** Counts the rows of each organization and language, as they come. */
const ranks = () => {
  const next = new Map<string, number>()
  return ({ id, lang }: OfOrganization): number => {
    const rank = next.get(`${lang} ${id}`) ?? 0
    next.set(`${lang} ${id}`, rank + 1)
    return rank
  }
}

/** The texts of a table, each with what all texts have. */
const texts = <R extends OfOrganization, A>(rows: ReadonlyArray<R>, make: (row: R) => A) => {
  const rankOf = ranks()
  return rows.map((row) => ({
    organization: row.id,
    lang: row.lang,
    rank: rankOf(row),
    ...make(row),
  }))
}

const portfolioOf = (name: string, tables: ReadTables): FilePortfolio => ({
  name,
  sectors: tables.sectors.map(({ sectorId, en, fr, logo }) => ({
    id: sectorId,
    names: { en: O.fromNullable(en), fr: O.fromNullable(fr) },
    logo,
  })),
  organizations: tables.organizations.map((row) => ({
    id: row.id,
    name: row.name,
    since: row.since,
    founded: row.founded,
    website: O.fromNullable(row.website),
    sectors: row.sectors ?? [],
    logo: row.logo,
    visual: row.visual,
  })),
  introductions: texts(tables.introductions, ({ text }) => ({ text })),
  summaries: texts(tables.summaries, ({ text, highlight }) => ({
    text,
    highlight: O.fromNullable(highlight),
  })),
  programs: texts(tables.programs, ({ programTitle, programDescription }) => ({
    title: programTitle,
    description: programDescription,
  })),
  challenges: tables.challenges.map(({ organization, id, lang, text, highlight }) => ({
    organization,
    id,
    lang,
    text,
    highlight: O.fromNullable(highlight),
  })),
  datasets: tables.datasets.map((row) => ({
    organization: row.id,
    year: row.year,
    beneficiaries: row.beneficiaries,
    ageFrom: O.fromNullable(row.ageFrom),
    ageTo: O.fromNullable(row.ageTo),
    staffHeadcount: row.staffHeadcount,
    budget: row.budget,
    budgetCurrency: row.budgetCurrency,
    vrVideoUrl: O.fromNullable(row.vrVideoUrl),
  })),
})

const ofHead = ({ field, message }: FieldError): PortfolioFault => ({
  table: undefined,
  row: undefined,
  field,
  message,
})

/** Returns the name in the files. The present one stays if they state none (H5). */
const readName = ({ name }: PortfolioSource, before: PortfolioContent) =>
  name === undefined && before.name !== '' ? E.right({ name: before.name }) : decode(Head)({ name })

/**
 * Returns the portfolio in the files, without images and without the tables that stay as they are, or its errors: of single rows and between
 * rows (H1, H5), at most a thousand (H4).
 * @param before the portfolio that there is
 */
export const readPortfolio = (
  source: PortfolioSource,
  before: PortfolioContent,
): E.Either<PortfolioFaults, FilePortfolio> => {
  const head = readName(source, before)
  const { tables, faults } = readTables(source)
  const ofName = E.isLeft(head) ? head.left.errors.map(ofHead) : []
  const [first, ...more] = firstOf(PORTFOLIO_LIMITS.faults, ofName, faults, crossFaults(source, before))
  if (first !== undefined) return E.left([first, ...more])
  return E.map(({ name }: { readonly name: string }) => portfolioOf(name, tables))(
    head as E.Either<PortfolioFaults, { readonly name: string }>,
  )
}
