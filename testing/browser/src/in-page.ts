import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { collectFaults } from './faults.ts'

/** How a scenario looks at the pages of a server. */
export interface PageOptions extends BrowserContextOptions {
  /** The server: requests to any other origin are faults. */
  readonly baseURL: string
  /** Faults that the scenario causes on purpose, such as the console's line about an answer with the status 400. */
  readonly expected?: ReadonlyArray<RegExp>
}

/** Milliseconds after which an act or an expectation hangs. On a machine with more browsers than cores, a click has taken over 15 s. */
const PATIENCE = 60_000

/**
 * Runs a scenario in a page of a fresh context, which is closed afterwards. Rejects if the scenario rejects, and also if there was any
 * fault: an uncaught error, an error in the console, a violation of the policy or a request to another host.
 */
export const inPage = async (
  browser: Browser,
  { expected = [], ...options }: PageOptions,
  scenario: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext(options)
  try {
    context.setDefaultTimeout(PATIENCE)
    const faults = await collectFaults(context, options.baseURL)
    const page = await context.newPage()
    const failure = await scenario(page).then(
      () => [],
      (error: unknown) => [error],
    )
    const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))
    const errors = [...failure, ...unexpected]
    if (unexpected.length > 0) throw new AggregateError(errors, errors.join('\n'))
    if (failure.length > 0) throw failure[0]
  } finally {
    await context.close()
  }
}
