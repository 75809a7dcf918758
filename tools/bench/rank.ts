import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Store } from '../../packages/adapters-kysely/src/index.ts'
import { done, sampleDay, sampleId, sampleLibraryItem } from '../../packages/domain/contracts/index.ts'
import { fill } from './fill.ts'
import { CALLERS, measureOffsets, measurePages, QUERIES } from './pages.ts'
import { openStore } from './store.ts'
import type { Walk } from './walk.ts'

const ITEMS = 1_000_000
/** The rank measured for each caller: about nine tenths of what it sees. */
const RANKS = { 'content-manager': 900_000, 'user-donor': 720_000, 'user, lang=fr': 180_000 } as const

const say = (line: string) => process.stdout.write(`${line}\n`)

const reportPages = async (store: Store) => {
  say('| page of 20, caller | rank 0 | deep rank | median at rank 0 | median there | ratio |')
  say('| --- | --- | --- | --- | --- | --- |')
  for (const caller of CALLERS) {
    const rank = RANKS[caller]
    const { top, deep } = await measurePages(store, QUERIES[caller], rank)
    const cells = [caller, 0, rank, `${top.toFixed(3)} ms`, `${deep.toFixed(3)} ms`, (deep / top).toFixed(2)]
    say(`| ${cells.join(' | ')} |`)
  }
}

/** Pages by `offset`, while ten items a second are written. */
const reportOffsets = async (store: Store) => {
  say(
    '\n| page of 20 by offset, caller | rank | median at rank 0 | median there | ratio | the first there | slowest write |',
  )
  say('| --- | --- | --- | --- | --- | --- | --- |')
  let finished = false
  const writing = writeUntil(store, () => finished)
  const rows: Array<ReadonlyArray<string | number>> = []
  for (const caller of CALLERS) {
    const rank = RANKS[caller]
    const { first, top, deep } = await measureOffsets(store, QUERIES[caller], rank)
    const times = [top, deep].map((time) => `${(1000 * time).toFixed(1)} µs`)
    rows.push([caller, rank, ...times, (deep / top).toFixed(2), `${first.toFixed(0)} ms`])
  }
  finished = true
  const { slowest } = await writing
  for (const row of rows) say(`| ${[...row, `${slowest.toFixed(1)} ms`].join(' | ')} |`)
}

/** What is written meanwhile comes to the top, so that every rank moves. */
const NEWEST = sampleDay(Math.floor(ITEMS / 270) + 1)

/** The number of the next item that is written. */
let nextItem = ITEMS

/** Writes ten items a second until told to stop; gives how many, and the slowest write in milliseconds. */
const writeUntil = async ({ libraryItems }: Store, stopped: () => boolean) => {
  let slowest = 0
  let written = 0
  for (; !stopped(); written += 1) {
    const start = performance.now()
    const item = sampleLibraryItem(0, { id: sampleId(nextItem), publicationDate: NEWEST })
    nextItem += 1
    await done(libraryItems.add({ item, mentions: [] }))
    slowest = Math.max(slowest, performance.now() - start)
    await pause(100)
  }
  return { written, slowest }
}

const reportWalk = async (store: Store, file: string) => {
  let finished = false
  const script = join(import.meta.dirname, 'walk.ts')
  const walking = promisify(execFile)(process.execPath, [script, file]).finally(() => {
    finished = true
  })
  const writes = await writeUntil(store, () => finished)
  const walk = JSON.parse((await walking).stdout) as Walk
  say('\n| whole collection | seconds | peak memory of the process | written meanwhile | slowest write |')
  say('| --- | --- | --- | --- | --- |')
  const cells = [
    `${walk.items} items`,
    walk.seconds.toFixed(1),
    `${walk.peakMegabytes.toFixed(0)} MB`,
    `${writes.written} items`,
    `${writes.slowest.toFixed(1)} ms`,
  ]
  say(`| ${cells.join(' | ')} |`)
}

// What C11 and C12 promise, in figures, on a file of its own: node tools/bench/rank.ts
const folder = await mkdtemp(join(tmpdir(), 'almoner-rank-'))
try {
  const file = join(folder, 'rank.db')
  await fill(file, ITEMS)
  const store = await openStore(file)
  await reportPages(store)
  await reportOffsets(store)
  await reportWalk(store, file)
  await store.engine.close()
} finally {
  await rm(folder, { recursive: true })
}
