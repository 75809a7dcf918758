import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { ContentPolicy, ContentPorts } from '../content/ports.ts'
import type { PortfolioImage, PortfolioImageName } from '../media/portfolio-images.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { PortfolioChanged } from './changes.ts'
import type {
  ChallengeCursor,
  DatasetQuery,
  OrganizationQuery,
  SectorQuery,
  TextCursor,
  TextQuery,
} from './finding.ts'
import type {
  Challenge,
  Dataset,
  Introduction,
  Organization,
  OrganizationId,
  PortfolioContent,
  PortfolioHead,
  Program,
  Sector,
  SectorId,
  Summary,
} from './model.ts'

/** What portfolio and the areas before it ask of the world. */
export interface PortfolioPorts extends ContentPorts {
  readonly portfolio: Portfolio
}

/** What a deployment decides for portfolio and the areas before it. */
export interface PortfolioPolicy extends ContentPolicy {
  /** The years that `joined` may ask for, both included (H2). */
  readonly joinedYears: { readonly first: number; readonly last: number }
}

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
