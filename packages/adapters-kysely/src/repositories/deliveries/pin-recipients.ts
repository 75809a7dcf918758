import type { DeviceId, Email } from '@almoner/domain'
import { sql } from 'kysely'
import { inLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { isSubscribed } from '../devices/audience.ts'
import { isOpen, isSending } from './open.ts'

/** Devices by their numbers, or by those whose they are. */
export type Which =
  | { readonly by: 'device.id'; readonly values: ReadonlyArray<DeviceId> }
  | { readonly by: 'device.email'; readonly values: ReadonlyArray<Email> }

const pin = (db: Db, by: Which['by'], values: ReadonlyArray<DeviceId | Email>) =>
  db
    .insertInto('recipient_snapshot')
    .columns(['delivery_id', 'device_id', 'email'])
    .expression(
      db
        .selectFrom('device')
        .crossJoin('delivery')
        .select(['delivery.id', 'device.id as device_id', 'device.email'])
        .where(sql.ref(by), 'in', values)
        .where(isSubscribed)
        .where(isOpen)
        .whereRef('delivery.lang', '=', 'device.lang')
        .whereRef('delivery.epoch', '>=', 'device.epoch')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('ledger')
                .select('outcome')
                .whereRef('ledger.delivery_id', '=', 'delivery.id')
                .whereRef('ledger.device_id', '=', 'device.id'),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('retry')
                .select('attempts')
                .whereRef('retry.delivery_id', '=', 'delivery.id')
                .whereRef('retry.device_id', '=', 'device.id'),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/**
 * Keeps devices that are about to change, or go, recipients of all that is being sent to them and has not yet been (G4). To be
 * called within the epoch of the change, before it.
 */
export const pinRecipients = async (db: Db, { by, values }: Which): Promise<void> => {
  if (values.length === 0 || !(await isSending(db))) return
  for (const list of inLists<DeviceId | Email>(values)) await pin(db, by, list)
}
