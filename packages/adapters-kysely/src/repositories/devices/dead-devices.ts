import type { Instant } from '@almoner/domain'
import { type DeadDevice, type DeadDeviceFilter, type DeviceId, newUser } from '@almoner/domain/people'
import type { DeadDevices } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { batchesOf, collection } from '../../database/batches.ts'
import { findInLists, paddedInLists } from '../../database/chunks.ts'
import type { Database, Db } from '../../database/database.ts'
import { purging } from '../../database/writes.ts'
import type { DeadDeviceRow } from '../../schema/device.table.ts'
import { recordAct } from '../history/record-act.ts'
import { ensureUsers } from '../users/person-rows.ts'
import { addDevice, deviceOf } from './device-rows.ts'
import { presentEpoch } from './epoch.ts'

type Row = Selectable<DeadDeviceRow>

/** Devices that one call restores, or forgets. */
const SOME = 200

/** The dead device that a row holds. */
export const deadDeviceOf = (row: Row): DeadDevice => ({ device: deviceOf(row), detachedAt: row.detached_at })

const behind = ({ detached_at, id }: Row) => sql<SqlBool>`(detached_at, id) > (${detached_at}, ${id})`

const readDead = (
  db: Db,
  { provider, since }: DeadDeviceFilter,
  { after, most }: { readonly after: Row | undefined; readonly most: number },
): Promise<ReadonlyArray<Row>> =>
  db
    .selectFrom('dead_device')
    .selectAll()
    .$if(O.isSome(provider), (query) => query.where('kind', '=', (provider as O.Some<Row['kind']>).value))
    .$if(O.isSome(since), (query) => query.where('detached_at', '>=', (since as O.Some<Instant>).value))
    .$if(after !== undefined, (query) => query.where(behind(after as Row)))
    .orderBy('detached_at')
    .orderBy('id')
    .limit(most)
    .execute()

async function* deadDevices(db: Db, which: DeadDeviceFilter) {
  const read = (last: Row | undefined, most: number) => readDead(db, which, { after: last, most })
  for await (const rows of batchesOf<Row>(read)) yield rows.map(deadDeviceOf)
}

const stillDead = (db: Db, ids: ReadonlyArray<DeviceId>): Promise<ReadonlyArray<Row>> =>
  findInLists(ids, (list) =>
    db.selectFrom('dead_device').selectAll().where('id', 'in', list).orderBy('id').forUpdate().execute(),
  )

/**
 * Locks come in the order of attaching: users, the epoch. Of a token that is attached meanwhile, the dead device and the device are
 * locked the other way round: the engine undoes one of the two transactions, which is run again.
 */
const restore = async (db: Db, which: DeadDeviceFilter): Promise<number> => {
  const first = await readDead(db, which, { after: undefined, most: SOME })
  if (first.length === 0) return 0
  const emails = [...new Set(first.map(({ email }) => email))]
  const { made, before: users } = await ensureUsers(db, emails.map(newUser))
  const epoch = await presentEpoch(db)
  const rows = await stillDead(
    db,
    first.map(({ id }) => id),
  )
  for (const row of rows)
    await addDevice(db, deviceOf(row), users.get(row.email) ?? newUser(row.email), epoch)
  for (const list of paddedInLists(rows.map(({ id }) => id)))
    await db.deleteFrom('dead_device').where('id', 'in', list).execute()
  // Who was erased since the first look must not come back without a device (L1).
  const restored = new Set(rows.map(({ email }) => email))
  for (const list of paddedInLists([...made].filter((email) => !restored.has(email))))
    await db.deleteFrom('person').where('email', 'in', list).execute()
  return first.length
}

const purge = async (db: Db, upto: Instant): Promise<number> => {
  const rows = await db
    .selectFrom('dead_device')
    .select('id')
    .where('detached_at', '<=', upto)
    .orderBy('detached_at')
    .orderBy('id')
    .limit(SOME)
    .execute()
  for (const list of paddedInLists(rows.map(({ id }) => id)))
    await db.deleteFrom('dead_device').where('id', 'in', list).execute()
  return rows.length
}

/** Devices that were detached as dead (G5). */
export const makeDeadDevices = (database: Database): DeadDevices => ({
  list: (which) => ({
    batches: collection(database, (db) => deadDevices(db, which)),
    next: O.none,
  }),
  restore: (which, act) =>
    database.write(async (db): Promise<E.Either<never, number>> => {
      const restored = await restore(db, which)
      if (restored > 0) await recordAct(db, act, { kind: 'users', id: '' })
      return E.right(restored)
    }),
  purge: (upto) => purging(database, (db) => purge(db, upto)),
})
