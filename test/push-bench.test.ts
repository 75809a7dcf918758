import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Flooded } from '../tools/bench/push/flood.ts'
import { measure } from '../tools/bench/push/measure.ts'
import { runProcess, startProvider } from '../tools/bench/push/processes.ts'
import { tokenOf } from '../tools/bench/push/pushes.ts'
import { fillDevices } from '../tools/stress/fill-devices.ts'

// The benchmarks in bench/ take minutes; here they run for a moment, so that they still do when somebody needs them.

t.jobs = 2

t.test('tools/bench/push.ts: the bare client and the gateway push to a provider', async (t) => {
  const short = { latency: 1, window: 20, marks: [100, 200], rounds: 1 }
  const runs = await measure('webpush', { ...short, who: ['bare', 'gateway'] })
  t.equal(runs.size, 2)
  for (const { perSecond, cpuPerPush, memory } of runs.values()) {
    t.ok(perSecond > 0 && cpuPerPush > 0)
    t.strictSame(
      memory.map(({ pushes }) => pushes),
      [100, 200],
    )
  }
})

t.test('tools/bench/push-review.ts: a review pushes, and keeps its ledger', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'almoner-push-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const { place, stop } = await startProvider('fcm', 0)
  const file = join(folder, 'almoner.db')
  await fillDevices(file, 200, (n) => ({ token: tokenOf(place, n), kind: 'fcm' }))
  const { perSecond } = await runProcess<Flooded>('reviewer.ts', [file, 20], [place])
  t.ok(perSecond > 0)
  await stop()
})
