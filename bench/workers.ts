// Reads with one worker and with two, on the same machine as whoever asks: node bench/workers.ts [rounds] [seconds]
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { authorization, newManager, type Running, startServer } from '../test/campaigns/server.ts'
import { fill } from './fill.ts'
import { lengthOf, makeAsker } from './load/asker.ts'
import { median, percent } from './load/figures.ts'
import { busy, cpuOf, processesOf, quiet, UNDISTURBED } from './load/machine.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const SECONDS = Number(process.argv[3] ?? 5)
const ITEMS = 10_000
const CONNECTIONS = 16
const PATH = '/library/?lim=20'

interface Figures {
  readonly perSecond: number
  /** Milliseconds of processor time that the server needs for a request, all its processes together. */
  readonly cpu: number
  /** The share of the machine's processors that went to whoever asks, and to the server. */
  readonly asking: number
  readonly serving: number
  /** The share that went to others, who should not be there. */
  readonly others: number
}

const measure = async (server: Running, request: Buffer): Promise<Figures> => {
  const url = new URL(server.url)
  const length = await lengthOf(url, request)
  let count = 0
  const askers = Array.from({ length: CONNECTIONS }, () => {
    const asker = makeAsker(url, { request, length }, () => {
      count += 1
      asker.ask()
    })
    asker.ask()
    return asker
  })
  await pause(500)
  const pids = processesOf(server.process.pid ?? 0)
  const before = {
    answers: count,
    cpu: cpuOf(pids),
    own: process.cpuUsage(),
    busy: busy(),
    at: performance.now(),
  }
  await pause(SECONDS * 1000)
  const [answers, seconds] = [count - before.answers, (performance.now() - before.at) / 1000]
  const [cpu, usage, all] = [cpuOf(pids) - before.cpu, process.cpuUsage(before.own), busy() - before.busy]
  const own = (usage.user + usage.system) / 1_000_000
  for (const { end } of askers) end()
  const whole = seconds * cpus().length
  return {
    perSecond: answers / seconds,
    cpu: (cpu / answers) * 1000,
    asking: own / whole,
    serving: cpu / whole,
    others: (all - cpu - own) / whole,
  }
}

const measureUndisturbed = async (server: Running, request: Buffer): Promise<Figures> => {
  await quiet()
  const figures = await measure(server, request)
  if (figures.others <= UNDISTURBED) return figures
  process.stderr.write(`disturbed: ${percent(figures.others)}\n`)
  return measureUndisturbed(server, request)
}

const medians = (all: ReadonlyArray<Figures>): Figures => ({
  perSecond: median(all.map(({ perSecond }) => perSecond)),
  cpu: median(all.map(({ cpu }) => cpu)),
  asking: median(all.map(({ asking }) => asking)),
  serving: median(all.map(({ serving }) => serving)),
  others: median(all.map(({ others }) => others)),
})

const row = (workers: number, { perSecond, cpu, asking, serving }: Figures): string =>
  `| ${workers} | ${Math.round(perSecond)} | ${cpu.toFixed(3)} ms | ${percent(serving)} | ${percent(asking)} |`

const folder = mkdtempSync(join(tmpdir(), 'almoner-workers-'))
try {
  await fill(join(folder, 'almoner.db'), ITEMS)
  const manager = newManager(folder)
  // Answers are made anew for each request: of those that are kept, whoever asks would need half as much of the machine as the servers.
  const settings = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off', ALMONER_CACHE: '0' }
  const servers = [
    await startServer(folder, { ...settings, ALMONER_WORKERS: '1' }),
    await startServer(folder, { ...settings, ALMONER_WORKERS: '2' }),
  ] as const
  const { authorization: token } = await authorization(servers[0].url, manager)
  const request = Buffer.from(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`)
  const measured: readonly [Array<Figures>, Array<Figures>] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1)
    for (const at of [0, 1] as const) measured[at].push(await measureUndisturbed(servers[at], request))
  const [one, two] = [medians(measured[0]), medians(measured[1])]
  process.stdout.write(`| workers | reads a second | processor time a read | server's share of ${cpus().length} cores | asker's share |
| --- | --- | --- | --- | --- |
${row(1, one)}
${row(2, two)}

Ratio ${(two.perSecond / one.perSecond).toFixed(2)}, medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections kept, pages of 20 of ${ITEMS} items.
`)
  for (const { process: child, ended } of servers) {
    child.kill('SIGTERM')
    await ended
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
