// Kills `almoner import` with SIGKILL at random moments. What it leaves must be empty or whole; where it is empty, the import must work when
// it is repeated, and `export` must then return the same archive, byte by byte.
// Usage: node tools/stress/import.ts [--database postgres] [--kills 12] [--devices 60000]
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { MediaName } from '@almoner/domain/media'
import { MIGRATIONS, makeMigrator, makeTransferStore } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { fill } from '../bench/fill.ts'
import { openStore } from '../bench/store.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { postgresDatabase, sqliteDatabase, startPostgres } from './database.ts'
import { fillDevices } from './fill-devices.ts'
import { makeIllustrator } from './illustrate.ts'
import { runCommand, spawnCommand } from './server.ts'

const { database, kills, devices } = options({ database: 'sqlite', kills: 12, devices: 60_000 })
const [ITEMS, IMAGES] = [2000, 200]
/** A kill comes at any moment of this multiple of an import's time: some come too late. */
const WITHIN = 1.05

const [archive, source] = [join(folder, 'all.tar'), join(folder, 'source')]
mkdirSync(source)
const file = join(source, 'almoner.db')
await fill(file, ITEMS)
await fillDevices(file, devices)
const store = await openStore(file)
const { addPost, illustrate } = await makeIllustrator(source, store)
for (let n = 0; n < IMAGES; n += 1) {
  await addPost(n)
  await illustrate(n, `image-of-the-campaign-${String(n).padStart(6, '0')}.png` as MediaName)
}
await store.engine.close()
runCommand(source, {}, 'export', archive)
const original = readFileSync(archive)

const cluster = database === 'postgres' ? await startPostgres() : undefined

/** Makes an empty service. */
const newTarget = async (name: string) => {
  const own = join(folder, name)
  mkdirSync(own)
  return { name, own, database: cluster ? await postgresDatabase(cluster, name) : sqliteDatabase(own) }
}
type Target = Awaited<ReturnType<typeof newTarget>>

const isWhole = ({ own, database }: Target): boolean => {
  const again = join(own, 'again.tar')
  runCommand(own, database.settings, 'export', again)
  return readFileSync(again).equals(original)
}

/** Returns whether a database has no tables, or tables as a new one has them. */
const isEmpty = async ({ database }: Target): Promise<boolean> => {
  const engine = await database.open()
  const { isEmpty } = await done(makeMigrator(engine, systemClock, MIGRATIONS).plan())
  const holds = isEmpty ? [] : await done(makeTransferStore(engine).existingRows())
  await engine.close()
  return holds.length === 0
}

/** Waits until PostgreSQL has noticed that a process is gone and has rolled back its transaction. */
const disconnected = async ({ name }: Target): Promise<void> => {
  const statement = `select 1 from pg_stat_activity where datname = '${name}'`
  for (let n = 0; n < 600 && ((await cluster?.ask(statement)) ?? []).length > 0; n += 1) await pause(50)
}

/** Imports, and kills the import after some milliseconds if they are given. Returns the exit code, which is null when it was killed. */
const runImport = async ({ own, database }: Target, killAfter?: number): Promise<number | null> => {
  const child = spawnCommand(own, database.settings, 'import', archive)
  child.stderr.resume()
  const exit = once(child, 'exit')
  if (killAfter !== undefined) void pause(killAfter).then(() => child.kill('SIGKILL'))
  return (await exit)[0]
}

let milliseconds = 0
const importWhole = async (target: Target): Promise<void> => {
  const start = performance.now()
  check((await runImport(target)) === 0, `${target.name}: the import fails`)
  milliseconds = performance.now() - start
}

const first = await newTarget('first')
await importWhole(first)
check(isWhole(first), 'an import that is not killed differs from the export')

const left = { empty: 0, whole: 0, endedBefore: 0 }
const killedAfter: Array<number> = []
for (let n = 1; n <= kills; n += 1) {
  const target = await newTarget(`service_${n}`)
  const moment = Math.random() * milliseconds * WITHIN
  if ((await runImport(target, moment)) === 0) left.endedBefore += 1
  else killedAfter.push(Math.round(moment))
  await disconnected(target)
  if (await isEmpty(target)) {
    left.empty += 1
    await importWhole(target)
  } else left.whole += 1
  check(isWhole(target), `${target.name}: it differs from the export`)
  progress(`kill ${n} of ${kills}, ${JSON.stringify(left)}`)
  rmSync(target.own, { recursive: true })
}
const megabytes = Math.round(original.length / 1e6)
report({ database, kills, devices, megabytes, milliseconds: Math.round(milliseconds), killedAfter, left })
