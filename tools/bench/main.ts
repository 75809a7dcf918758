// Measures the built service beside baselines in the same run, and rewrites the figures of docs/performance.md: pnpm bench
//   --only NAME    measures this alone (repeatable) and prints it
//   --short        takes a few minutes on less data and prints the figures
import { parseArgs } from 'node:util'
import { build, DIST } from '../../tools/bundle/src/build.ts'
import { runBuilt } from '../stress/server.ts'
import { markdownOf, rewrite } from './report.ts'
import { FULL, NAMES, run, SHORT } from './run.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, short: { type: 'boolean', default: false } },
})
const extent = values.short ? SHORT : FULL

await build(DIST)
runBuilt()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const report = await run(values.only ?? NAMES, extent, (name) => process.stderr.write(`${name}\n`))
const markdown = markdownOf(report, extent.effort)
if (values.only === undefined && !values.short) await rewrite('figures', markdown)
process.stdout.write(`${markdown}\n`)
