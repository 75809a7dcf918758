import type { DeviceId, Email, Recipient } from '@almoner/domain'
import { inLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import type { BatchRow } from '../../schema/delivery.table.ts'
import { isSubscribed } from '../devices/audience.ts'
import { rangeOf } from './batch-rows.ts'
import type { LiveDelivery } from './open.ts'
import type { Range } from './range-members.ts'
import { recipientOf } from './retries.ts'

type Ids = ReadonlyArray<DeviceId>

const retriesAmong = async (
  db: Db,
  { delivery_id, number }: BatchRow,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select(['device_id', 'email', 'attempts'])
    .where('delivery_id', '=', delivery_id)
    .where('batch', '=', number)
    .where('device_id', 'in', ids)
    .execute()
  return rows.map(recipientOf)
}

const settledAmong = async (db: Db, { id }: LiveDelivery, ids: Ids): Promise<ReadonlySet<DeviceId>> => {
  const ended = await db
    .selectFrom('ledger')
    .select('device_id')
    .where('delivery_id', '=', id)
    .where('device_id', 'in', ids)
    .execute()
  const again = await db
    .selectFrom('retry')
    .select('device_id')
    .where('delivery_id', '=', id)
    .where('device_id', 'in', ids)
    .execute()
  return new Set([...ended, ...again].map(({ device_id }) => device_id))
}

/** As in a range's members: devices before pins, so that one that changes in between is found. */
const emailsAmong = async (
  db: Db,
  { id, lang, epoch }: LiveDelivery,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Email>> => {
  const unchanged = await db
    .selectFrom('device')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('lang', '=', lang)
    .where(isSubscribed)
    .where('epoch', '<=', epoch)
    .execute()
  const pins = await db
    .selectFrom('recipient_snapshot')
    .select(['device_id as id', 'email'])
    .where('delivery_id', '=', id)
    .where('device_id', 'in', ids)
    .execute()
  return new Map([...unchanged, ...pins].map(({ id, email }) => [id, email]))
}

const membersAmong = async (
  db: Db,
  delivery: LiveDelivery,
  { after, upto }: Range,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const emails = await emailsAmong(db, delivery, ids)
  const settled = await settledAmong(db, delivery, ids)
  return [...emails]
    .filter(([id]) => after < id && id <= upto && !settled.has(id))
    .map(([deviceId, email]) => ({ deviceId, email, attempts: 0 }))
}

/** Returns the devices that are recipients in a batch, once each. */
export const recipientsAmong = async (
  db: Db,
  delivery: LiveDelivery,
  batch: BatchRow,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Recipient>> => {
  const range = rangeOf(batch)
  const found: Array<Recipient> = []
  for (const list of inLists(ids))
    found.push(
      ...(range === undefined
        ? await retriesAmong(db, batch, list)
        : await membersAmong(db, delivery, range, list)),
    )
  return new Map(found.map((recipient) => [recipient.deviceId, recipient]))
}
