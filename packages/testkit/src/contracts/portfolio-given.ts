import type { PortfolioContent } from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import { type Check, type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done } from './samples.ts'

/** A portfolio for one test, with its own data. */
export type PortfolioUnderTest = UnderTest<'portfolio'>

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
