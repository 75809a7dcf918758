import {
  type DeviceId,
  type Email,
  type Instant,
  outcomeOf,
  type Recipient,
  type Turn,
} from '@almoner/domain'
import { blocks, inLists } from '../blocks.ts'
import type { Db, SqlDialect } from '../engine.ts'
import { presentEpoch } from '../people/epoch.ts'
import { removeDevices } from '../people/remove-devices.ts'
import type { LiveDelivery } from './open.ts'

/** A recipient and how its turn went. */
export interface Served {
  readonly recipient: Recipient
  readonly turn: Turn
}

/** Writes turns that have ended into the ledger. Those that came with the retries wait no more. */
export const keepEnded = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<Served>,
  at: Instant,
): Promise<void> => {
  const rows = served.flatMap(({ recipient: { deviceId }, turn }) => {
    const outcome = outcomeOf(turn)
    return outcome === undefined ? [] : [{ delivery_id: id, device_id: deviceId, outcome, at }]
  })
  for (const block of blocks(rows)) await db.insertInto('ledger').values(block).execute()
  const retried = served.filter(({ recipient: { attempts }, turn }) => attempts > 0 && turn.kind !== 'again')
  for (const list of inLists(retried.map(({ recipient }) => recipient.deviceId)))
    await db.deleteFrom('retry').where('delivery_id', '=', id).where('device_id', 'in', list).execute()
}

/** Lets turns that come again wait for their time. */
export const keepAgain = async (
  db: Db,
  { id }: LiveDelivery,
  served: ReadonlyArray<Served>,
): Promise<void> => {
  const rows = served.flatMap(({ recipient: { deviceId, email, attempts }, turn }) =>
    turn.kind === 'again'
      ? [
          {
            delivery_id: id,
            device_id: deviceId,
            email,
            attempts: attempts + 1,
            due_at: turn.at,
            portion: null,
          },
        ]
      : [],
  )
  for (const block of blocks(rows))
    await db
      .insertInto('retry')
      .values(block)
      .onConflict((conflict) =>
        conflict.columns(['delivery_id', 'device_id']).doUpdateSet(({ ref }) => ({
          attempts: ref('excluded.attempts'),
          due_at: ref('excluded.due_at'),
          portion: null,
        })),
      )
      .execute()
}

interface Dead {
  readonly email: Email
  readonly attachedAt: Instant
}

/** Detaches devices that are dead, but for those that moved or were attached again since (G5). To be called once all outcomes are kept. */
export const detachDead = async (
  db: Db,
  dialect: SqlDialect,
  served: ReadonlyArray<Served>,
): Promise<void> => {
  const dead = new Map<DeviceId, Dead>()
  for (const { recipient, turn } of served)
    if (turn.kind === 'dead') dead.set(turn.deviceId, { email: recipient.email, attachedAt: turn.attachedAt })
  if (dead.size === 0) return
  await presentEpoch(db, dialect)
  const gone: Array<DeviceId> = []
  for (const list of inLists([...dead.keys()])) {
    const rows = await db
      .selectFrom('device')
      .select(['id', 'email', 'attached_at'])
      .where('id', 'in', list)
      .orderBy('id')
      .$if(dialect.locksRows, (query) => query.forUpdate())
      .execute()
    for (const { id, email, attached_at } of rows) {
      const told = dead.get(id)
      if (told?.email === email && told.attachedAt === attached_at) gone.push(id)
    }
  }
  await removeDevices(db, gone)
}
