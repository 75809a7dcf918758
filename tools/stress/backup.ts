// Takes backups while writers write as fast as they can, and restores each. A restored database must contain a prefix of each writer's
// writes, with all that were acknowledged before the backup began, and no write without the ones acknowledged before it.
// Usage: node tools/stress/backup.ts [--backups 20] [--writers 8]
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { check, folder, options, progress, report } from './campaign.ts'
import { runCommand } from './server.ts'

const { backups, writers } = options({ backups: 20, writers: 8 })
/** Milliseconds of writing before each backup. */
const BETWEEN = 500

const shared = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
const [acknowledged, isOver] = [shared(writers), shared(1)]
const counts = () => Array.from(acknowledged, (_, n) => Atomics.load(acknowledged, n))
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, one) => all + one, 0)

/** Reads each write from its email: the writer, its number, and the writes of each writer that were acknowledged before it. */
const writesIn = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('select email from person').all()
  database.close()
  return rows.map(({ email }) => {
    const [writer = 0, n = 0, ...seen] = String(email).split('@')[0]?.split('.').map(Number) ?? []
    return { writer, n, seen }
  })
}

const verify = (name: string, file: string, before: Array<number>, after: Array<number>): void => {
  const writes = writesIn(file)
  const numbers = before.map((_, at) => writes.filter(({ writer }) => writer === at).map(({ n }) => n))
  for (const [writer, { length }] of numbers.entries()) {
    const last = Math.max(0, ...(numbers[writer] ?? []))
    check(last === length, `${name}: writer ${writer} has ${length} writes up to ${last}`)
    check(length >= (before[writer] ?? 0), `${name}: writer ${writer} lost an acknowledged write`)
    // One more may have been written and not yet acknowledged.
    check(length <= (after[writer] ?? 0) + 1, `${name}: writer ${writer} has what it never wrote`)
  }
  for (const { writer, n, seen } of writes)
    check(
      seen.every((count, other) => count <= (numbers[other]?.length ?? 0)),
      `${name}: write ${n} of ${writer} is there without one that came before it`,
    )
}

const figures = { images: 0, writes: 0, seconds: 0 }
const round = (name: string): void => {
  const [before, start] = [counts(), performance.now()]
  const [archive, restored] = [join(folder, `${name}.tar`), join(folder, name)]
  figures.images += Number(runCommand(folder, {}, 'backup', archive)['images'])
  const after = counts()
  figures.writes += sum(after) - sum(before)
  figures.seconds += (performance.now() - start) / 1000
  runCommand(restored, {}, 'restore', archive)
  verify(name, join(restored, 'almoner.db'), before, after)
  rmSync(restored, { recursive: true })
  rmSync(archive)
}

const worker = new Worker(new URL('./backup-writer.ts', import.meta.url), {
  workerData: { folder, acknowledged, isOver },
})
worker.on('error', (error) => {
  throw error
})
const ended = once(worker, 'exit')
while (counts().includes(0)) await pause(10)
for (let n = 1; n <= backups; n += 1) {
  await pause(BETWEEN)
  round(`backup-${n}`)
  progress(`backup ${n} of ${backups}`)
}
Atomics.store(isOver, 0, 1)
await ended
report({ backups, writers, ...figures, writesASecond: Math.round(figures.writes / figures.seconds) })
