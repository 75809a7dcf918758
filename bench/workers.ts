// Reads with one worker and with two, on the same machine as whoever asks: node bench/workers.ts [rounds] [seconds]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { authorization, newManager, type Running, startServer } from '../test/campaigns/server.ts'
import { fill } from './fill.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const SECONDS = Number(process.argv[3] ?? 5)
const ITEMS = 10_000
const CONNECTIONS = 16
const PATH = '/library/?lim=20'

/** Ticks of a processor's clock in a second, as Linux counts them for everybody. */
const TICKS = 100

const fieldsOf = (pid: number): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

/** The processes of a server: itself and its workers. */
const processesOf = (pid: number): ReadonlyArray<number> => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const isChild = (candidate: number): boolean => {
    try {
      return Number(fieldsOf(candidate)[1]) === pid
    } catch {
      return false
    }
  }
  return [pid, ...all.filter(isChild)]
}

/** Seconds of processor time that processes have used. */
const cpuOf = (pids: ReadonlyArray<number>): number =>
  pids.map(fieldsOf).reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0) / TICKS

/**
 * Asks on one connection, again as soon as an answer is there. It looks only for the end of each answer: whoever asks should use as
 * little of the machine as can be.
 */
const asker = (url: URL, request: Buffer, answerLength: number) => {
  const socket: Socket = connect(Number(url.port), url.hostname)
  let [answers, received] = [0, 0]
  socket.on('data', (chunk) => {
    received += chunk.length
    if (received < answerLength) return
    received -= answerLength
    answers += 1
    socket.write(request)
  })
  socket.write(request)
  return { answers: () => answers, end: () => socket.destroy() }
}

/** The length of an answer in bytes, head included: all answers to one request have the same. */
const lengthOf = async (url: URL, request: Buffer): Promise<number> => {
  const socket = connect(Number(url.port), url.hostname)
  socket.write(request)
  let bytes = Buffer.alloc(0)
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    const head = bytes.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1])
    if (!bytes.toString('latin1', 0, 15).startsWith('HTTP/1.1 200')) throw new Error(bytes.toString())
    if (head > 0 && bytes.length === head + 4 + length) break
  }
  socket.destroy()
  return bytes.length
}

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

/** Seconds that the machine's processors have been busy, whoever they worked for. */
const busy = (): number => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  return (user + nice + system + irq + soft + steal) / TICKS
}

const measure = async (server: Running, request: Buffer): Promise<Figures> => {
  const url = new URL(server.url)
  const length = await lengthOf(url, request)
  const askers = Array.from({ length: CONNECTIONS }, () => asker(url, request, length))
  await pause(500)
  const pids = processesOf(server.process.pid ?? 0)
  const count = () => askers.reduce((sum, { answers }) => sum + answers(), 0)
  const before = {
    answers: count(),
    cpu: cpuOf(pids),
    own: process.cpuUsage(),
    busy: busy(),
    at: performance.now(),
  }
  await pause(SECONDS * 1000)
  const [answers, seconds] = [count() - before.answers, (performance.now() - before.at) / 1000]
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

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Others may use this share of the machine at most: a round in which they used more is measured again. */
const UNDISTURBED = 0.05
const TRIES = 1000

/** Resolves when others leave the machine alone. */
const quiet = async (): Promise<void> => {
  for (let n = 0; n < TRIES; n += 1) {
    const before = busy()
    await pause(1000)
    if ((busy() - before) / cpus().length <= UNDISTURBED) return
  }
  throw new Error('the machine is never quiet')
}

const measureUndisturbed = async (server: Running, request: Buffer): Promise<Figures> => {
  await quiet()
  const figures = await measure(server, request)
  if (figures.others <= UNDISTURBED) return figures
  process.stderr.write(`disturbed: ${percent(figures.others)}\n`)
  return measureUndisturbed(server, request)
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

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
  const settings = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off' }
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
