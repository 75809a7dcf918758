// Puts a real PgBouncer before PostgreSQL. In session mode two nodes work through it, also after its restart, and after it was in another mode
// for a while. In the other modes the server and every command refuse and name the setting. Usage, as root on Debian: node tools/stress/pools.ts
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownerOfServers } from '../../testing/postgres-server/src/index.ts'
import { check, folder, options, report } from './campaign.ts'
import { postgresDatabase, startPostgres } from './database.ts'
import { freePort, installed } from './proxy-servers.ts'
import { addManager, ask, authorize, type Headers, runCommand, startServer } from './server.ts'

const { rounds } = options({ rounds: 3 })
const PGBOUNCER = { binary: '/usr/sbin/pgbouncer', packages: ['pgbouncer'] }
/** Milliseconds within which a node is ready again, shows what the other one wrote, or notices another mode. */
const [READY, VISIBLE, NOTICED] = [15_000, 2000, 30_000]
const ADVICE = 'pool_mode = session'
const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ['client', 'list'],
  ['migrate'],
  ['stats'],
  ['user', 'list'],
]

const version = installed(PGBOUNCER)
if (version === undefined) report({ skipped: 'PgBouncer cannot be installed here' })

const cluster = await startPostgres()
const database = await postgresDatabase(cluster)
const [server] = await cluster.ask('show server_version')
const manager = addManager(folder, database.settings)
const port = await freePort()
const settings = { ALMONER_DATABASE: `postgres://almoner@127.0.0.1:${port}/almoner` }
const file = join(cluster.folder, 'pgbouncer.ini')

const configure = (mode: string): void => {
  const lines = ['[databases]', `almoner = host=${cluster.socket} user=almoner`, '[pgbouncer]']
  const common = ['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'auth_type = any', 'unix_socket_dir =']
  const startup = 'ignore_startup_parameters = extra_float_digits,options'
  writeFileSync(
    file,
    [...lines, ...common, startup, `pool_mode = ${mode}`, 'default_pool_size = 60', ''].join('\n'),
  )
}

const isOpen = async (): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const startPooler = async (mode: string): Promise<ChildProcess> => {
  configure(mode)
  const pooler = spawn(PGBOUNCER.binary, ['-q', file], {
    ...ownerOfServers(),
    cwd: cluster.folder,
    stdio: 'ignore',
  })
  process.once('exit', () => pooler.kill())
  while (!(await isOpen())) await pause(20)
  return pooler
}

const stopped = async (pooler: ChildProcess): Promise<void> => {
  const ended = once(pooler, 'exit')
  pooler.kill('SIGTERM')
  await ended
}

/** Waits for a state. Returns the milliseconds, or adds a finding after the most. */
const within = async (most: number, what: string, holds: () => Promise<boolean>): Promise<number> => {
  const start = performance.now()
  const passed = () => Math.round(performance.now() - start)
  while (!(await holds()) && passed() < most) await pause(20)
  check(passed() < most, `${what} not within ${most} ms`)
  return passed()
}

const stateOf = async (url: string): Promise<number> => (await fetch(`${url}/health/ready`)).status
const allAre = async (urls: ReadonlyArray<string>, status: number): Promise<boolean> =>
  (await Promise.all(urls.map(stateOf))).every((state) => state === status)

let written = 0
/** Writes on one node, and waits until the other one shows it. */
const exchange = async (on: string, other: string, headers: Headers): Promise<number> => {
  written += 1
  const title = `Post ${written}`
  const post = { itemType: 'photo', itemTitle: title, itemDescription: title }
  const { status } = await ask(`${on}/feed/`, headers, post)
  check(status === 200, `a write got ${status}`)
  return within(VISIBLE, `${title} is shown by the other node`, async () => {
    const { body } = await ask(`${other}/feed/?lim=1`, headers)
    return JSON.stringify(body).includes(`"${title}"`)
  })
}

const refusalOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    return String(error)
  }
}

for (const mode of ['transaction', 'statement']) {
  const pooler = await startPooler(mode)
  const serving = await refusalOf(() => startServer(folder, settings))
  check(serving.includes(ADVICE), `serve in ${mode} mode: ${serving}`)
  for (const command of COMMANDS) {
    const refusal = await refusalOf(() => runCommand(folder, settings, ...command))
    check(refusal.includes(ADVICE), `${command.join(' ')} in ${mode} mode: ${refusal}`)
  }
  await stopped(pooler)
}

let pooler = await startPooler('session')
for (const command of COMMANDS) runCommand(folder, settings, ...command)
const nodes = [await startServer(folder, settings), await startServer(folder, settings)] as const
const urls = [nodes[0].url, nodes[1].url] as const
const headers = await authorize(urls[0], manager)
const longest = { shown: 0, ready: 0, noticed: 0 }
const longer = (what: keyof typeof longest, milliseconds: number): void => {
  longest[what] = Math.max(longest[what], milliseconds)
}
const exchangeBothWays = async (): Promise<void> => {
  longer('shown', await exchange(urls[0], urls[1], headers))
  longer('shown', await exchange(urls[1], urls[0], headers))
}
for (let round = 0; round < rounds; round += 1) {
  await exchangeBothWays()
  await stopped(pooler)
  pooler = await startPooler('session')
  longer('ready', await within(READY, 'ready after a restart', () => allAre(urls, 200)))
  await exchangeBothWays()
  await stopped(pooler)
  pooler = await startPooler('transaction')
  longer('noticed', await within(NOTICED, 'the other mode is noticed', () => allAre(urls, 503)))
  await stopped(pooler)
  pooler = await startPooler('session')
  longer('ready', await within(READY, 'ready in session mode again', () => allAre(urls, 200)))
}
const { body } = await ask<{ items: ReadonlyArray<unknown> }>(`${urls[0]}/feed/`, headers)
check(body.items.length === written, `${body.items.length} of ${written} posts are there`)
await Promise.all(nodes.map((node) => node.stop()))
await stopped(pooler)
await cluster.stop()
report({
  pgbouncer: version,
  postgresql: server?.['server_version'],
  rounds,
  commands: COMMANDS.length,
  written,
  longest,
})
