import type { PortfolioImageName } from '@almoner/domain/media'
import {
  type Challenge,
  type ChallengeCursor,
  challengeCursor,
  type Dataset,
  type DatasetQuery,
  datasetCursor,
  type Introduction,
  type Organization,
  type OrganizationId,
  type OrganizationQuery,
  type OrganizationText,
  organizationCursor,
  type Program,
  type Sector,
  type SectorId,
  type SectorQuery,
  type Summary,
  sectorCursor,
  type TextCursor,
  type TextQuery,
  textCursor,
} from '@almoner/domain/portfolio'
import { folded } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition, containing } from '../database/database.ts'
import type { Order, OrderedTable } from '../database/ordered-table.ts'
import {
  CHALLENGE_COLUMNS,
  type ChallengeRow,
  DATASET_COLUMNS,
  type DatasetRow,
  INTRODUCTION_COLUMNS,
  type IntroductionRow,
  ORGANIZATION_COLUMNS,
  type OrganizationRow,
  PROGRAM_COLUMNS,
  type ProgramRow,
  SECTOR_COLUMNS,
  type SectorRow,
  SUMMARY_COLUMNS,
  type SummaryRow,
} from '../schema/portfolio.table.ts'

type Common = Pick<IntroductionRow, 'organization_id' | 'lang' | 'rank'>

const commonRow = ({ organization, lang, rank }: OrganizationText): Common => ({
  organization_id: organization,
  lang,
  rank,
})

const commonOf = (row: Common): OrganizationText => ({
  organization: row.organization_id,
  lang: row.lang,
  rank: row.rank,
})

/** The texts of an organization, in one language or in all. */
const textConditions = ({ organization, lang }: TextQuery): ReadonlyArray<Condition> => [
  condition('organization_id = ?', organization),
  ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
]

/** A language that is held fixed is no part of the order: an engine would seek by the one and filter by the other. */
const textOrder = ({ lang }: TextQuery): Order<TextCursor> =>
  O.isSome(lang)
    ? { direction: 'asc', columns: ['rank'], cells: ({ rank }) => [rank] }
    : { direction: 'asc', columns: ['lang', 'rank'], cells: (cursor) => [cursor.lang, cursor.rank] }

const texts = { cursorOf: textCursor, order: textOrder, conditions: textConditions }

export const introductionRow = (introduction: Introduction): IntroductionRow => ({
  ...commonRow(introduction),
  text: introduction.text,
})

/** Introductions, by language and as the file has them (H3). */
export const introductionTable: OrderedTable<Introduction, IntroductionRow, TextQuery, TextCursor> = {
  ...texts,
  table: 'portfolio_introduction',
  columns: INTRODUCTION_COLUMNS,
  fromRow: (row) => ({ ...commonOf(row), text: row.text }),
}

export const summaryRow = (summary: Summary): SummaryRow => ({
  ...commonRow(summary),
  text: summary.text,
  highlight: O.toNullable(summary.highlight),
})

/** Summaries, in the same order. */
export const summaryTable: OrderedTable<Summary, SummaryRow, TextQuery, TextCursor> = {
  ...texts,
  table: 'portfolio_summary',
  columns: SUMMARY_COLUMNS,
  fromRow: (row) => ({ ...commonOf(row), text: row.text, highlight: O.fromNullable(row.highlight) }),
}

export const programRow = (program: Program): ProgramRow => ({
  ...commonRow(program),
  title: program.title,
  description: program.description,
})

/** Programs, in the same order. */
export const programTable: OrderedTable<Program, ProgramRow, TextQuery, TextCursor> = {
  ...texts,
  table: 'portfolio_program',
  columns: PROGRAM_COLUMNS,
  fromRow: (row) => ({ ...commonOf(row), title: row.title, description: row.description }),
}

export const challengeRow = ({ organization, id, lang, text, highlight }: Challenge): ChallengeRow => ({
  organization_id: organization,
  id,
  lang,
  text,
  highlight: O.toNullable(highlight),
})

/** Challenges, by number and language (H3). */
export const challengeTable: OrderedTable<Challenge, ChallengeRow, TextQuery, ChallengeCursor> = {
  table: 'portfolio_challenge',
  columns: CHALLENGE_COLUMNS,
  fromRow: ({ organization_id, id, lang, text, highlight }) => ({
    organization: organization_id,
    id,
    lang,
    text,
    highlight: O.fromNullable(highlight),
  }),
  cursorOf: challengeCursor,
  order: () => ({ direction: 'asc', columns: ['id', 'lang'], cells: ({ id, lang }) => [id, lang] }),
  conditions: textConditions,
}

export const datasetRow = (dataset: Dataset): DatasetRow => ({
  organization_id: dataset.organization,
  year: dataset.year,
  beneficiaries: dataset.beneficiaries,
  age_from: O.toNullable(dataset.ageFrom),
  age_to: O.toNullable(dataset.ageTo),
  staff_headcount: dataset.staffHeadcount,
  budget: dataset.budget,
  budget_currency: dataset.budgetCurrency,
  vr_video_url: O.toNullable(dataset.vrVideoUrl),
})

/** Datasets, by year (H3). */
export const datasetTable: OrderedTable<Dataset, DatasetRow, DatasetQuery, number> = {
  table: 'portfolio_dataset',
  columns: DATASET_COLUMNS,
  fromRow: (row) => ({
    organization: row.organization_id,
    year: row.year,
    beneficiaries: row.beneficiaries,
    ageFrom: O.fromNullable(row.age_from),
    ageTo: O.fromNullable(row.age_to),
    staffHeadcount: row.staff_headcount,
    budget: row.budget,
    budgetCurrency: row.budget_currency,
    vrVideoUrl: O.fromNullable(row.vr_video_url),
  }),
  cursorOf: datasetCursor,
  order: () => ({ direction: 'asc', columns: ['year'], cells: (year) => [year] }),
  conditions: ({ organization, year }) => [
    condition('organization_id = ?', organization),
    ...(O.isSome(year) ? [condition('year = ?', year.value)] : []),
  ],
}

/** The row of an organization, without its sectors. */
export const organizationRow = (organization: Organization<PortfolioImageName>): OrganizationRow => ({
  id: organization.id,
  name: organization.name,
  folded_name: folded(organization.name),
  since: organization.since,
  founded: organization.founded,
  website: O.toNullable(organization.website),
  logo: organization.logo,
  visual: organization.visual,
})

/** Matches a word anywhere in the name, with the wildcards of LIKE escaped (H2). */
const contains = (word: string): Condition => condition("folded_name like ? escape '!'", containing(word))

/** Organizations, by id (H3). */
export const organizationTable: OrderedTable<
  Organization<PortfolioImageName>,
  Omit<OrganizationRow, 'folded_name'>,
  OrganizationQuery,
  OrganizationId
> = {
  table: 'portfolio_organization',
  columns: ORGANIZATION_COLUMNS,
  fromRow: ({ id, name, since, founded, website, logo, visual }) => ({
    id,
    name,
    since,
    founded,
    website: O.fromNullable(website),
    logo,
    visual,
  }),
  cursorOf: organizationCursor,
  order: () => ({ direction: 'asc', columns: ['id'], cells: (id) => [id] }),
  isFiltered: ({ words }) => words.length > 0,
  conditions: ({ id, words, joined }) => [
    ...(O.isSome(id) ? [condition('id = ?', id.value)] : []),
    ...(O.isSome(joined) ? [condition('since = ?', joined.value)] : []),
    // The longest word first: it is the one that most names lack.
    ...words.toSorted((a, b) => b.length - a.length).map(contains),
  ],
}

/** The row that holds a sector. */
export const sectorRow = ({ id, names, logo }: Sector<PortfolioImageName>): SectorRow => ({
  id,
  en: O.toNullable(names.en),
  fr: O.toNullable(names.fr),
  logo,
})

/** Sectors, by id (H3). */
export const sectorTable: OrderedTable<Sector<PortfolioImageName>, SectorRow, SectorQuery, SectorId> = {
  table: 'portfolio_sector',
  columns: SECTOR_COLUMNS,
  fromRow: ({ id, en, fr, logo }) => ({
    id,
    names: { en: O.fromNullable(en), fr: O.fromNullable(fr) },
    logo,
  }),
  cursorOf: sectorCursor,
  order: () => ({ direction: 'asc', columns: ['id'], cells: (id) => [id] }),
  conditions: ({ id, organization }) => [
    ...(O.isSome(id) ? [condition('id = ?', id.value)] : []),
    ...(O.isSome(organization)
      ? [
          condition(
            'id in (select sector_id from portfolio_organization_sector where organization_id = ?)',
            organization.value,
          ),
        ]
      : []),
  ],
}
