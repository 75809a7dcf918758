// Reads with one worker and with two, on the same machine as whoever asks: node tools/bench/workers.ts [rounds] [seconds]
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorization, newManager, startServer } from '../stress/server.ts'
import { fill } from './fill.ts'
import { percent } from './load/figures.ts'
import { CONNECTIONS, type Figures, measureReads, medians } from './load/measure-reads.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const SECONDS = Number(process.argv[3] ?? 5)
const ITEMS = 10_000
const PATH = '/library/?lim=100'

const row = (workers: number, { perSecond, cpu, asking, serving }: Figures): string =>
  `| ${workers} | ${Math.round(perSecond)} | ${cpu.toFixed(3)} ms | ${percent(serving)} | ${percent(asking)} |`

const folder = mkdtempSync(join(tmpdir(), 'almoner-workers-'))
try {
  await fill(join(folder, 'almoner.db'), ITEMS)
  const manager = newManager(folder)
  // Answers are made anew for each request, and then not sent (HEAD): whoever asks is on the same cores, and should need little of them.
  const settings = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off', ALMONER_CACHE: '0' }
  const servers = [
    await startServer(folder, { ...settings, ALMONER_WORKERS: '1' }),
    await startServer(folder, { ...settings, ALMONER_WORKERS: '2' }),
  ] as const
  const { authorization: token } = await authorization(servers[0].url, manager)
  const request = Buffer.from(`HEAD ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`)
  const reads = { request, seconds: SECONDS }
  const measured: readonly [Array<Figures>, Array<Figures>] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1)
    for (const at of [0, 1] as const) measured[at].push(await measureReads(servers[at], reads))
  const [one, two] = [medians(measured[0]), medians(measured[1])]
  process.stdout.write(`| workers | reads a second | processor time a read | server's share of ${cpus().length} cores | asker's share |
| --- | --- | --- | --- | --- |
${row(1, one)}
${row(2, two)}

Ratio ${(two.perSecond / one.perSecond).toFixed(2)}, medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections kept, pages of 100 of ${ITEMS} items, by HEAD.
`)
  for (const { process: child, ended } of servers) {
    child.kill('SIGTERM')
    await ended
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
