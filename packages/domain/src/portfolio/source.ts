import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type * as t from 'io-ts'
import { FileName } from '../media/model.ts'
import { WebUrl } from '../values/addresses.ts'
import { decode, type Parameters, parameters, type RawParameters, type Shape } from '../values/parameters.ts'
import { type Facets, nfcOf, refined } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import { noColumn } from './messages.ts'
import {
  Age,
  Amount,
  ChallengeId,
  Currency,
  NewOrganizationId,
  NewSectorId,
  OrganizationId,
  PortfolioName,
  type PortfolioOf,
  PortfolioText,
  type SectorId,
  Year,
} from './model.ts'

/** A portfolio as its files hold it, before anything is checked. */
export interface PortfolioSource {
  /** Undefined if the files do not state a name: the present one stays (H5). */
  readonly name: unknown
  /** The tables of the load. One that is absent stays as it is (H5). */
  readonly tables: Readonly<Partial<Record<PortfolioTable, ReadonlyArray<unknown>>>>
  /** Tables that have more rows than could be read: they are refused, and what refers to them is not judged. */
  readonly unread: ReadonlyArray<PortfolioTable>
}

/** Where an error stands in a portfolio's files. */
export interface FilePlace {
  readonly file: string
  /** From 1; undefined for the file as a whole. */
  readonly line: number | undefined
}

/** Something wrong with a row, counted from 0; without a row with the table, without a table with the portfolio itself or a file. */
export interface PortfolioFault {
  readonly table: PortfolioTable | undefined
  readonly row: number | undefined
  /** `''` for the row or table as a whole. */
  readonly field: string
  /** The value of the field, as a message repeats it. */
  readonly value?: string
  /** Completes the sentence "<field> <value> …". */
  readonly message: string
  /** Its place, where the portfolio comes from files. */
  readonly place?: FilePlace
}

/** At least one fault. */
export type PortfolioFaults = RNEA.ReadonlyNonEmptyArray<PortfolioFault>

/** The files hold no portfolio; `faults` names every bad row, and nothing has changed (H1). */
export interface PortfolioRefused {
  readonly _tag: 'PortfolioRefused'
  readonly faults: PortfolioFaults
}

/** The refusal of files with these faults. */
export const portfolioRefused = (faults: PortfolioFaults): PortfolioRefused => ({
  _tag: 'PortfolioRefused',
  faults,
})

/** A fault in a field of a row, or with the table where no row is given: as {@link PortfolioFault} has them. */
export const rowFault = (
  table: PortfolioTable,
  row: number | undefined,
  field: string,
  message: string,
): PortfolioFault => ({ table, row, field, message })

/** The most rows of a table, and the most errors of a load, after which reading stops (H4). */
export const PORTFOLIO_LIMITS = { rows: 100_000, faults: 1000 } as const

/** The sentence of the last error, where there are too many to name all. */
export const READING_STOPPED = `is the last error that is named: reading stopped after ${PORTFOLIO_LIMITS.faults}`

/** Collects the first values of several sources; a source is not read any further once there are enough. */
export const firstOf = <A>(most: number, ...sources: ReadonlyArray<Iterable<A>>): ReadonlyArray<A> => {
  const first: Array<A> = []
  for (const source of sources)
    for (const value of source) {
      if (first.length >= most) return first
      first.push(value)
    }
  return first
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  nfcOf(text)
    .split(/\s+/u)
    .filter((word) => word !== '')

const IDS_OF_SECTORS: Facets = {
  type: 'string',
  description: 'Identifiers of sectors, with spaces between them.',
}

/** The most ids that one message names. */
const MOST_NAMED = 10

/** `sectors` of an organization: ids with white space between them, each once. */
const SectorIds = refined<ReadonlyArray<SectorId>>(
  'SectorIds',
  (text) => {
    const ids = wordsOf(text)
    if (!ids.every(NewSectorId.is)) return E.left('must be identifiers of sectors, with spaces between them')
    const seen = new Set<SectorId>()
    const twice = new Set(ids.filter((id) => seen.size === seen.add(id).size))
    return twice.size === 0
      ? E.right(ids)
      : E.left(`names ${[...twice].slice(0, MOST_NAMED).join(' and ')} twice: keep one`)
  },
  IDS_OF_SECTORS,
)

/** Returns the ids in the `sectors` of an organization, once each, ignoring errors. */
const NamedSectors = refined<ReadonlyArray<SectorId>>(
  'NamedSectors',
  (text) => E.right([...new Set(wordsOf(text).filter(NewSectorId.is))]),
  IDS_OF_SECTORS,
)

/** JSON may have the ids as an array. Elements that are not ids become invalid ids, even if they would be valid between spaces. */
const joiningSectors = (raw: RawParameters): RawParameters => {
  const { sectors } = raw
  if (!Array.isArray(sectors)) return raw
  const ids = sectors.map((id: unknown) => (NewSectorId.is(id) ? id : '/'))
  return { ...raw, sectors: ids.join(' ') }
}

/** In a file an array is no value that was given more than once: it is something else than one value. */
const withoutArrays = (raw: RawParameters): RawParameters =>
  Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, Array.isArray(value) ? {} : value]))

/** `parameters` that come from a file. */
export const inFile = <R extends t.Props, O extends t.Props>({
  prepare = (raw) => raw,
  ...shape
}: Shape<R, O>): Parameters<R, O> => parameters({ ...shape, prepare: (raw) => withoutArrays(prepare(raw)) })

/** An organization's reference to sectors, for rows that are bad otherwise too. */
export const SectorsRow = inFile({
  name: 'SectorsRow',
  required: {},
  optional: { sectors: NamedSectors },
  prepare: joiningSectors,
})

/** How a row of each table is read (H1): the columns are those of the files. */
export const ROWS = {
  sectors: inFile({
    name: 'SectorRow',
    required: { sectorId: NewSectorId, logo: FileName },
    optional: { en: PortfolioName, fr: PortfolioName },
    conditions: [
      {
        field: 'en',
        message: 'is required where fr is missing',
        unmet: ({ en, fr }) => en === undefined && fr === undefined,
      },
    ],
  }),
  organizations: inFile({
    name: 'OrganizationRow',
    required: {
      id: NewOrganizationId,
      name: PortfolioName,
      since: Year,
      founded: Year,
      logo: FileName,
      visual: FileName,
    },
    optional: { website: WebUrl, sectors: SectorIds },
    prepare: joiningSectors,
  }),
  introductions: inFile({
    name: 'IntroductionRow',
    required: { id: OrganizationId, lang: Language, text: PortfolioText },
    optional: {},
  }),
  summaries: inFile({
    name: 'SummaryRow',
    required: { id: OrganizationId, lang: Language, text: PortfolioText },
    optional: { highlight: PortfolioText },
  }),
  programs: inFile({
    name: 'ProgramRow',
    required: {
      id: OrganizationId,
      lang: Language,
      programTitle: PortfolioName,
      programDescription: PortfolioText,
    },
    optional: {},
  }),
  challenges: inFile({
    name: 'ChallengeRow',
    required: { organization: OrganizationId, id: ChallengeId, lang: Language, text: PortfolioText },
    optional: { highlight: PortfolioText },
  }),
  datasets: inFile({
    name: 'DatasetRow',
    required: {
      id: OrganizationId,
      year: Year,
      beneficiaries: Amount,
      staffHeadcount: Amount,
      budget: Amount,
      budgetCurrency: Currency,
    },
    optional: { ageFrom: Age, ageTo: Age, vrVideoUrl: WebUrl },
  }),
}

/** The name of a file of the portfolio, without its ending (H1). */
export type PortfolioTable = keyof typeof ROWS

/** A row of a table, read. */
export type PortfolioRow<T extends PortfolioTable> = t.TypeOf<(typeof ROWS)[T]>

/** Every {@link PortfolioTable}. */
export const PORTFOLIO_TABLES = Object.keys(ROWS) as ReadonlyArray<PortfolioTable>

/** The columns of a table. */
export const columnsOf = (table: PortfolioTable): ReadonlyArray<string> => {
  const { required, optional } = ROWS[table].shape
  return Object.keys({ ...required, ...optional })
}

/** A row of a file: its filled cells by column. */
export type FileRow = Readonly<Record<string, string | number>>

type Cells = Readonly<Record<string, string | number | O.Option<string>>>

/** Makes a row of its cells. Cells without a value are left out. */
const rowOf = (cells: Cells): FileRow =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) => {
      if (typeof cell !== 'object') return [[column, cell] as const]
      return O.isSome(cell) ? [[column, cell.value] as const] : []
    }),
  )

const ROWS_OF: {
  readonly [T in PortfolioTable]: (row: PortfolioOf<string>[T][number]) => Cells
} = {
  sectors: ({ id, names: { en, fr }, logo }) => ({ sectorId: id, en, fr, logo }),
  organizations: ({ sectors, ...cells }) => ({
    ...cells,
    sectors: sectors.length === 0 ? O.none : O.some(sectors.join(' ')),
  }),
  introductions: ({ organization, lang, text }) => ({ id: organization, lang, text }),
  summaries: ({ organization, lang, text, highlight }) => ({ id: organization, lang, text, highlight }),
  programs: ({ organization, lang, title, description }) => ({
    ...{ id: organization, lang },
    ...{ programTitle: title, programDescription: description },
  }),
  challenges: ({ organization, id, lang, text, highlight }) => ({ organization, id, lang, text, highlight }),
  datasets: ({ organization, ...cells }) => ({ id: organization, ...cells }),
}

/** Returns a row of a table as its file has it (H1). */
export const fileRow = <T extends PortfolioTable>(table: T, row: PortfolioOf<string>[T][number]): FileRow =>
  rowOf((ROWS_OF[table] as (row: PortfolioOf<string>[T][number]) => Cells)(row))

/** The good rows of every table. */
export type ReadTables = { readonly [T in PortfolioTable]: ReadonlyArray<PortfolioRow<T>> }

/** Whether a value of a file can be a row at all. */
export const isRow = (row: unknown): row is RawParameters =>
  typeof row === 'object' && row !== null && !Array.isArray(row)

const unknownColumns = (
  table: PortfolioTable,
  at: number,
  row: RawParameters,
  columns: ReadonlySet<string>,
): ReadonlyArray<PortfolioFault> =>
  Object.keys(row)
    .filter((key) => !columns.has(key))
    .map((key) => rowFault(table, at, key, noColumn(key, table, [...columns])))

const readTable = <T extends PortfolioTable>(
  table: T,
  rows: ReadonlyArray<unknown>,
  faults: Array<PortfolioFault>,
): ReadonlyArray<PortfolioRow<T>> => {
  const columns = new Set(columnsOf(table))
  const read = decode<PortfolioRow<T>>(ROWS[table] as never)
  const good: Array<PortfolioRow<T>> = []
  for (const [at, row] of rows.entries()) {
    if (faults.length >= PORTFOLIO_LIMITS.faults) break
    if (!isRow(row)) {
      faults.push(rowFault(table, at, '', 'must be an object with the columns of the table'))
      continue
    }
    faults.push(...unknownColumns(table, at, row, columns))
    const result = read(row)
    if (E.isRight(result)) good.push(result.right)
    else faults.push(...result.left.errors.map(({ field, message }) => rowFault(table, at, field, message)))
  }
  return good
}

/** Reads every row by itself: the good ones, and all that is wrong with the others (H1), until there are too many errors to name (H4). */
export const readTables = ({
  tables,
  unread,
}: PortfolioSource): { readonly tables: ReadTables; readonly faults: ReadonlyArray<PortfolioFault> } => {
  const faults = unread.map((table) => rowFault(table, undefined, '', 'could not be read whole'))
  const read = PORTFOLIO_TABLES.map((table) => [table, readTable(table, tables[table] ?? [], faults)])
  return { tables: Object.fromEntries(read) as unknown as ReadTables, faults }
}
