import type { Instant } from '@almoner/domain'
import { type DeviceId, deviceKeys } from '@almoner/domain/people'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { paddedInLists } from '../../database/writes.ts'
import { identityDigest } from '../device.table.ts'

/** Devices that are read at a time. */
const SOME = 500

type DeviceTable = 'device' | 'dead_device'

interface Found {
  readonly id: DeviceId
  readonly digest: string
  /** When it was attached or, if it is dead, detached. */
  readonly at: Instant
}

const timeColumn = (table: DeviceTable) => (table === 'device' ? 'attached_at' : 'detached_at')

/** Returns the devices behind a number whose digest is not that of their identity, with the right one, and how far it looked. */
const outdatedBehind = async (db: Db, table: DeviceTable, after: DeviceId) => {
  const rows = await db
    .selectFrom(table)
    .select(['id', 'token', 'kind', 'token_digest'])
    .select(({ ref }) => ref(timeColumn(table) as 'attached_at').as('at'))
    .where('id', '>', after)
    .orderBy('id')
    .limit(SOME)
    .execute()
  const outdated = rows.flatMap(({ id, at, token_digest, ...named }): ReadonlyArray<Found> => {
    const digest = identityDigest(deviceKeys(named).identity)
    return digest === token_digest ? [] : [{ id, digest, at }]
  })
  return { outdated, last: rows.at(-1)?.id }
}

const withDigests = async (
  db: Db,
  table: DeviceTable,
  digests: ReadonlyArray<string>,
): Promise<ReadonlyArray<Found>> => {
  const found: Array<Found> = []
  for (const list of paddedInLists(digests))
    found.push(
      ...(await db
        .selectFrom(table)
        .select(['id', 'token_digest as digest'])
        .select(({ ref }) => ref(timeColumn(table) as 'attached_at').as('at'))
        .where('token_digest', 'in', list)
        .execute()),
    )
  return found
}

/** Of several rows of one device the latest wins. */
const latestOfEach = (all: ReadonlyArray<Found>): ReadonlyMap<string, Found> => {
  const latest = new Map<string, Found>()
  for (const one of all) {
    const other = latest.get(one.digest)
    if (other === undefined || one.at > other.at || (one.at === other.at && one.id > other.id))
      latest.set(one.digest, one)
  }
  return latest
}

/** Removes devices; they stay recipients of running deliveries, which skip them (G4). */
const remove = async (db: Db, table: DeviceTable, ids: ReadonlyArray<DeviceId>): Promise<void> => {
  for (const list of paddedInLists(ids)) {
    if (table === 'device')
      await sql`insert into recipient_snapshot (delivery_id, device_id, email)
        select delivery.id, device.id, device.email from device cross join delivery
        where device.id in (${sql.join(list)}) and device.subscribed = 1 and delivery.sending = 1
          and delivery.lang = device.lang and delivery.epoch >= device.epoch
          and not exists (select 1 from ledger where delivery_id = delivery.id and device_id = device.id)
          and not exists (select 1 from retry where delivery_id = delivery.id and device_id = device.id)
        on conflict do nothing`.execute(db)
    await db.deleteFrom(table).where('id', 'in', list).execute()
  }
}

const setDigests = async (db: Db, table: DeviceTable, all: ReadonlyArray<Found>): Promise<void> => {
  if (all.length === 0) return
  const rows = sql.join(all.map(({ id, digest }) => sql`(cast(${id} as bigint), ${digest})`))
  await sql`with present (id, digest) as (values ${rows})
    update ${sql.table(table)} set token_digest = (select digest from present where present.id = ${sql.table(table)}.id)
    where id in (select id from present)`.execute(db)
}

/**
 * Indexes every stored device by its identity in place of its text, and makes rows of one destination one device: the one attached last (F4). Of
 * the dead the one detached last stays, unless the device is attached. Does nothing where all rows are like that.
 */
export const mergeDevices = async (db: Db): Promise<void> => {
  for (const table of ['device', 'dead_device'] as const) {
    let place: DeviceId | undefined = 0 as DeviceId
    while (place !== undefined) {
      const { outdated, last }: Awaited<ReturnType<typeof outdatedBehind>> = await outdatedBehind(
        db,
        table,
        place,
      )
      place = last
      const stored = await withDigests(
        db,
        table,
        outdated.map(({ digest }) => digest),
      )
      const kept = latestOfEach([...outdated, ...stored])
      const isKept = ({ id, digest }: Found) => kept.get(digest)?.id === id
      const gone = [...outdated, ...stored].filter((one) => !isKept(one))
      await remove(
        db,
        table,
        gone.map(({ id }) => id),
      )
      await setDigests(db, table, outdated.filter(isKept))
    }
  }
  await sql`delete from dead_device where token_digest in (select token_digest from device)`.execute(db)
}
