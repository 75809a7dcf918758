// What strangers and rogue callers can do to everybody else: node tools/stress/abuse.ts [--only NAME …]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fill } from '../bench/fill.ts'
import { ATTACKS } from './abuse/attacks.ts'
import { type Fared, startCaller } from './abuse/caller.ts'
import type { Outcome, Target } from './abuse/target.ts'
import { authorization, newManager, type Running, runBuilt, startServer } from './server.ts'

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const names = values.only ?? Object.keys(ATTACKS)

/** Without kept answers, as whoever attacks asks for what is not kept. */
const SETTINGS = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off', ALMONER_CACHE: '0' }

const memoryOf = (server: Running): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024

const filesOf = (server: Running): number => readdirSync(`/proc/${server.process.pid}/fd`).length

/** Attacks while a caller calls; tells how the caller fared, and the most memory that the server held. */
const attack = async (server: Running, target: Target, name: string) => {
  const stop = await startCaller(target)
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(server))
  }, 100)
  const attacker = fork(join(import.meta.dirname, 'abuse/attacker.ts'))
  attacker.send({ name, target })
  const [outcome]: Array<Outcome> = await once(attacker, 'message')
  clearInterval(watch)
  return { outcome, fared: await stop(), most }
}

const inMilliseconds = ({ median, p99, longest }: Fared['known']): string =>
  [median, p99, longest].map((time) => time.toFixed(time < 10 ? 1 : 0)).join(', ')

const row = (name: string, { requests, known, newcomers, busy, failed, unhealthy }: Fared, rest: string) =>
  `| ${name} | ${requests} | ${inMilliseconds(known)} | ${inMilliseconds(newcomers)} | ${busy} | ${failed} | ${unhealthy} | ${rest} |\n`

const folder = mkdtempSync(join(tmpdir(), 'almoner-abuse-'))
await fill(join(folder, 'almoner.db'), 10_000)
const manager = newManager(folder)
runBuilt()
let wrong = 0
for (const name of names) {
  const server = await startServer(folder, SETTINGS)
  const { hostname, port } = new URL(server.url)
  const headers = await authorization(server.url, manager)
  const listed = (await (await fetch(`${server.url}/library/?lim=1`, { headers })).json()) as {
    items: Array<{ item: { itemId: string } }>
  }
  const target: Target = {
    host: hostname,
    port: Number(port),
    token: headers.authorization.slice('Bearer '.length),
    itemId: listed.items[0]?.item.itemId ?? '',
  }
  const before = { memory: memoryOf(server), files: filesOf(server) }
  const { outcome, fared, most } = await attack(server, target, name)
  await pause(3000)
  const seen = Object.entries(outcome ?? {}).map(([what, many]) => `${what}: ${many}`)
  const memory = `${before.memory.toFixed(0)}, ${most.toFixed(0)}, ${memoryOf(server).toFixed(0)}`
  process.stdout.write(
    row(name, fared, `${memory} | ${before.files}, ${filesOf(server)} | ${seen.join(', ')}`),
  )
  if (fared.failed + fared.unhealthy > 0 || server.process.exitCode !== null) {
    wrong += 1
    process.stderr.write(`${server.said()}\n`)
  }
  server.process.kill('SIGTERM')
  await server.ended
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = wrong === 0 ? 0 : 1
