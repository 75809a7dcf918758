// Random clients keep copies by GET /changes, each request at any of three nodes, while writers at all of them create, publish, restrict,
// archive, schedule, restore and label items, delete drafts and put them back, upload and measure images, erase people, and load labels and
// portfolios. After each round each copy must equal the collections, and no answer may ever hold an item that its scope may not see (N2). On
// PostgreSQL transactions take their time before they commit, so that they commit out of order, and others hold the oldest visible
// transaction back.
// Usage: pnpm build && node tools/stress/changes.ts [--database postgres] [--rounds 2000] [--seed 1] [--each 200]
//   each: rounds on one database, after which a new one is made
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import root from 'tap'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import type { Random } from '../../packages/client/test/model/random.ts'
import { runRounds } from '../../packages/client/test/model/rounds.ts'
import type { Nodes } from '../../packages/client/test/model/writers.ts'
import { writesInto } from '../../packages/client/test/support/nodes.ts'
import type { Cluster } from '../../testing/postgres-server/src/index.ts'
import { findings, folder, options, progress, report } from './campaign.ts'
import { postgresDatabase, sqliteDatabase, startPostgres } from './database.ts'
import { authorize, runBuilt, runCommand, startServer } from './server.ts'

// PostgreSQL's servers end with tap, which the fixtures bring along and which would end after half a minute.
root.setTimeout(0)
runBuilt()

const given = options({ database: 'sqlite', rounds: 2000, seed: 1, each: 200 })
/** Milliseconds within which a copy must equal the collections: a node may show another's change 2 s late, and a schedule comes 2 s late. */
const PATIENCE = 15_000
/** Milliseconds for which a transaction holds the oldest visible one back, at most. */
const HELD = 150

/** Lets one transaction in ten sleep for up to 30 ms before it commits, when it has written already. */
const SLOW_COMMITS = `
create function slow_commit() returns trigger language plpgsql as $$
begin
  if random() < 0.1 then perform pg_sleep(random() * 0.03); end if;
  return null;
end $$;
${['library_item', 'feed_item', 'library_label', 'feed_label', 'label']
  .map(
    (table) => `create constraint trigger slow_commit after insert or update or delete on ${table}
  deferrable initially deferred for each row execute function slow_commit();`,
  )
  .join('\n')}`

/** Keeps a transaction open for a while that has a number, as a long import does. */
const holdBack = (cluster: Cluster, name: string) => async (random: Random) => {
  if (random.below(2) === 0) return
  const seconds = random.below(HELD) / 1000
  const end = random.pick(['commit', 'rollback'])
  await cluster.ask(`begin; select pg_current_xact_id(); select pg_sleep(${seconds}); ${end}`, name)
}

const CLIENTS = {
  user: ['--scope', 'user'],
  donor: ['--scope', 'user-donor', '--email', 'amina@example.org'],
  manager: ['--scope', 'content-manager'],
  userManager: ['--scope', 'user-donor', '--role', 'user-manager'],
} as const

const cluster = given.database === 'postgres' ? await startPostgres() : undefined
const statuses: Record<string, Record<string, number>> = {}
let done = 0

const count = (more: typeof statuses): void => {
  for (const [act, outcomes] of Object.entries(more)) {
    statuses[act] ??= {}
    const counts = statuses[act]
    for (const [outcome, n] of Object.entries(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + n
  }
}

/** Runs some rounds on a new database. */
const runOn = async (part: number, rounds: number): Promise<void> => {
  const own = join(folder, `${part}`)
  mkdirSync(own)
  const name = `part_${part}`
  const database = cluster === undefined ? sqliteDatabase(own) : await postgresDatabase(cluster, name)
  const settings = {
    ...database.settings,
    ALMONER_LOG_LEVEL: 'error',
    ALMONER_CONSOLE: 'off',
    // A cursor belongs to an address (N3).
    ALMONER_BASE_URL: 'https://almoner.example.org',
  }
  const forms = Object.entries(CLIENTS).map(([id, rights]) => {
    const client = runCommand(own, settings, 'client', 'add', '--id', id, ...rights)
    const { client_id = '', client_secret = '' } = client
    return [id, new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })] as const
  })
  await cluster?.ask(SLOW_COMMITS, name)
  const servers = await Promise.all([1, 2, 3].map(() => startServer(own, settings)))
  const engine = await database.open()
  try {
    const urls = servers.map(({ url }) => url)
    const tokens: Record<string, string> = {}
    for (const [id, form] of forms)
      tokens[id] = (await authorize(urls[0] ?? '', form)).authorization.replace('Bearer ', '')
    const world = await runRounds({
      nodes: { urls, tokens: tokens as Nodes['tokens'], ...writesInto(makeStore(engine)) },
      seed: given.seed * 1000 + part,
      rounds,
      patience: PATIENCE,
      ...(cluster && { meanwhile: holdBack(cluster, name) }),
      onRound: (round) => progress(`round ${done + round} of ${given.rounds}`),
    })
    findings.push(...world.findings)
    count(world.statuses)
  } finally {
    await engine.close()
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

const begun = performance.now()
for (let part = 1; done < given.rounds && findings.length === 0; part += 1) {
  const rounds = Math.min(given.each, given.rounds - done)
  await runOn(part, rounds)
  done += rounds
}
const seconds = Math.round((performance.now() - begun) / 1000)
await cluster?.stop()
report({ ...given, seconds, statuses })
