// A person acts on many publications while others change them, answers are lost and the page ends, at random.
// Usage: node tools/stress/bulk-acts.ts [--rounds 100] [--seed 1]
import { join } from 'node:path'
import t from 'tap'
import { bulkRound } from '../../packages/console/test/support/bulk-round.ts'
import { openConsole } from '../../packages/console/test/support/console-server.ts'
import { assets, browser } from '../../packages/console/test/support/scenario.ts'
import { inPage } from '../../testing/browser/src/index.ts'
import { findings, folder, options, progress, report } from './campaign.ts'

const { rounds, seed } = options({ rounds: 100, seed: 1 })

// The fixture's stores load tap, which ends a process after 30 seconds.
t.setTimeout(0)

const ends: Array<() => unknown> = []
const stage = {
  testdir: () => join(folder, 'console'),
  teardown: (end: () => unknown) => void ends.push(end),
}
const opened = await openConsole(stage as never, assets)
const settings = {
  baseURL: opened.baseURL,
  locale: 'en-GB',
  expected: [/^console: .*\b(?:400|409|412)\b/, /^console: .*ERR_/],
}
const totals = { rounds, done: 0, refused: 0, restored: 0 }

await inPage(browser, settings, async (page) => {
  await page.context().addCookies([await opened.signIn()])
  page.on('dialog', (dialog) => void dialog.accept())
  for (let round = 0; round < rounds; round += 1) {
    const outcome = await bulkRound(opened, page, seed + round)
    totals.done += outcome.done
    totals.refused += outcome.refused
    totals.restored += outcome.restored
    findings.push(...outcome.findings)
    progress(`${round + 1} acts`)
  }
})
for (const end of ends.toReversed()) await end()
await browser.close()
report(totals)
