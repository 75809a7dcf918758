// A primary with two standbys, each behind an address that goes on leading to its like when servers are replaced, and what happens to them.
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import root from 'tap'
import { seeded } from '../../../packages/testkit/src/contracts/index.ts'
import {
  type Cluster,
  type Standby,
  startProxy,
  startSmallCluster,
  startStandby,
} from '../../../testing/postgres-server/src/index.ts'
import { options } from '../campaign.ts'
import { postgresDatabase } from '../database.ts'
import { runBuilt } from '../server.ts'

// PostgreSQL's servers end with tap, which the fixtures bring along and which would end after half a minute.
root.setTimeout(0)
runBuilt()

export const given = options({ seconds: 60, seed: 1, pages: 20_000 })

/** Returns a number at random. */
export const below = seeded(given.seed)

/** Milliseconds that a disturbance lasts at most. */
const DISTURBANCE = 4000

/** Resolves when a disturbance has lasted. */
export const moment = (): Promise<void> => pause(100 + below(DISTURBANCE))

/** Milliseconds that a slow standby takes for a statement. */
const SLOW = 500

/** A commit is on a standby before it is acknowledged, or fail-overs would lose it. A standby follows a new primary at once. */
const REPLICATION = [
  "alter system set synchronous_standby_names = 'ANY 1 (*)'",
  "alter system set wal_retrieve_retry_interval = '100ms'",
  'select pg_reload_conf()',
]

/** Tries to copy a server, whose files may go while they are copied. */
const COPIES = 5

let primary = await startSmallCluster()
const own = await postgresDatabase(primary)
/** The address of the server that takes writes. */
const writes = await startProxy(primary)

/** A standby and the address that leads to it, or to its successor. */
interface Place {
  standby: Standby
  readonly address: Awaited<ReturnType<typeof startProxy>>
}

const newStandby = async (tries = COPIES): Promise<Standby> => {
  try {
    return await startStandby(primary)
  } catch (cause) {
    if (tries === 1) throw cause
    return newStandby(tries - 1)
  }
}
const newPlace = async (): Promise<Place> => {
  const standby = await newStandby()
  return { standby, address: await startProxy(standby) }
}
const places: ReadonlyArray<Place> = [await newPlace(), await newPlace()]
for (const statement of REPLICATION)
  for (const server of [...places.map(({ standby }) => standby), primary]) await server.ask(statement)

/** The database. */
export const database = {
  open: own.open,
  /** Leads to the first primary itself, also while this process waits for a command. */
  settings: own.settings,
  /** Leads to the addresses. */
  ofProcesses: {
    ALMONER_DATABASE: writes.url('almoner'),
    ALMONER_DATABASE_READS: places.map(({ address }) => address.url('almoner')).join(),
  },
  /** Asks the present primary. */
  ask: (statement: string) => primary.ask(statement, 'almoner'),
  catchUp: () => Promise.all(places.map(({ standby }) => standby.catchUp())),
  stop: async () => {
    for (const { standby } of places) await standby.stop()
    await primary.stop()
  },
}

/** Milliseconds after a new primary can be reached, after which no request may fail any more, as processes look for it. */
const FOUND = 5000

const outages: Array<{ readonly from: number; to: number }> = []
/** Whether the primary was gone, or had only just come back, while a request was under way that was sent then and is over now. */
export const wasOut = (sent: number): boolean =>
  outages.some(({ from, to }) => from <= performance.now() && sent <= to + FOUND)

/** Waits until both standbys stream: commits wait while neither does. */
const settled = async (): Promise<void> => {
  const streaming = "select count(*)::int as count from pg_stat_replication where state = 'streaming'"
  while ((await primary.ask(streaming))[0]?.['count'] !== places.length) await pause(100)
}

/** Stops a server and deletes what it has stored. */
const end = async (server: Cluster): Promise<void> => {
  await server.stop()
  await rm(server.folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Puts a copy of the primary behind an address. */
const replace = async (place: Place): Promise<void> => {
  const old = place.standby
  place.standby = await newStandby()
  place.address.moveTo(place.standby)
  if (old !== primary) await end(old)
}

const receivedBy = async ({ standby }: Place): Promise<number> => {
  const [row] = await standby.ask(
    "select greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn as received",
  )
  return Number(row?.['received'])
}

/** The primary ends as by a crash. The standby that has received most takes its place, and the other one follows that. */
const failOver = async (): Promise<void> => {
  const outage = { from: performance.now(), to: Number.POSITIVE_INFINITY }
  outages.push(outage)
  const old = primary
  await old.stop()
  const received = await Promise.all(places.map(receivedBy))
  const [chosen, other] = (received[0] ?? 0) >= (received[1] ?? 0) ? places : places.toReversed()
  if (chosen === undefined || other === undefined) throw new Error('there are two standbys')
  await chosen.standby.promote()
  primary = chosen.standby
  await other.standby.ask(`alter system set primary_conninfo = 'host=${primary.socket} user=almoner'`)
  await other.standby.ask('select pg_reload_conf()')
  writes.moveTo(primary)
  outage.to = performance.now()
  await rm(old.folder, { recursive: true, force: true, maxRetries: 5 })
  await moment()
  await replace(chosen)
}

const onStandby = (act: (place: Place) => Promise<void>) => async () => {
  const place = places[below(places.length)]
  if (place !== undefined) await act(place)
}

const ACTS: Readonly<Record<string, () => Promise<void>>> = {
  'replay paused': onStandby(async ({ standby }) => {
    await standby.pauseReplay()
    await moment()
    await standby.ask('select pg_wal_replay_resume()')
  }),
  'standby halted': onStandby(async ({ standby }) => {
    await standby.pause()
    await moment()
    standby.resume()
  }),
  'standby slow': onStandby(async ({ address }) => {
    address.delay(SLOW)
    await moment()
    address.delay(0)
  }),
  'standby crashed': onStandby(({ standby }) => standby.restart()),
  'standby promoted': onStandby(async (place) => {
    await place.standby.promote()
    await moment()
    await replace(place)
  }),
  'connections cut': async () => {
    outages.push({ from: performance.now(), to: performance.now() })
    writes.cut()
  },
  'answers to commits lost': async () => {
    writes.loseOfCommits(() => (below(8) === 0 ? 'answer' : 'nothing'))
    await moment()
    writes.loseOfCommits(() => 'nothing')
  },
  'fail-over': failOver,
}

/** What happens to the servers, until all is as before. One at a time, because commits wait for a standby. */
export const OF_SERVERS = Object.fromEntries(
  Object.entries(ACTS).map(([name, act]) => [name, () => act().then(settled)]),
)

/** Waits until idle sessions have reported what they did. */
export const counted = (): Promise<void> => pause(11_000)
