// Measures the service beside bare counterparts in the same run, and writes docs/performance.md: pnpm bench
//   --only NAME      this alone (may be given several times), printed, and nothing is written
//   --seconds N      of one run, 5 unless given; --rounds N: how often, 3 unless given, and the median counts
//   --patient        waits and measures again as a run for the docs does
//   --short          a moment of each on little data, printed, and nothing is written
// The service is built first. A run for the docs waits for the machine to be left alone, and measures again what was disturbed, or while the
// machine's own speed changed.
import { parseArgs } from 'node:util'
import { build, DIST } from '../../apps/built/src/build.ts'
import { runBuilt } from '../stress/server.ts'
import { chartOf } from './load/chart.ts'
import { writeDocument } from './load/document.ts'
import { FULL, SHORT } from './load/efforts.ts'
import { makeGround } from './load/ground.ts'
import { measureAll, PARTS } from './load/report.ts'
import { makeRig } from './load/rig.ts'
import { markdownOf } from './load/table.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    patient: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
})

const { size, effort } = values.short ? SHORT : FULL
const names = values.only ?? [...PARTS.keys()]
const isForDocs = values.only === undefined && !values.short
const chosen = {
  ...effort,
  seconds: Number(values.seconds ?? effort.seconds),
  rounds: Number(values.rounds ?? effort.rounds),
  patient: isForDocs || values.patient,
}

await build(DIST)
runBuilt()
const ground = await makeGround(size)
// Whatever ends the run, the data goes: a million items are not left behind.
process.once('exit', ground.remove)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const rig = makeRig(ground, chosen)
try {
  const report = await measureAll(rig, names, (name) => process.stderr.write(`${name}\n`))
  if (isForDocs) await writeDocument(markdownOf(report, chosen), chartOf(report.lines))
  else process.stdout.write(`${markdownOf(report, chosen)}\n`)
} finally {
  await rig.stop()
}
