import type { BrowserContext } from 'playwright-core'

/** The parts of an event about the policy, and of the page, that the script below uses. */
interface Violation extends Event {
  readonly effectiveDirective: string
  readonly blockedURI: string
  readonly sourceFile: string
}
interface ObservedPage extends EventTarget {
  readonly reportViolation: (text: string) => void
}

/** Sends every violation of the page's policy to the test. Runs in the page, before its scripts. */
const reportViolations = (): void => {
  const page = globalThis as unknown as ObservedPage
  page.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile } = event as Violation
    page.reportViolation(`${effectiveDirective} ${blockedURI} ${sourceFile}`)
  })
}

/**
 * Collects everything that goes wrong in the pages of a context: uncaught errors, errors in the console, violations of the content
 * security policy, and requests to another origin than that of `baseUrl`. Returns the list, which grows.
 */
export const collectFaults = async (
  context: BrowserContext,
  baseUrl: string,
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const { origin } = new URL(baseUrl)
  context.on('weberror', (error) => faults.push(`error: ${error.error().stack ?? error.error()}`))
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`)
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(?:https?|wss?):$/.test(url.protocol) && url.origin !== origin) faults.push(`foreign host: ${url}`)
  })
  await context.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`))
  await context.addInitScript(reportViolations)
  return faults
}
