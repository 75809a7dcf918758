// Reads whole collections that overlap without a gap while others write, and watches the write-ahead log of SQLite (C12):
//   node tools/stress/log-growth.ts [--seconds 30] [--readers 6] [--writers 8] [--items 20000] [--bulk 40]
//     [--slow 0] [--foreign 0]
// --bulk is what another process writes besides, in MiB a second. --slow 1 adds a reader that takes 20 KB/s, and --foreign 1 a process that reads
// from an old state for half of the time.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from '../bench/fill.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { addManager, ask, authorize, startServer } from './server.ts'

const { seconds, readers, writers, items, bulk, slow, foreign } = options({
  seconds: 30,
  readers: 6,
  writers: 8,
  items: 20_000,
  bulk: 40,
  slow: 0,
  foreign: 0,
})
const MEBIBYTE = 1024 * 1024
/** The limit of a server, and what writers may add until the readers that are in the way have ended. */
const [LIMIT, SLACK] = [256 * MEBIBYTE, 64 * MEBIBYTE]

const file = join(folder, 'almoner.db')
await fill(file, items)
const manager = addManager(folder)
const server = await startServer(folder, { ALMONER_CACHE: '0', ALMONER_REVIEW: 'off' })
const headers = await authorize(server.url, manager)
const held: Array<string> = []
server.log.on('line', (line) => {
  if (line.includes('another process reads from an old state')) held.push(line)
})

let isOver = false
const seen = { whole: 0, cut: 0, unavailable: 0, writes: 0, bulk: 0, refused: 0, most: 0, longest: 0 }

/** Reads a collection to its end, or until it is cut; slowly if `bytes` a second are given. */
const readWhole = (bytes = Infinity): Promise<'whole' | 'cut' | 'unavailable'> =>
  new Promise((resolve) => {
    const agent = new Agent()
    const received = (response: IncomingMessage): void => {
      if (response.statusCode !== 200) {
        response.resume()
        resolve('unavailable')
        return
      }
      let last = ''
      response.on('data', (chunk: Buffer) => {
        last = chunk.toString('latin1')
        if (bytes === Infinity) return
        response.pause()
        setTimeout(() => response.resume(), (chunk.length / bytes) * 1000)
      })
      response.once('end', () => {
        check(last.endsWith(']}'), 'a collection that was cut looked whole')
        resolve('whole')
      })
      response.once('error', () => resolve('cut'))
    }
    get(`${server.url}/library/`, { agent, headers }, received).once('error', () => resolve('cut'))
  })

const reading = async (delay: number, bytes?: number) => {
  await pause(delay)
  while (!isOver) seen[await readWhole(bytes)] += 1
}

const TEXT = 'What was given, to whom, and what came of it. '.repeat(20)
const writing = async (n: number) => {
  for (let round = 0; !isOver; round += 1) {
    const body = {
      itemTitle: `Post ${n} ${round}`,
      itemDescription: TEXT,
      link: 'https://example.org/',
      itemType: 'link',
    }
    const { status } = await ask(`${server.url}/feed/`, headers, body)
    if (status === 200) seen.writes += 1
    else seen.refused += 1
  }
}

const watching = async () => {
  const until = performance.now() + seconds * 1000
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
    const began = performance.now()
    await ask(`${server.url}/health/live`)
    seen.longest = Math.max(seen.longest, performance.now() - began)
    seen.most = Math.max(seen.most, statSync(`${file}-wal`).size)
    progress(`${Math.round(left / 1000)} s left, ${Math.round(seen.most / MEBIBYTE)} MiB`)
    await pause(20)
  }
  isOver = true
}

/** Writes as an import does: much in each transaction. */
const bulkWriting = async () => {
  const database = new DatabaseSync(file)
  database.exec(
    "pragma busy_timeout = 5000; insert into label (label_id, en, fr, rank) values ('bulk', '', '', 0)",
  )
  const rewrite = database.prepare(
    `update label set en = hex(randomblob(${MEBIBYTE / 2})) where label_id = 'bulk'`,
  )
  while (!isOver) {
    rewrite.run()
    seen.bulk += 1
    await pause(1000 / bulk)
  }
  database.close()
}

const inTheWay = async () => {
  const script = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('begin')
    database.prepare('select count(*) from client').get()
    setTimeout(() => {}, ${seconds * 500})`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: 'inherit' })
  await new Promise((resolve) => child.once('exit', resolve))
}

await Promise.all([
  watching(),
  ...(foreign > 0 ? [inTheWay()] : []),
  ...(bulk > 0 ? [bulkWriting()] : []),
  ...Array.from({ length: readers }, (_, n) => reading(n * 150)),
  ...Array.from({ length: slow }, () => reading(0, 20_000)),
  ...Array.from({ length: writers }, (_, n) => writing(n)),
])
const after = statSync(`${file}-wal`).size
if (foreign === 0) check(seen.most < LIMIT + SLACK, `the log grew to ${seen.most} bytes`)
check(seen.refused === 0, `${seen.refused} writes were refused`)
await server.stop()
report({
  ...seen,
  most: `${Math.round(seen.most / MEBIBYTE)} MiB`,
  after: `${Math.round(after / MEBIBYTE)} MiB`,
  longest: `${Math.round(seen.longest)} ms`,
  held,
})
