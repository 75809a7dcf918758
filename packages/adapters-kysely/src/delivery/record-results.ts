import type { Email, Instant } from '@almoner/domain'
import { heldUntil } from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import type { Selectable } from 'kysely'
import { findInLists, insertChunks, paddedInLists } from '../database/batches.ts'
import type { Db } from '../database/database.ts'
import { presentEpoch } from '../people/audience.ts'
import { removeDevices } from '../people/devices.ts'
import type { DeviceRow } from '../schema/device.table.ts'
import type { LiveDelivery } from './delivery-rows.ts'
import type { SettledRecipient } from './settle-results.ts'

/** Inserts final results into the ledger. */
export const keepEnded = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
  at: Instant,
): Promise<void> => {
  const rows = served.flatMap(({ effect }) =>
    effect.kind === 'ended'
      ? [{ delivery_id: id, device_id: effect.deviceId, outcome: effect.outcome, at }]
      : [],
  )
  for (const block of insertChunks(rows)) await db.insertInto('ledger').values(block).execute()
}

/** Deletes the retries of recipients that have an outcome. */
export const endWaiting = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
): Promise<void> => {
  const over = served.filter(({ effect }) => effect.kind === 'ended')
  for (const list of paddedInLists(over.map(({ recipient }) => recipient.deviceId)))
    await db.deleteFrom('retry').where('delivery_id', '=', id).where('device_id', 'in', list).execute()
}

/** Returns what a recipient without an outcome waits for; undefined for one that has an outcome. */
const waitingOf = (
  { ends_at }: LiveDelivery,
  { recipient, effect }: SettledRecipient,
  planned_at: Instant,
) => {
  if (effect.kind === 'ended') return undefined
  const refusals = recipient.refusals + Number(effect.isStrike)
  return effect.kind === 'waiting'
    ? { refusals, attempts: recipient.attempts + 1, due_at: effect.at, planned_at, held_for: null }
    : {
        ...{ refusals, attempts: recipient.attempts, planned_at },
        ...{ due_at: heldUntil(ends_at, planned_at), held_for: effect.origin },
      }
}

/** Stores retries with their time, and deferred devices with their origin. */
export const keepWaiting = async (
  db: Db,
  delivery: LiveDelivery,
  served: ReadonlyArray<SettledRecipient>,
  now: Instant,
): Promise<void> => {
  const rows = served.flatMap((one) => {
    const waiting = waitingOf(delivery, one, now)
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
          refusals: ref('excluded.refusals'),
          due_at: ref('excluded.due_at'),
          planned_at: ref('excluded.planned_at'),
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
export const detachDead = async (
  db: Db,
  served: ReadonlyArray<SettledRecipient>,
  at: Instant,
): Promise<void> => {
  const dead = new Map<DeviceId, Dead>()
  for (const { recipient, result, effect } of served)
    if (result.kind === 'unregistered' && effect.kind === 'ended')
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
