import type { Email } from '@almoner/domain'
import {
  DEVICE_NOT_FOUND,
  type Device,
  type DeviceNotFound,
  NO_ACTING_USER,
  type NoActingUser,
  newUser,
  type User,
} from '@almoner/domain/people'
import type { Devices, NothingDone } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { batchesOf, collection } from '../../database/batches.ts'
import type { Database, Db } from '../../database/database.ts'
import { QUIET } from '../../database/writes.ts'
import { makeHoldBinding } from '../clients/bindings.ts'
import { recordUserAct } from '../history/record-act.ts'
import { keepReceipt } from '../idempotency-keys.ts'
import { lockedUser } from '../users/person-rows.ts'
import { audienceOf } from './audience.ts'
import {
  addDevice,
  columnsOf,
  DEVICE_COLUMNS,
  deviceOf,
  forgetDead,
  lockedDevices,
  type NumberedRow,
  removeDevices,
} from './device-rows.ts'
import { presentEpoch } from './epoch.ts'

async function* devicesOf(db: Db, email: Email) {
  const read = (last: NumberedRow | undefined, most: number) =>
    db
      .selectFrom('device')
      .select(DEVICE_COLUMNS)
      .where('email', '=', email)
      .$if(last !== undefined, (query) => query.where('id', '>', (last as NumberedRow).id))
      .orderBy('id')
      .limit(most)
      .execute()
  for await (const rows of batchesOf<NumberedRow>(read)) yield rows.map(deviceOf)
}

/**
 * Attaches a device within the epoch of the change. A moved device is removed and attached with a new number.
 * @returns false if it was attached to its user already, with the same kind
 */
const attach = async (
  db: Db,
  device: Device,
  { user, epoch }: { readonly user: User; readonly epoch: number },
): Promise<boolean> => {
  const held = await lockedDevices(db, device)
  const own = held.find(({ email }) => email === device.email)
  const others = held.filter((one) => one !== own).map(({ id }) => id)
  if (others.length > 0) await removeDevices(db, others)
  if (own !== undefined) {
    await db.updateTable('device').set(columnsOf(device)).where('id', '=', own.id).execute()
    return own.kind !== device.kind
  }
  // Otherwise another transaction has attached it meanwhile.
  return (await addDevice(db, device, user, epoch)) || attach(db, device, { user, epoch })
}

/** Devices and whose they are (F1, F4). */
export const makeDevices = (database: Database): Devices => {
  const holdBinding = makeHoldBinding()
  return {
    ofUser: (email) => ({
      batches: collection(database, (db) => devicesOf(db, email)),
      next: O.none,
    }),

    attach: (device, receipt, act) =>
      database.write(async (db): Promise<E.Either<NoActingUser | NothingDone, void>> => {
        if (!(await holdBinding(db, act))) return E.left(NO_ACTING_USER)
        const { user } = await lockedUser(db, newUser(device.email))
        const epoch = await presentEpoch(db)
        const isChange = await attach(db, device, { user, epoch })
        // Last: attaching waits for a recording that detaches the same token, and only then is its dead device there to be deleted.
        await forgetDead(db, device)
        if (isChange) await recordUserAct(db, act, device.email)
        return E.map(() => undefined)(await keepReceipt(db, receipt, device))
      }, QUIET),

    detach: (email, device, act) =>
      database.write(async (db): Promise<E.Either<NoActingUser | DeviceNotFound, void>> => {
        if (!(await holdBinding(db, act))) return E.left(NO_ACTING_USER)
        await presentEpoch(db)
        const held = await lockedDevices(db, device)
        const own = held.filter((one) => one.email === email).map(({ id }) => id)
        if (own.length === 0) return E.left(DEVICE_NOT_FOUND)
        await removeDevices(db, own)
        await recordUserAct(db, act, email)
        return E.right(undefined)
      }, QUIET),

    audience: (lang) => database.readSnapshot((db) => audienceOf(db, lang), { timeout: 'none' }),

    countUnroutable: () =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('device')
          .select(({ fn }) => fn.countAll().as('devices'))
          // Written out, as an index of these rows alone is used only for a value that the planner knows.
          .where(sql<boolean>`kind = 'unroutable'`)
          .executeTakeFirstOrThrow()
        return Number(row.devices)
      }),
  }
}
