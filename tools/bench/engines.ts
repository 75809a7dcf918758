// What a read costs on PostgreSQL beside SQLite, in the same run: node tools/bench/engines.ts [rounds] [seconds]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, newGround } from '../stress/database.ts'
import { authorization, newManager, startServer } from '../stress/server.ts'
import { fillItemsIn } from './fill.ts'
import { processesOf } from './load/machine.ts'
import { CONNECTIONS, type Figures, measureReads, medians } from './load/measure-reads.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const SECONDS = Number(process.argv[3] ?? 3)
const ITEMS = 10_000
const PATH = '/library/?lim=20'
const KINDS = ['sqlite', 'postgres'] as const
/** MiB of answers that are kept: the default, and none. */
const KEPT = ['32', '0'] as const

const folder = mkdtempSync(join(tmpdir(), 'almoner-engines-'))

/** The processes of a database server, by that of one of its connections. */
const serverOf = (connection: number): ReadonlyArray<number> => {
  const [, parent] = readFileSync(`/proc/${connection}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return processesOf(Number(parent))
}

/** A database with items, and a server on it for each way of keeping answers. */
const open = async (kind: (typeof KINDS)[number]) => {
  const ground = await newGround(kind, folder)
  const engine = await ground.open()
  await migrate(engine)
  await fillItemsIn(engine, ITEMS)
  await engine.close()
  const manager = newManager(folder, ground.settings)
  const [row] = (await ground.cluster?.ask('select pg_backend_pid() as pid')) ?? []
  const database = row === undefined ? [] : serverOf(Number(row['pid']))
  const servers = []
  for (const cache of KEPT) {
    const settings = {
      ...ground.settings,
      ALMONER_LOG_LEVEL: 'warn',
      ALMONER_REVIEW: 'off',
      ALMONER_CACHE: cache,
    }
    const server = await startServer(folder, settings)
    const { authorization: token } = await authorization(server.url, manager)
    const request = Buffer.from(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`)
    const measured: Array<Figures> = []
    servers.push({ kind, cache, server, request, measured })
  }
  const helpers = () => (database[0] === undefined ? [] : processesOf(database[0]))
  return { ground, servers, helpers }
}

try {
  const opened = [await open('sqlite'), await open('postgres')]
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { servers, helpers } of opened)
      for (const { server, request, measured } of servers)
        measured.push(await measureReads(server, { request, seconds: SECONDS, helpers }))
  process.stdout.write(`| database | answers kept | reads a second | processor time a read, the database's included |
| --- | --- | --- | --- |
`)
  for (const { kind, cache, measured } of opened.flatMap(({ servers }) => servers)) {
    const { perSecond, cpu } = medians(measured)
    const kept = cache === '0' ? 'no' : 'yes'
    process.stdout.write(`| ${kind} | ${kept} | ${Math.round(perSecond)} | ${cpu.toFixed(3)} ms |\n`)
  }
  process.stdout.write(
    `\nMedians of ${ROUNDS} rounds of ${SECONDS} s by turns, ${CONNECTIONS} connections kept, pages of 20 of ${ITEMS} items.\n`,
  )
  for (const { servers, ground } of opened) {
    for (const { server } of servers) {
      server.process.kill('SIGTERM')
      await server.ended
    }
    await ground.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
