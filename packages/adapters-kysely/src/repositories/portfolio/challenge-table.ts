import { type Challenge, type ChallengePlace, challengePlace, type TextQuery } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { ChallengeRow } from '../../schema/schema.ts'
import type { AscendingTable } from './ascending-table.ts'
import { textConditions } from './text-tables.ts'

export const challengeRow = ({ organization, id, lang, text, highlight }: Challenge): ChallengeRow => ({
  organization_id: organization,
  id,
  lang,
  text,
  highlight: O.toNullable(highlight),
})

/** Challenges, by number and language (H3). */
export const challengeTable: AscendingTable<Challenge, ChallengeRow, TextQuery, ChallengePlace> = {
  table: 'portfolio_challenge',
  columns: ['organization_id', 'id', 'lang', 'text', 'highlight'],
  fromRow: ({ organization_id, id, lang, text, highlight }) => ({
    organization: organization_id,
    id,
    lang,
    text,
    highlight: O.fromNullable(highlight),
  }),
  placeOf: challengePlace,
  order: () => ({ columns: ['id', 'lang'], cells: ({ id, lang }) => [id, lang] }),
  conditions: textConditions,
}
