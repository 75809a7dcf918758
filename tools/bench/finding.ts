// Measures first pages of a large library over HTTP, on SQLite with the response cache off, as a content manager:
//   node tools/bench/finding.ts [--items 1000000] [--folder FOLDER]
// A database in FOLDER that is there already is used as it is.
import { existsSync, mkdtempSync } from 'node:fs'
import { Agent, get } from 'node:http'
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
const manager = addManager(folder, {}, '--id', `finding-${Date.now()}`)
const server = await startService({ folder, settings: { ALMONER_CACHE: '0' }, secret: '' })
const { authorization } = await authorize(server.url, manager)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Reads a page, and returns how many milliseconds it took. */
const read = (query: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    get(`${server.url}/library/?lim=100${query}`, { agent, headers: { authorization } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${query}: ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - began))
    }).once('error', reject)
  })

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
await server.stop()
