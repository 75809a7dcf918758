// Changes items and clients on one node, and asks another node on the same PostgreSQL about them again and again; looks how long that
// one still gives the old answer after the change was acknowledged. In some trials its connections to the database are cut or stalled
// just before the change.
// Usage: node tools/stress/fresh.ts [--trials 420]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProxy } from '../../packages/loopback-postgres/src/index.ts'
import { newGround } from './database.ts'
import { clientTrials } from './fresh/clients.ts'
import { itemTrials } from './fresh/items.ts'
import { runTrial, type Seen } from './fresh/trial.ts'
import { authorization, newManager, startServer } from './server.ts'

const { values } = parseArgs({ options: { trials: { type: 'string', default: '420' } } })
const TRIALS = Number(values.trials)
/** Milliseconds after which a node must not give the old answer any more. */
const BOUNDS = { items: 2000, clients: 5000 }
/** Connections that are cut, are cut at most so many milliseconds before the change; those that are stalled, stay so for this time. */
const CUT_BEFORE = 300
const STALLED = 3000

const folder = mkdtempSync(join(tmpdir(), 'almoner-fresh-'))
const ground = await newGround('postgres', folder)
const { cluster } = ground
if (cluster === undefined) throw new Error('there is no server')
const proxy = await startProxy(cluster)
const engine = await ground.open()
const credentials = newManager(folder, ground.settings)
const settings = { ALMONER_REVIEW: 'off', ALMONER_TRUST_PROXY: '127.0.0.1' }
const changed = await startServer(folder, { ...ground.settings, ...settings })
const asked = await startServer(folder, { ...settings, ALMONER_DATABASE: proxy.url('almoner') })
const manager = await authorization(changed.url, credentials)
credentials.set('scope', 'user')
const user = await authorization(changed.url, credentials)

const stage = { changed, asked, manager, user }
const trials = [
  ...Object.entries(itemTrials(stage)).map(([name, make]) => ({ name, make, bound: BOUNDS.items })),
  ...Object.entries(clientTrials(engine, stage)).map(([name, make]) => ({
    name,
    make,
    bound: BOUNDS.clients,
  })),
]

const flow = async (): Promise<void> => {
  await pause(STALLED)
  proxy.flow()
}
const DISTURBANCES = {
  none: async () => {},
  cut: async () => {
    proxy.cut()
    await pause(Math.random() * CUT_BEFORE)
  },
  stall: async () => {
    proxy.stall()
    void flow()
  },
}
type Disturbance = keyof typeof DISTURBANCES

/** Of ten trials of each kind one is stalled and two are cut. */
const disturbanceOf = (n: number): Disturbance => {
  if (n % 10 === 9) return 'stall'
  return n % 5 === 3 ? 'cut' : 'none'
}

const findings: Array<string> = []
const all: Array<Seen & { readonly name: string; readonly disturbance: Disturbance }> = []
for (let n = 0; n < TRIALS; n += 1) {
  const { name, make, bound } = trials[n % trials.length] ?? trials[0] ?? {}
  if (name === undefined || make === undefined || bound === undefined) break
  const trial = await make()
  const disturbance = disturbanceOf(Math.floor(n / trials.length))
  const seen = await runTrial(trial, DISTURBANCES[disturbance])
  all.push({ ...seen, name, disturbance })
  if (seen.worst > bound) findings.push(`${name}, ${disturbance}: the old answer after ${seen.worst} ms`)
  if (!seen.isOver) findings.push(`${name}, ${disturbance}: the new answer did not come`)
  const wrong = await trial.afterwards?.()
  if (wrong !== undefined) findings.push(`${name}, ${disturbance}: ${wrong}`)
  if ((n + 1) % 10 === 0) process.stderr.write(`\rtrial ${n + 1} of ${TRIALS}, ${findings.length} findings `)
}

for (const { process: node } of [changed, asked]) node.kill('SIGTERM')
await Promise.all([changed.ended, asked.ended])
await engine.close()
await proxy.close()
await ground.stop()
rmSync(folder, { recursive: true, force: true })

const worstOf = (name: string, disturbance: Disturbance): string => {
  const those = all.filter((one) => one.name === name && one.disturbance === disturbance)
  const late = those.filter(({ worst }) => worst > 0).length
  return `${those.length}, ${late}, ${Math.max(0, ...those.map(({ worst }) => worst))} ms`
}
const rows = trials.map(
  ({ name }) =>
    `| ${name} | ${(['none', 'cut', 'stall'] as const).map((d) => worstOf(name, d)).join(' | ')} |`,
)
const head = ['| trials, late, worst | undisturbed | cut | stalled |', '| --- | --- | --- | --- |']
const before = all.reduce((sum, one) => sum + one.before, 0)
process.stdout.write(`\n${[...head, ...rows].join('\n')}\n${before} old answers before the changes\n`)
process.stdout.write(`${JSON.stringify({ findings: findings.slice(0, 20) }, null, 2)}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
