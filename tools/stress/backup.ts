// Takes backups while writers write as fast as they can, restores each, and looks whether it holds a prefix of what each writer
// wrote, with all that was acknowledged before the backup began, and nothing without what was acknowledged before that.
// Usage: node tools/stress/backup.ts [backups] [writers]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { command } from './server.ts'

const BACKUPS = Number(process.argv[2] ?? 20)
const WRITERS = Number(process.argv[3] ?? 8)
/** Writing goes on for so many milliseconds before each backup. */
const BETWEEN = 500

const folder = mkdtempSync(join(tmpdir(), 'almoner-backup-'))
const shared = (length: number) =>
  new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
const acknowledged = shared(WRITERS)
const told = shared(1)
const findings: Array<string> = []

const counts = (): ReadonlyArray<number> => Array.from(acknowledged, (_, n) => Atomics.load(acknowledged, n))

/** A write that a database holds, and what its writer knew to be acknowledged before it. */
interface Written {
  readonly writer: number
  readonly n: number
  readonly seen: ReadonlyArray<number>
}

const writtenIn = (file: string): ReadonlyArray<Written> => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select email from person').all()
  database.close()
  return rows.map(({ email }) => {
    const [writer = 0, n = 0, ...seen] = String(email).split('@')[0]?.split('.').map(Number) ?? []
    return { writer, n, seen }
  })
}

const check = (
  name: string,
  file: string,
  before: ReadonlyArray<number>,
  after: ReadonlyArray<number>,
): void => {
  const all = writtenIn(file)
  const held = before.map((_, writer) => all.filter((one) => one.writer === writer).length)
  for (const [writer, count] of held.entries()) {
    const last = Math.max(0, ...all.filter((one) => one.writer === writer).map(({ n }) => n))
    if (last !== count) findings.push(`${name}: writer ${writer} has ${count} writes up to ${last}`)
    if (count < (before[writer] ?? 0)) findings.push(`${name}: writer ${writer} lost what was acknowledged`)
    // One more may have been written and not yet acknowledged.
    if (count > (after[writer] ?? 0) + 1) findings.push(`${name}: writer ${writer} has what it never wrote`)
  }
  for (const { writer, n, seen } of all)
    if (seen.some((count, other) => count > (held[other] ?? 0)))
      findings.push(`${name}: write ${n} of ${writer} is there without what came before it`)
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

/** What went on while backups were taken. */
const done = { images: 0, writes: 0, seconds: 0 }

const round = (name: string): void => {
  const [before, start] = [counts(), performance.now()]
  const file = join(folder, `${name}.tar`)
  done.images += Number(command(folder, 'backup', file)['images'])
  const after = counts()
  done.writes += sum(after) - sum(before)
  done.seconds += (performance.now() - start) / 1000
  const restored = join(folder, name)
  command(restored, 'restore', file)
  check(name, join(restored, 'almoner.db'), before, after)
  rmSync(restored, { recursive: true })
  rmSync(file)
}

const worker = new Worker(new URL('./backup/writer.ts', import.meta.url), {
  workerData: { folder, acknowledged, told },
})
worker.on('error', (error) => {
  throw error
})
const ended = new Promise((resolve) => worker.once('exit', resolve))
while (counts().some((count) => count === 0)) await pause(10)
for (let n = 1; n <= BACKUPS; n += 1) {
  await pause(BETWEEN)
  round(`backup-${n}`)
  process.stderr.write(`\rbackup ${n} of ${BACKUPS}, ${findings.length} findings `)
}
Atomics.store(told, 0, 1)
await ended
const { images, writes, seconds } = done
const meanwhile = { writes, writesASecond: Math.round(writes / seconds) }
process.stdout.write(
  `\n${JSON.stringify({ backups: BACKUPS, writers: WRITERS, images, meanwhile, findings }, null, 2)}\n`,
)
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
