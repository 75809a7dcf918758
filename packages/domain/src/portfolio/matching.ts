import * as O from 'fp-ts/lib/Option.js'
import type { Dataset } from './dataset.ts'
import { containsAll } from './folding.ts'
import type { Organization } from './organization.ts'
import type { DatasetQuery, OrganizationQuery, TextQuery } from './queries.ts'
import type { Challenge, OrganizationText } from './texts.ts'

const allows = <A>(filter: O.Option<A>, value: A): boolean => O.isNone(filter) || filter.value === value

/** Whether an organization belongs to a query (H2). */
export const matchesOrganization =
  ({ id, words, joined }: OrganizationQuery) =>
  (organization: Organization<unknown>): boolean =>
    allows(id, organization.id) && allows(joined, organization.since) && containsAll(words, organization.name)

/** Whether a text belongs to a query. */
export const matchesText =
  ({ organization, lang }: TextQuery) =>
  (text: OrganizationText | Challenge): boolean =>
    text.organization === organization && allows(lang, text.lang)

/** Whether a dataset belongs to a query. */
export const matchesDataset =
  ({ organization, year }: DatasetQuery) =>
  (dataset: Dataset): boolean =>
    dataset.organization === organization && allows(year, dataset.year)
