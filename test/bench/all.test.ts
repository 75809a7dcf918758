import t from 'tap'
import { makeDataset } from '../../tools/bench/dataset.ts'
import { comparePush, PUSH_ROWS } from '../../tools/bench/push/compare.ts'
import { between, markdownOf } from '../../tools/bench/report.ts'
import { NAMES, run, SHORT } from '../../tools/bench/run.ts'
import { weightTable } from '../../tools/bench/weight.ts'
import { runBuilt } from '../../tools/stress/server.ts'

// `pnpm bench` takes long; here it runs for a moment, so that it still works when it is needed. A server that answers with another status
// than the workload expects makes it throw.

if (process.env['TEST_PROGRAM'] === 'built') runBuilt()

const TINY = {
  size: { items: 100, manyItems: 100, organizations: 100, devices: 60, image: { width: 60, height: 30 } },
  effort: { seconds: 1, amount: 4, rounds: 1, warmUp: 0, starts: 1, settle: 0 },
}

/** One workload of each way to start the servers and of each baseline; the others differ in their requests. Pushes have a test of their own. */
const SOME = [
  'list',
  'item-uncached',
  'create',
  'token',
  'search',
  'workers',
  'postgres',
  'traced',
  'start',
  'memory',
]

t.test('pnpm bench: workloads run next to their baselines', async (t) => {
  t.strictSame(
    SOME.filter((name) => !NAMES.includes(name)),
    [],
  )
  const report = await run(SOME, TINY, () => undefined)
  for (const { name, sides } of report.compared)
    for (const { perSecond, cpu } of sides) t.ok(perSecond > 0 && cpu >= 0, name)
  for (const { title, figure } of report.bounds) t.ok(figure > 0, title)
  for (const table of markdownOf(report, SHORT.effort).split('\n\n').slice(1)) {
    const cells = table.split('\n').map((row) => row.split('|').length)
    t.equal(new Set(cells).size, 1, 'all rows of a table have the same number of cells')
  }
})

t.test('pnpm bench: gateways and reviews push next to a bare client', async (t) => {
  const dataset = makeDataset(TINY.size)
  t.teardown(dataset.remove)
  for (const row of PUSH_ROWS.filter(({ name }) => ['webpush', 'review'].includes(name))) {
    const { sides } = await comparePush(dataset, { ...row, window: 20 }, { rounds: 1 })
    for (const { perSecond, cpu } of sides) t.ok(perSecond > 0 && cpu > 0, row.name)
  }
})

t.test('pnpm bench: results are written between their markers', async (t) => {
  const document = 'Before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nafter\n'
  t.equal(
    between(document, 'figures', 'new'),
    'Before\n<!-- figures: begin -->\n\nnew\n\n<!-- figures: end -->\nafter\n',
  )
  t.throws(() => between('nothing', 'figures', 'new'))
})

t.test('tools/bench/weight.ts: measures the heaviest dependencies', async (t) => {
  t.match(weightTable(3), /^\| 3 \| .+ MB \|/m)
})
