// Two people edit one item in two browsers, in random interleavings.
// Usage: node tools/stress/two-browsers.ts [--rounds 200] [--seed 1]
import { join } from 'node:path'
import t from 'tap'
import { openConsole } from '../../packages/console/test/support/console-server.ts'
import { assets, browser } from '../../packages/console/test/support/scenario.ts'
import { interleave } from '../../packages/console/test/support/two-editors.ts'
import { inPage } from '../../testing/browser/src/index.ts'
import { findings, folder, options, progress, report } from './campaign.ts'

const { rounds, seed } = options({ rounds: 200, seed: 1 })

// The fixture's stores load tap, which ends a process after 30 seconds.
t.setTimeout(0)

const ends: Array<() => unknown> = []
const stage = {
  testdir: () => join(folder, 'console'),
  teardown: (end: () => unknown) => void ends.push(end),
}
const opened = await openConsole(stage as never, assets, { hasEvents: false })
const { baseURL, signIn } = opened
const settings = { baseURL, locale: 'en-GB', expected: [/^console: .*\b412\b/] }
const totals = { rounds, saves: 0, clashes: 0 }

await inPage(browser, settings, (first) =>
  inPage(browser, settings, async (second) => {
    await first.context().addCookies([await signIn('Camille')])
    await second.context().addCookies([await signIn('Bruno')])
    for (let round = 0; round < rounds; round += 1) {
      const outcome = await interleave(opened, [first, second], seed + round)
      totals.saves += outcome.saves
      totals.clashes += outcome.clashes
      findings.push(...outcome.findings)
      progress(`${round + 1} interleavings`)
    }
  }),
)
for (const end of ends.toReversed()) await end()
await browser.close()
report(totals)
