import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { FileName } from '../media/model.ts'
import { WebUrl } from '../values/addresses.ts'
import { type Parameters, parameters, type RawParameters, type Shape } from '../values/parameters.ts'
import { type Facets, nfcOf, refined } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import { ChallengeId, NewOrganizationId, NewSectorId, OrganizationId, type SectorId } from './ids.ts'
import { Amount, Currency, Year } from './numbers.ts'
import { Age, PortfolioName, PortfolioText } from './text.ts'

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
