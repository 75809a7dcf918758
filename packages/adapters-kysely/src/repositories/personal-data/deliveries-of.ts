import type { Email } from '@almoner/domain'
import type { DeviceId, DeviceToken } from '@almoner/domain/people'
import type { PersonalDelivery } from '@almoner/domain/personal-data'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { findInLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { deviceIdsOf } from '../deliveries/erase-recipients.ts'
import { unrecorded } from '../deliveries/pin-recipients.ts'

interface Found extends Pick<PersonalDelivery, 'state' | 'at'> {
  readonly delivery: number
  readonly device: DeviceId
}

const outcomesOf = async (db: Db, ids: ReadonlyArray<DeviceId>): Promise<ReadonlyArray<Found>> => {
  const rows = await findInLists(ids, (list) =>
    db
      .selectFrom('ledger')
      .selectAll()
      .where('delivery_id', 'in', ({ selectFrom }) =>
        selectFrom('delivery').select('id').where(sql<boolean>`has_rows = 1`),
      )
      .where('device_id', 'in', list)
      .execute(),
  )
  return rows.map(({ delivery_id, device_id, outcome, at }) => {
    return { delivery: delivery_id, device: device_id, state: outcome, at: O.some(at) }
  })
}

const retriesOf = async (db: Db, email: Email): Promise<ReadonlyArray<Found>> => {
  const rows = await db.selectFrom('retry').selectAll().where('email', '=', email).execute()
  return rows.map(({ delivery_id, device_id, due_at }) => {
    return { delivery: delivery_id, device: device_id, state: 'retry', at: O.some(due_at) }
  })
}

const pendingOf = async (db: Db, email: Email): Promise<ReadonlyArray<Found>> => {
  const pinned = await db
    .selectFrom('recipient_snapshot')
    .select(['delivery_id as id', 'device_id'])
    .where('email', '=', email)
    .execute()
  const unchanged = await unrecorded(db, 'device.email', [email]).execute()
  return [...pinned, ...unchanged].map(({ id, device_id }) => {
    return { delivery: id, device: device_id, state: 'pending', at: O.none }
  })
}

/** Returns the notifications for the devices of a person, by delivery and device. */
export const deliveriesOf = async (
  db: Db,
  email: Email,
  tokens: ReadonlyMap<DeviceId, DeviceToken>,
): Promise<ReadonlyArray<PersonalDelivery>> => {
  const found = [
    ...(await pendingOf(db, email)),
    ...(await retriesOf(db, email)),
    ...(await outcomesOf(db, await deviceIdsOf(db, email))),
  ]
  // A snapshot stays when its device has a retry or an outcome, which come later in the list and replace it.
  const latest = new Map(found.map((one) => [`${one.delivery} ${one.device}`, one]))
  const ordered = [...latest.values()].sort((a, b) => a.delivery - b.delivery || a.device - b.device)
  const deliveries = await findInLists([...new Set(ordered.map(({ delivery }) => delivery))], (list) =>
    db.selectFrom('delivery').select(['id', 'notification_id']).where('id', 'in', list).execute(),
  )
  const notifications = new Map(deliveries.map(({ id, notification_id }) => [id, notification_id]))
  return ordered.map(({ delivery, device, state, at }) => ({
    notificationId: O.fromNullable(notifications.get(delivery)),
    token: O.fromNullable(tokens.get(device)),
    state,
    at,
  }))
}
