import {
  type Introduction,
  type OrganizationText,
  type Program,
  type Summary,
  type TextCursor,
  type TextQuery,
  textCursor,
} from '@almoner/domain/portfolio'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition } from '../../database/query.ts'
import {
  INTRODUCTION_COLUMNS,
  type IntroductionRow,
  PROGRAM_COLUMNS,
  type ProgramRow,
  SUMMARY_COLUMNS,
  type SummaryRow,
} from '../../schema/portfolio.table.ts'
import type { Order, OrderedTable } from '../collections/ordered-table.ts'

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
export const textConditions = ({ organization, lang }: TextQuery): ReadonlyArray<Condition> => [
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
