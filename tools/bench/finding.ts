// Measures first pages of a large library over HTTP, on SQLite with the response cache off, as a content manager:
//   node tools/bench/finding.ts [--items 1000000] [--folder FOLDER]
// A database in FOLDER that is there already is used as it is. Its file is read once before, so that the system has it in memory.
import { createReadStream, existsSync, mkdtempSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sampleDay } from '../../packages/testkit/src/contracts/index.ts'
import { addManager, authorize } from '../stress/server.ts'
import { fillFinding, makeTexts, WORDS } from './finding-dataset.ts'
import { startService } from './fixture.ts'
import { cpuOf } from './processes.ts'
import { openStore } from './store.ts'

const { values } = parseArgs({
  options: { items: { type: 'string', default: '1000000' }, folder: { type: 'string' } },
})
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'almoner-finding-'))
const file = join(folder, 'almoner.db')
if (!existsSync(file)) {
  const { engine } = await openStore(file)
  await fillFinding(engine, Number(values.items))
  await engine.close()
}
for await (const _ of createReadStream(file));
const manager = addManager(folder, {}, '--id', `finding-${Date.now()}`)
const server = await startService({ folder, settings: { ALMONER_CACHE: '0' }, secret: '' })
const { authorization } = await authorize(server.url, manager)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Reads a page; resolves with the header fields of the response. */
const page = (query: string): Promise<IncomingHttpHeaders> =>
  new Promise((resolve, reject) => {
    get(`${server.url}/library/?lim=100${query}`, { agent, headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${query}: ${response.statusCode}`))
      response.resume().once('end', () => resolve(response.headers))
    }).once('error', reject)
  })

/** Reads a page, and returns how many milliseconds it took. */
const read = async (query: string): Promise<number> => {
  const began = performance.now()
  await page(query)
  return performance.now() - began
}

const ROUNDS = 1000
let base: number | undefined

const measure = async (name: string, queryOf: (round: number) => string, rounds = ROUNDS): Promise<void> => {
  for (let round = 0; round < rounds / 10; round += 1) await read(queryOf(round))
  const [times, before] = [[] as Array<number>, cpuOf(server.pids)]
  for (let round = 0; round < rounds; round += 1) times.push(await read(queryOf(round)))
  const cpu = ((cpuOf(server.pids) - before) / rounds) * 1000
  base ??= cpu
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * rounds)]?.toFixed(2)
  process.stdout.write(
    `| ${name} | ${at(0.5)} ms | ${at(0.9)} ms | ${at(0.99)} ms | ${cpu.toFixed(2)} ms | ${(cpu / base).toFixed(2)} |\n`,
  )
}

const { word } = makeTexts(7)
const between = (first: number, last: number, round: number) =>
  WORDS[first + ((round * 7919) % (last - first))] ?? ''
const q = (...words: ReadonlyArray<string>) => `&q=${encodeURIComponent(words.join(' '))}`

process.stdout.write(
  '| first page | median | p90 | p99 | processor time | ratio |\n| --- | --- | --- | --- | --- | --- |\n',
)
await measure('without filters', () => '')
await measure('`include=labels`', () => '&include=labels')
for (const status of ['Live', 'Draft']) await measure(`\`status=${status}\``, () => `&status=${status}`)
for (const n of [1, 5])
  await measure(`\`labelId\` of one item in ${2 ** (n + 1)}`, () => `&labelId=label-${n}`)
await measure('two words of a text', () => q(word(), word()))
for (const [first, last] of [
  [0, 20],
  [20, 100],
  [100, 500],
  [500, 2000],
  [2000, 20_000],
] as const)
  await measure(`two words of rank ${first} to ${last}`, (round) =>
    q(between(first, last, round), between(first, last, round + 1)),
  )
await measure('a rare and a frequent word', (round) => q(between(5000, 20_000, round), between(0, 10, round)))
await measure(
  'a word in a year',
  (round) => {
    const dates = `&from=${sampleDay(365)}&until=${sampleDay(730)}`
    return `${q(between(0, 500, round))}${dates}`
  },
  100,
)

const COUNTS = 200

/** Returns the milliseconds of processor time of a page. */
const costOf = async (query: string): Promise<number> => {
  const before = cpuOf(server.pids)
  for (let round = 0; round < COUNTS; round += 1) await read(query)
  return ((cpuOf(server.pids) - before) / COUNTS) * 1000
}

process.stdout.write(
  '\n| page with `count=true` | matches | processor time, without | ratio | a match |\n| --- | --- | --- | --- | --- |\n',
)
for (const [name, query] of [
  ['without filters', ''],
  ['`status=Live`', '&status=Live'],
  ['`status=Draft`', '&status=Draft'],
  ['`lang=en`', '&lang=en'],
  ['`status=Live&lang=en`', '&status=Live&lang=en'],
  ['two frequent words', q(WORDS[0] ?? '', WORDS[3] ?? '')],
  ['two words of rank 200', q(WORDS[200] ?? '', WORDS[210] ?? '')],
] as const) {
  const matches = Number((await page(`${query}&count=true`))['x-total-count'])
  const [without, counted] = [await costOf(query), await costOf(`${query}&count=true`)]
  const each = (((counted - without) / matches) * 1000).toFixed(3)
  process.stdout.write(
    `| ${name} | ${matches} | ${counted.toFixed(2)} ms, ${without.toFixed(2)} ms | ${(counted / without).toFixed(1)} | ${each} µs |\n`,
  )
}
await server.stop()
