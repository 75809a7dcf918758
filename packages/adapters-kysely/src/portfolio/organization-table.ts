import {
  folded,
  type Organization,
  type OrganizationId,
  type OrganizationQuery,
  organizationPlace,
  type PortfolioImageName,
} from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import type { OrganizationRow } from '../tables.ts'
import type { AscendingTable, Condition } from './ascending-table.ts'

/** The row that holds an organization, but for its sectors. */
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

/** A word anywhere in the name: what LIKE gives a meaning of its own is escaped (H2). */
const contains = (word: string): Condition =>
  sql`folded_name like ${`%${word.replaceAll(/[!%_]/g, '!$&')}%`} escape '!'`

/** Organizations, by id (H3). */
export const organizationTable: AscendingTable<
  Organization<PortfolioImageName>,
  OrganizationRow,
  OrganizationQuery,
  OrganizationId
> = {
  table: 'portfolio_organization',
  columns: ['id', 'name', 'since', 'founded', 'website', 'logo', 'visual'],
  fromRow: ({ id, name, since, founded, website, logo, visual }) => ({
    id,
    name,
    since,
    founded,
    website: O.fromNullable(website),
    logo,
    visual,
  }),
  placeOf: organizationPlace,
  order: () => ({ columns: ['id'], cells: (id) => [id] }),
  conditions: ({ id, words, joined }) => [
    ...(O.isSome(id) ? [sql`id = ${id.value}`] : []),
    ...(O.isSome(joined) ? [sql`since = ${joined.value}`] : []),
    ...words.map(contains),
  ],
}
