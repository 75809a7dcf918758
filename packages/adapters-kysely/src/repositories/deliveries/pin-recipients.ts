import type { Email } from '@almoner/domain'
import type { DeviceId } from '@almoner/domain/people'
import { type SqlBool, sql } from 'kysely'
import { paddedInLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { isSubscribed } from '../devices/audience.ts'
import { isOpen, isSending } from './delivery-rows.ts'

/** Devices by their numbers, or by those whose they are. */
export type Which =
  | { readonly by: 'device.id'; readonly values: ReadonlyArray<DeviceId> }
  | { readonly by: 'device.email'; readonly values: ReadonlyArray<Email> }

/** Whether a delivery has a row about a device. */
const hasRow = (table: 'ledger' | 'retry') =>
  sql<SqlBool>`exists (select 1 from ${sql.table(table)} as stored
    where stored.delivery_id = delivery.id and stored.device_id = device.id)`

/** Selects unchanged recipients of running deliveries that have neither an outcome nor a planned retry. */
export const unrecorded = (db: Db, by: Which['by'], values: ReadonlyArray<DeviceId | Email>) =>
  db
    .selectFrom('device')
    .crossJoin('delivery')
    .select(['delivery.id', 'device.id as device_id', 'device.email'])
    .where(sql.ref(by), 'in', values)
    .where(isSubscribed)
    .where(isOpen)
    .whereRef('delivery.lang', '=', 'device.lang')
    .whereRef('delivery.epoch', '>=', 'device.epoch')
    .where(({ not }) => not(hasRow('ledger')))
    .where(({ not }) => not(hasRow('retry')))

const pin = (db: Db, by: Which['by'], values: ReadonlyArray<DeviceId | Email>) =>
  db
    .insertInto('recipient_snapshot')
    .columns(['delivery_id', 'device_id', 'email'])
    .expression(unrecorded(db, by, values))
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/**
 * Keeps devices that are about to change, or go, recipients of all that is being sent to them and has not yet been (G4). To be
 * called within the epoch of the change, before it.
 */
export const pinRecipients = async (db: Db, { by, values }: Which): Promise<void> => {
  if (values.length === 0 || !(await isSending(db))) return
  for (const list of paddedInLists<DeviceId | Email>(values)) await pin(db, by, list)
}
