// Kills `almoner import` with SIGKILL at random moments, and looks whether what it leaves behind is empty or whole, and whether the
// import can be run again where it is empty and then gives the archive that it came from.
// Usage: node tools/stress/import.ts [--database postgres] [--kills 12] [--devices 60000]
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeTransferStore } from '../../packages/adapters-kysely/src/index.ts'
import { type Ground, groundIn, isBlank, newGround } from './database.ts'
import { right } from './either.ts'
import { furnish } from './import/furnish.ts'
import { beginCommand, command, commandWith } from './server.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '12' },
    devices: { type: 'string', default: '60000' },
  },
})
const KILLS = Number(values.kills)
const FURNITURE = { devices: Number(values.devices), items: 2000, images: 200 }
/** A kill comes at any moment of so much of the time that an import takes: some come too late. */
const WITHIN = 1.05

const folder = mkdtempSync(join(tmpdir(), 'almoner-import-'))
const archive = join(folder, 'all.tar')
const source = join(folder, 'source')
mkdirSync(source)
await furnish(source, FURNITURE)
command(source, 'export', archive)
const whole = readFileSync(archive)
const server = await newGround(values.database, folder)
const findings: Array<string> = []

/** An empty service. */
interface Target {
  readonly name: string
  readonly folder: string
  readonly ground: Ground
}

const newTarget = async (name: string): Promise<Target> => {
  const own = join(folder, name)
  mkdirSync(own)
  const { cluster } = server
  await cluster?.createDatabase(name)
  const ground = cluster === undefined ? await newGround('sqlite', own) : groundIn(cluster, cluster.url(name))
  return { name, folder: own, ground }
}

/** Whether a service gives the archive that it came from. */
const isWhole = ({ folder: own, ground }: Target): boolean => {
  const file = join(own, 'again.tar')
  commandWith(own, ground.settings, 'export', file)
  const same = readFileSync(file).equals(whole)
  rmSync(file)
  return same
}

/** Waits until a server has noticed that a process is gone, and has undone what that had begun. */
const quiet = async ({ name }: Target): Promise<void> => {
  const those = `select count(*)::int as those from pg_stat_activity where datname = '${name}'`
  for (let at = 0; at < 600; at += 1) {
    const rows = await server.cluster?.ask(those)
    if (rows === undefined || rows[0]?.['those'] === 0) return
    await pause(50)
  }
  findings.push(`${name}: the server has not let go after half a minute`)
}

/** Whether a database holds nothing: no tables, or tables as a new one has them. */
const isEmpty = async ({ ground }: Target): Promise<boolean> => {
  const engine = await ground.open()
  try {
    return (await isBlank(engine)) || (await right(makeTransferStore(engine).existingRows())).length === 0
  } finally {
    await engine.close()
  }
}

const importInto = ({ folder: own, ground }: Target) => {
  const child = beginCommand(own, ground.settings, ['import', archive])
  child.stderr?.resume()
  return { child, exit: once(child, 'exit') }
}

/** Milliseconds that the last import took that nobody killed. */
let takes = 0
const importWhole = async (target: Target): Promise<unknown> => {
  const started = performance.now()
  const [code] = await importInto(target).exit
  takes = performance.now() - started
  return code
}

const first = await newTarget('first')
const code = await importWhole(first)
if (code !== 0 || !isWhole(first)) findings.push(`an import that nobody kills ends with ${code}`)

const left = { empty: 0, whole: 0, endedBefore: 0 }
const moments: Array<number> = []
for (let n = 1; n <= KILLS; n += 1) {
  const target = await newTarget(`target_${n}`)
  const { child, exit } = importInto(target)
  const moment = Math.random() * takes * WITHIN
  await pause(moment)
  child.kill('SIGKILL')
  const [code] = await exit
  await quiet(target)
  if (code === 0) left.endedBefore += 1
  else moments.push(Math.round(moment / 100) / 10)
  if (await isEmpty(target)) {
    left.empty += 1
    if ((await importWhole(target)) !== 0) findings.push(`${target.name}: the import cannot be run again`)
  } else left.whole += 1
  if (!isWhole(target)) findings.push(`${target.name}: it is not what was exported`)
  process.stderr.write(`\rkill ${n} of ${KILLS}, ${JSON.stringify(left)}, ${findings.length} findings `)
  rmSync(target.folder, { recursive: true })
}
await server.stop()
const outcome = {
  ...values,
  ...FURNITURE,
  megabytes: Math.round(whole.length / 1e6),
  seconds: Math.round(takes / 100) / 10,
  killedAfterSeconds: moments.sort((a, b) => a - b),
  left,
  findings,
}
process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
