import type { Email, Instant } from '@almoner/domain'
import { type DeliveryResult, type DeviceId, outcomeOf, type Recipient } from '@almoner/domain/notifications'
import type { Selectable } from 'kysely'
import { findInLists, insertChunks, paddedInLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import type { RetryRow } from '../../schema/delivery.table.ts'
import type { DeviceRow } from '../../schema/device.table.ts'
import { removeDevices } from '../devices/device-rows.ts'
import { presentEpoch } from '../devices/epoch.ts'
import type { LiveDelivery } from './delivery-rows.ts'

/** A recipient and its result. */
export interface Served {
  readonly recipient: Recipient
  readonly result: DeliveryResult
}

/** Inserts final results into the ledger. */
export const keepEnded = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<Served>,
  at: Instant,
): Promise<void> => {
  const rows = served.flatMap(({ recipient: { deviceId }, result }) => {
    const outcome = outcomeOf(result)
    return outcome === undefined ? [] : [{ delivery_id: id, device_id: deviceId, outcome, at }]
  })
  for (const block of insertChunks(rows)) await db.insertInto('ledger').values(block).execute()
}

/** Deletes the retries of recipients that have an outcome. */
export const endWaiting = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<Served>,
): Promise<void> => {
  const over = served.filter(({ result }) => outcomeOf(result) !== undefined)
  for (const list of paddedInLists(over.map(({ recipient }) => recipient.deviceId)))
    await db.deleteFrom('retry').where('delivery_id', '=', id).where('device_id', 'in', list).execute()
}

/** Returns what a result without an outcome waits for; none for a final one. */
const waitingOf = (
  { ends_at }: LiveDelivery,
  { recipient: { attempts }, result }: Served,
): Pick<RetryRow, 'attempts' | 'due_at' | 'held_for'> | undefined => {
  switch (result.kind) {
    case 'retry':
      return { attempts: attempts + 1, due_at: result.at, held_for: null }
    case 'deferred':
      return { attempts, due_at: ends_at, held_for: result.provider }
    default:
      return undefined
  }
}

/** Stores retries with their time, and deferred devices with their provider. */
export const keepWaiting = async (
  db: Db,
  delivery: LiveDelivery,
  served: ReadonlyArray<Served>,
): Promise<void> => {
  const rows = served.flatMap((one) => {
    const waiting = waitingOf(delivery, one)
    const { deviceId, email } = one.recipient
    return waiting === undefined
      ? []
      : [{ delivery_id: delivery.id, device_id: deviceId, email, ...waiting, batch: null }]
  })
  for (const block of insertChunks(rows))
    await db
      .insertInto('retry')
      .values(block)
      .onConflict((conflict) =>
        conflict.columns(['delivery_id', 'device_id']).doUpdateSet(({ ref }) => ({
          attempts: ref('excluded.attempts'),
          due_at: ref('excluded.due_at'),
          held_for: ref('excluded.held_for'),
          batch: null,
        })),
      )
      .execute()
}

interface Dead {
  readonly email: Email
  readonly attachedAt: Instant
}

/** Those of the devices that are as they were when they were sent to, held still until the transaction ends. */
const unchanged = async (
  db: Db,
  dead: ReadonlyMap<DeviceId, Dead>,
): Promise<ReadonlyArray<Selectable<DeviceRow>>> => {
  const found = await findInLists([...dead.keys()], (list) =>
    db.selectFrom('device').selectAll().where('id', 'in', list).orderBy('id').forUpdate().execute(),
  )
  return found.filter(({ id, email, attached_at }) => {
    const told = dead.get(id)
    return told?.email === email && told.attachedAt === attached_at
  })
}

/**
 * Detaches dead devices, except moved and reattached ones, and keeps them for a restore (G5). Call it after all outcomes are recorded.
 */
export const detachDead = async (db: Db, served: ReadonlyArray<Served>, at: Instant): Promise<void> => {
  const dead = new Map<DeviceId, Dead>()
  for (const { recipient, result } of served)
    if (result.kind === 'unregistered')
      dead.set(result.deviceId, { email: recipient.email, attachedAt: result.attachedAt })
  if (dead.size === 0) return
  await presentEpoch(db)
  const gone = await unchanged(db, dead)
  const kept = gone.map(({ token_digest, token, email, kind, attached_at }) => {
    return { token_digest, token, email, kind, attached_at, detached_at: at }
  })
  for (const block of insertChunks(kept))
    await db
      .insertInto('dead_device')
      .values(block)
      .onConflict((conflict) =>
        conflict.column('token_digest').doUpdateSet(({ ref }) => ({
          token: ref('excluded.token'),
          email: ref('excluded.email'),
          kind: ref('excluded.kind'),
          attached_at: ref('excluded.attached_at'),
          detached_at: ref('excluded.detached_at'),
        })),
      )
      .execute()
  await removeDevices(
    db,
    gone.map(({ id }) => id),
  )
}
