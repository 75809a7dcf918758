import type { ContentPolicy, ContentPorts } from '../content/ports.ts'
import type { Portfolio } from './portfolio.ts'

/** What portfolio and the areas before it ask of the world. */
export interface PortfolioPorts extends ContentPorts {
  readonly portfolio: Portfolio
}

/** What a deployment decides for portfolio and the areas before it. */
export interface PortfolioPolicy extends ContentPolicy {
  /** The years that `joined` may ask for, both included (H2). */
  readonly joinedYears: { readonly first: number; readonly last: number }
}
