// Several servers on one database send notifications by FCM, APNs and Web Push. Servers are killed with SIGKILL at random moments
// (`--kills`), or left alone (`--rounds`). Looks for devices that are left out, pushes in the wrong language, and too many doubles.
// Usage: node tools/stress/deliver.ts --kills 100 | --rounds 20 [--database postgres] [--devices 10000]

import { RENEWED } from './arrivals.ts'
import { folder, options, progress, report } from './campaign.ts'
import { newDatabase } from './database.ts'
import { openDelivery, WINDOW } from './delivery.ts'

const given = options({ kills: 0, rounds: 0, database: 'sqlite', devices: 10_000 })
const SERVERS = 3
/** A server is killed after a random number of its pushes, at most this many. */
const WITHIN = 500

const database = await newDatabase(given.database, folder)
const delivery = await openDelivery(database, given.devices)
const { sent, countOf } = delivery

const servers = []
while (servers.length < SERVERS) servers.push(await delivery.start(database.settings))

const killed: Array<string> = []
while (killed.length < given.kills) {
  const [victim] = servers.splice(Math.floor(Math.random() * SERVERS), 1)
  if (victim === undefined) break
  const pushes = countOf(victim.name) + 1 + Math.floor(Math.random() * WITHIN)
  await delivery.until(() => countOf(victim.name) >= pushes)
  await victim.stop('SIGKILL')
  killed.push(victim.name)
  servers.push(await delivery.start(database.settings))
  progress(
    `kill ${killed.length} of ${given.kills}, ${sent.length} notifications, ${delivery.pushes()} pushes`,
  )
}
await delivery.settle(sent)

const walPlace = async (): Promise<string> => {
  const rows = await database.cluster?.ask('select pg_current_wal_lsn()::text as place')
  return String(rows?.[0]?.['place'])
}
const [place, before] = [await walPlace(), delivery.pushes()]
/** The fewest pushes of one server in a round, in which every device gets a notification. */
let fewest = Number.POSITIVE_INFINITY
for (let round = 1; round <= given.rounds; round += 1) {
  const [first, counts] = [sent.length, servers.map(({ name }) => countOf(name))]
  await delivery.schedule('en')
  await delivery.schedule('fr')
  await delivery.settle(sent.slice(first))
  fewest = Math.min(fewest, ...servers.map(({ name }, n) => countOf(name) - (counts[n] ?? 0)))
  progress(`round ${round} of ${given.rounds}, ${delivery.pushes()} pushes`)
}
const sizes = `select pg_total_relation_size('ledger')::float8 / (select count(*) from ledger) as "ledger",
  pg_wal_lsn_diff(pg_current_wal_lsn(), '${place}')::float8 / ${delivery.pushes() - before} as "wal"`
const [bytesOfAPush] = (given.rounds > 0 && (await database.cluster?.ask(sizes, 'almoner'))) || []

await Promise.all(servers.map(({ stop }) => stop()))
const killsOf = (name: string) => killed.filter((one) => name === RENEWED || one === name).length
const judged = delivery.judge(sent, (name) => WINDOW * killsOf(name))
report({ ...given, notifications: sent.length, ...judged, ...(bytesOfAPush && { fewest, bytesOfAPush }) })
