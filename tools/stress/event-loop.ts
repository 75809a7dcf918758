// Measures the longest time for which each kind of request and job holds the event loop on a large database (I6):
//   node tools/stress/event-loop.ts [--items 1000000] [--folder FOLDER] [--only TEXT]
// A database in FOLDER that is there already is used as it is; the purges delete rows of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { withOffsetIndexes } from '../../packages/adapters-kysely/src/index.ts'
import { openStore } from '../bench/store.ts'
import { check, options, report } from './campaign.ts'
import { filledDatabase } from './event-loop/fill.ts'
import { workloads } from './event-loop/workloads.ts'

const { items, folder: given, only } = options({ items: 1_000_000, folder: '', only: '' })
const folder = given === '' ? mkdtempSync(join(tmpdir(), 'almoner-event-loop-')) : given
if (given === '') process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The longest piece that a request may hold the event loop for, in milliseconds. */
const LIMIT = 20
/** A piece counts as the shortest of several rounds: pauses of the garbage collector and of the machine are not the request's. */
const ROUNDS = 3

/** Milliseconds that this thread has spent on a processor: time in which the machine runs others does not count. */
const spent = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs work, and returns the longest piece between two iterations of the event loop, and how long all of it took. */
const longestPiece = async (work: () => Promise<unknown>) => {
  let [isOver, longest, last] = [false, 0, spent()]
  const watch = (async () => {
    while (!isOver) {
      await nextTurn()
      const now = spent()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  const began = performance.now()
  try {
    await work()
  } finally {
    isOver = true
  }
  await watch
  return { longest, whole: performance.now() - began }
}

const file = await filledDatabase(folder, items)
const { engine, ...plain } = await openStore(file)
const store = withOffsetIndexes(plain as never, engine)
const rows: Array<string> = []
for (const { name, work } of workloads(store, items)) {
  if (!name.includes(only)) continue
  let [longest, whole] = [Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round += 1) {
    const piece = await longestPiece(work)
    longest = Math.min(longest, piece.longest)
    whole = Math.min(whole, piece.whole)
  }
  rows.push(`| ${name} | ${longest.toFixed(1)} ms | ${whole.toFixed(1)} ms |`)
  process.stderr.write(`${rows.at(-1)}\n`)
  check(longest <= LIMIT, `${name} held the event loop for ${longest.toFixed(1)} ms`)
}
await engine.close()
report({ rows })
