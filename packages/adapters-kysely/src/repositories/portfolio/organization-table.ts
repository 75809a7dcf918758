import type { PortfolioImageName } from '@almoner/domain/media'
import {
  type Organization,
  type OrganizationId,
  type OrganizationQuery,
  organizationCursor,
} from '@almoner/domain/portfolio'
import { folded } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Condition, condition, containing } from '../../database/query.ts'
import { ORGANIZATION_COLUMNS, type OrganizationRow } from '../../schema/portfolio.table.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'

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
