// Whether a gateway's memory stays flat: the heap after 10,000, 100,000 and a million pushes to a provider on loopback, each time after
// garbage has been collected: node tools/bench/push-memory.ts [pushes] [window]
import { machine } from './push/machine.ts'
import { measure } from './push/measure.ts'
import { KINDS } from './push/place.ts'

const PUSHES = Number(process.argv[2] ?? 1_000_000)
const WINDOW = Number(process.argv[3] ?? 100)
const marks = [PUSHES / 100, PUSHES / 10, PUSHES]

process.stdout.write(
  `${machine()}\n\n| heap (whole process) after | ${marks.join(' | ')} |\n| --- | --- | --- | --- |\n`,
)
for (const kind of KINDS) {
  const runs = await measure(kind, { who: ['gateway'], latency: 0, window: WINDOW, marks, rounds: 1 })
  const figures = runs
    .get('gateway')
    ?.memory.map(({ heap, resident }) => `${heap.toFixed(1)} MB (${resident.toFixed(0)} MB)`)
  process.stdout.write(`| ${kind} | ${figures?.join(' | ')} |\n`)
}
