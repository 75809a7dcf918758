import type { Portfolio, PortfolioContent } from '../src/all.ts'
import { type Check, type ContractRunner, onEach } from './runner.ts'
import { done } from './samples.ts'

/** A portfolio for one test, with its own data. */
export interface PortfolioUnderTest {
  readonly portfolio: Portfolio
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** Registers a test on a portfolio with this content; none means that nothing was ever loaded. */
export const givenPortfolio =
  (runner: ContractRunner, make: () => Promise<PortfolioUnderTest>) =>
  (
    name: string,
    content: PortfolioContent | undefined,
    body: (check: Check, portfolio: Portfolio) => Promise<void>,
  ): void =>
    onEach(runner, make, async ({ portfolio }) => {
      if (content !== undefined) await done(portfolio.replace(content))
      return portfolio
    })(name, body)
