import axe from 'axe-core'
import type { Page } from 'playwright-core'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

interface Violation {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** Returns what axe finds against WCAG 2.2, levels A and AA, in a page: the rule, the element and the reason, a line for each. */
export const accessibilityFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (levels): Promise<ReadonlyArray<Violation>> => {
    const { run } = Reflect.get(globalThis, 'axe') as typeof axe
    return (await run({ runOnly: levels, resultTypes: ['violations'] })).violations
  }, LEVELS)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  )
}
