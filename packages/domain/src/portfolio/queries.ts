import type { Option } from 'fp-ts/lib/Option.js'
import type { Language } from '../values/text.ts'
import type { OrganizationId, SectorId } from './ids.ts'

/** The sector of this id, those of this organization, or both. */
export interface SectorQuery {
  readonly id: Option<SectorId>
  readonly organization: Option<OrganizationId>
}

/** Filters combine: each narrows the result. */
export interface OrganizationQuery {
  readonly id: Option<OrganizationId>
  /** Folded words that the name must all contain (H2). */
  readonly words: ReadonlyArray<string>
  /** The year it joined. */
  readonly joined: Option<number>
}

/** The texts of an organization, in one language or in all. */
export interface TextQuery {
  readonly organization: OrganizationId
  readonly lang: Option<Language>
}

/** The figures of an organization, of one year or of all. */
export interface DatasetQuery {
  readonly organization: OrganizationId
  readonly year: Option<number>
}
