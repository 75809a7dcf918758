import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { Language } from '../values/language.ts'
import { parameters, type RawParameters } from '../values/parameters.ts'
import { refined } from '../values/refined.ts'
import { WebUrl } from '../values/web-url.ts'
import { FileName } from './file-name.ts'
import { ChallengeId, NewOrganizationId, NewSectorId, OrganizationId, type SectorId } from './ids.ts'
import { Amount, Currency, Year } from './numbers.ts'
import { Age, PortfolioName, PortfolioText } from './text.ts'

/** `sectors` of an organization: ids with white space between them, each once. */
const SectorIds = refined<ReadonlyArray<SectorId>>(
  'SectorIds',
  (text) => {
    const ids = text.split(/\s+/u).filter((id) => id !== '')
    if (!ids.every(NewSectorId.is)) return E.left('must be identifiers of sectors')
    const twice = ids.find((id, at) => ids.indexOf(id) < at)
    return twice === undefined ? E.right(ids) : E.left(`names ${twice} twice`)
  },
  { type: 'string', description: 'Identifiers of sectors, with spaces between them.' },
)

/** JSON may give the ids as an array. What is no id there is made one that is refused, however it would read between spaces. */
const joiningSectors = (raw: RawParameters): RawParameters => {
  const { sectors } = raw
  if (!Array.isArray(sectors)) return raw
  const ids = sectors.map((id: unknown) => (NewSectorId.is(id) ? id : '/'))
  return { ...raw, sectors: ids.join(' ') }
}

/** How a row of each table is read (H1): the columns are those of the files. */
export const ROWS = {
  sectors: parameters({
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
  organizations: parameters({
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
  introductions: parameters({
    name: 'IntroductionRow',
    required: { id: OrganizationId, lang: Language, text: PortfolioText },
    optional: {},
  }),
  summaries: parameters({
    name: 'SummaryRow',
    required: { id: OrganizationId, lang: Language, text: PortfolioText },
    optional: { highlight: PortfolioText },
  }),
  programs: parameters({
    name: 'ProgramRow',
    required: {
      id: OrganizationId,
      lang: Language,
      programTitle: PortfolioName,
      programDescription: PortfolioText,
    },
    optional: {},
  }),
  challenges: parameters({
    name: 'ChallengeRow',
    required: { organization: OrganizationId, id: ChallengeId, lang: Language, text: PortfolioText },
    optional: { highlight: PortfolioText },
  }),
  datasets: parameters({
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

export type PortfolioTable = keyof typeof ROWS

/** A row of a table, read. */
export type PortfolioRow<T extends PortfolioTable> = t.TypeOf<(typeof ROWS)[T]>

export const PORTFOLIO_TABLES = Object.keys(ROWS) as ReadonlyArray<PortfolioTable>

/** Tables without which there is no portfolio. */
export const REQUIRED_TABLES: ReadonlyArray<PortfolioTable> = ['sectors', 'organizations']

/** The columns of a table. */
export const columnsOf = (table: PortfolioTable): ReadonlyArray<string> => {
  const { required, optional } = ROWS[table].shape
  return Object.keys({ ...required, ...optional })
}
