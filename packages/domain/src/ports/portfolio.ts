import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { PortfolioImage, PortfolioImageName } from '../media/portfolio-images.ts'
import type { PortfolioChanged } from '../portfolio/changes.ts'
import type { ChallengeCursor, TextCursor } from '../portfolio/cursors.ts'
import type { Dataset } from '../portfolio/dataset.ts'
import type { OrganizationId, SectorId } from '../portfolio/ids.ts'
import type { Organization } from '../portfolio/organization.ts'
import type { PortfolioContent, PortfolioHead } from '../portfolio/portfolio.ts'
import type { DatasetQuery, OrganizationQuery, SectorQuery, TextQuery } from '../portfolio/queries.ts'
import type { Sector } from '../portfolio/sector.ts'
import type { Challenge, Introduction, Program, Summary } from '../portfolio/texts.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'

/** What lies in a window of a query, in its order (H3); read as lists of items are (C11, C12). */
export type PortfolioList<Query, A, Cursor> = (
  query: Query,
  window: PageRequest<Cursor>,
) => TaskEither<Unavailable, ResultSet<A, Cursor>>

/** The portfolio of the last load; empty before the first. Unknown ids have empty collections (H3). */
export interface Portfolio {
  /** Its name, and how many organizations it has. */
  head(): TaskEither<Unavailable, PortfolioHead>
  readonly sectors: PortfolioList<SectorQuery, Sector<PortfolioImageName>, SectorId>
  readonly organizations: PortfolioList<OrganizationQuery, Organization<PortfolioImageName>, OrganizationId>
  readonly introductions: PortfolioList<TextQuery, Introduction, TextCursor>
  readonly summaries: PortfolioList<TextQuery, Summary, TextCursor>
  readonly programs: PortfolioList<TextQuery, Program, TextCursor>
  readonly challenges: PortfolioList<TextQuery, Challenge, ChallengeCursor>
  readonly datasets: PortfolioList<DatasetQuery, Dataset, number>
  /** All of it at one moment, each table in its order; an organization's sectors by id. For checks, which look at everything. */
  content(): TaskEither<Unavailable, PortfolioContent>
  /** Every stored image that it shows. */
  images(): TaskEither<Unavailable, ReadonlyArray<PortfolioImage>>
  /**
   * Replaces everything at once: readers see the old one or the new one, whole (H1). Durable when it succeeds. With an act it leaves a record,
   * unless both are the same (K1).
   */
  replace(content: PortfolioContent, act?: TimedAct): TaskEither<Unavailable, void>
  /** As `replace`, if the stored portfolio equals `before`. Fails with PortfolioChanged if another load was faster. */
  replaceReviewed(
    load: { readonly before: PortfolioContent; readonly content: PortfolioContent },
    act?: TimedAct,
  ): TaskEither<PortfolioChanged | Unavailable, void>
}
