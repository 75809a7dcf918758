// Attacks the built server in all known ways, and looks how well-behaved callers fare meanwhile.
// Usage: node tools/stress/abuse.ts [--only NAME …]
import { readdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fill } from '../bench/fill.ts'
import { memoryOf, startHelper } from '../bench/processes.ts'
import { ATTACKS } from './attacks.ts'
import { check, folder, report } from './campaign.ts'
import type { StatusCounts, Target } from './connections.ts'
import { atRate, type PlainRequest, statusOf } from './load.ts'
import { addManager, ask, authorize, runBuilt, type Server, startServer } from './server.ts'

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
/** Without the cache, because attackers request uncached data. */
const SETTINGS = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off', ALMONER_CACHE: '0' }
/** Calls a second on kept connections. Of 50 calls, one writes and five ask for health; one in 25 is repeated on a new connection. */
const RATE = 50
const CONNECTIONS = 32
const POST = 'itemType=photo&itemTitle=A+well&itemDescription=Water.'

const timesOf = (times: Array<number>) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(10 * (sorted[Math.floor((sorted.length - 1) * share)] ?? 0)) / 10
  return { median: at(0.5), p99: at(0.99), longest: at(1) }
}

/** Calls until it is aborted. Returns the times in milliseconds and the wrong answers. Of these, 503 is not a finding. */
const callMeanwhile = async ({ url, token }: Target, signal: AbortSignal) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const [kept, fresh]: [Array<number>, Array<number>] = [[], []]
  const wrong: Record<string, number> = {}
  const requestOf = (n: number): readonly [path: string, body?: string] => {
    if (n % 50 === 0) return ['/feed/', POST]
    return n % 10 === 0 ? ['/health/ready'] : [`/library/?lim=20&offset=${n % 4000}`]
  }
  const call = async (n: number, by: PlainRequest['agent']): Promise<void> => {
    const [path, body] = requestOf(n)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const start = performance.now()
    const outcome = await statusOf(`${url}${path}`, { agent: by, headers, body }).catch(String)
    const times = by === false ? fresh : kept
    times.push(performance.now() - start)
    if (outcome === 200) return
    const what = `${path.startsWith('/health') ? 'health ' : ''}${outcome}`
    wrong[what] = (wrong[what] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, () => call(1, agent)))
  await atRate(RATE, signal, async (n) => {
    await Promise.all([call(n, agent), n % 25 === 0 && call(n + 1, false)])
  })
  agent.destroy()
  return { requests: kept.length + fresh.length, kept: timesOf(kept), fresh: timesOf(fresh), wrong }
}

/** Resident memory in megabytes and open files. */
const look = ({ process: { pid = 0 } }: Server) => ({
  memory: Math.round(memoryOf(pid, 'VmRSS')),
  files: readdirSync(`/proc/${pid}/fd`).length,
})

const attack = async (server: Server, name: string, target: Target) => {
  const end = new AbortController()
  const calling = callMeanwhile(target, end.signal)
  const before = look(server)
  const outcome = (await startHelper('./attacks.ts').ask({ name, target })) as StatusCounts
  end.abort()
  const callers = await calling
  const peak = Math.round(memoryOf(server.process.pid ?? 0, 'VmHWM'))
  await pause(3000)
  return { callers, before, peak, after: look(server), outcome }
}

await fill(join(folder, 'almoner.db'), 10_000)
const manager = addManager(folder)
runBuilt()
const names = values.only ?? Object.keys(ATTACKS)
for (const name of names) {
  const server = await startServer(folder, SETTINGS)
  const headers = await authorize(server.url, manager)
  const { body } = await ask<{ items: [{ item: { itemId: string } }] }>(
    `${server.url}/library/?lim=1`,
    headers,
  )
  const token = headers.authorization.slice('Bearer '.length)
  const figures = await attack(server, name, { url: server.url, token, itemId: body.items[0].item.itemId })
  process.stdout.write(`${JSON.stringify({ name, ...figures })}\n`)
  for (const [what, count] of Object.entries(figures.callers.wrong))
    check(what === '503', `${name}: callers got ${what} ${count} times; ${server.lastLines()}`)
  check(server.process.exitCode === null, `${name}: the server has ended`)
  await server.stop()
}
report({ attacks: names.length })
