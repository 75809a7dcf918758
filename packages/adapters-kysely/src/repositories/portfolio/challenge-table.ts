import {
  type Challenge,
  type ChallengeCursor,
  challengeCursor,
  type TextQuery,
} from '@almoner/domain/portfolio'
import * as O from 'fp-ts/lib/Option.js'
import { CHALLENGE_COLUMNS, type ChallengeRow } from '../../schema/portfolio.table.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'
import { textConditions } from './text-tables.ts'

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
