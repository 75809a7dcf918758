import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { PortfolioHead } from '../../portfolio/portfolio.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of GET /portfolio/: none. */
export const ShowPortfolio = parameters({ name: 'ShowPortfolio', required: {}, optional: {} })
export type ShowPortfolio = typeof ShowPortfolio._A

/** The portfolio's name and size (A7). */
export const makeShowPortfolio =
  (ports: Pick<PortfolioPorts, 'portfolio'>) =>
  (caller: Caller): TE.TaskEither<InsufficientScope | Unavailable, PortfolioHead> =>
    permitted('showPortfolio', caller)(() => ports.portfolio.head())
