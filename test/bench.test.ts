import t from 'tap'
import { chartOf } from '../tools/bench/load/chart.ts'
import { between } from '../tools/bench/load/document.ts'
import { SHORT } from '../tools/bench/load/efforts.ts'
import { makeGround } from '../tools/bench/load/ground.ts'
import { measureAll, PARTS } from '../tools/bench/load/report.ts'
import { makeRig } from '../tools/bench/load/rig.ts'
import { markdownOf } from '../tools/bench/load/table.ts'
import { weightTable } from '../tools/bench/weight.ts'

// `pnpm bench` takes forty minutes; here it runs for a moment, so that it still does when somebody needs it. A server that answers with
// another status than the workload expects makes it throw.

/** The review beside a bare client has a test of its own, in push-bench.test.ts. */
const NAMES = [...PARTS.keys()].filter((name) => name !== 'review')

/** Names of elements that are not closed, or closed and not open. */
const unbalanced = (svg: string): ReadonlyArray<string> => {
  const open: Array<string> = []
  for (const [, slash, name = '', alone] of svg.matchAll(/<(\/?)([a-z]+)\b[^>]*?(\/?)>/g)) {
    if (alone === '/') continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return [name]
  }
  return open
}

t.test('tools/bench/performance.ts: every workload runs, on every server', async (t) => {
  const ground = await makeGround(SHORT.size)
  const rig = makeRig(ground, SHORT.effort)
  t.teardown(async () => {
    await rig.stop()
    ground.remove()
  })
  const report = await measureAll(rig, NAMES, () => undefined)
  for (const { name, ours, counterpart } of report.lines)
    t.ok(ours.perSecond > 0 && counterpart.perSecond > 0, name)
  for (const { title, figure } of report.bounds) t.ok(Number.isFinite(figure), title)

  const markdown = markdownOf(report, SHORT.effort)
  for (const table of markdown.split('\n\n').slice(1)) {
    const cells = table.split('\n').map((row) => row.split('|').length)
    t.equal(new Set(cells).size, 1, 'all rows of a table have as many cells')
  }
  const chart = chartOf(report.lines)
  t.strictSame(unbalanced(chart), [])
  t.notMatch(chart, /NaN|undefined|Infinity/)
  t.equal(chart.match(/<rect/g)?.length, report.lines.length)
})

t.test('tools/bench/performance.ts: figures are written between their markers', async (t) => {
  const document = 'Before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nafter\n'
  t.equal(
    between(document, 'figures', 'new'),
    'Before\n<!-- figures: begin -->\n\nnew\n\n<!-- figures: end -->\nafter\n',
  )
  t.throws(() => between('nothing', 'figures', 'new'))
})

t.test('tools/bench/weight.ts: the heaviest dependencies are weighed', async (t) => {
  t.match(weightTable(3), /^\| 3 \| .+ MB \|/m)
})
