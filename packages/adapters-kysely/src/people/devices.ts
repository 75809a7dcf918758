import type { Email, Instant } from '@almoner/domain'
import {
  type Audience,
  DEVICE_NOT_FOUND,
  type DeadDevice,
  type DeadDeviceFilter,
  type Device,
  type DeviceId,
  type DeviceNotFound,
  deviceKeys,
  type NamedDevice,
  NO_ACTING_USER,
  type NoActingUser,
  newUser,
  type User,
} from '@almoner/domain/people'
import type { DeadDevices, Devices, NothingDone } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { keepReceipt, makeHoldBinding } from '../access/tokens.ts'
import type { Database, Db } from '../database/database.ts'
import {
  batchesOf,
  collection,
  findInLists,
  paddedInList,
  paddedInLists,
  purging,
  QUIET,
} from '../database/writes.ts'
import { recordAct, recordUserAct } from '../history.ts'
import { type DeadDeviceRow, type DeviceRow, identityDigest } from '../schema/device.table.ts'
import { audienceOf, countFollowers, pinRecipients, presentEpoch, type StoredAudience } from './audience.ts'
import { addFollows, ensureUsers, knowSince, lockedUser } from './users.ts'

/** A device with its number. */
type NumberedRow = Pick<Selectable<DeviceRow>, 'id' | 'token' | 'email' | 'kind' | 'attached_at'>

export const DEVICE_COLUMNS = ['id', 'token', 'email', 'kind', 'attached_at'] as const

/** The device that a row holds. */
export const deviceOf = ({ token, email, kind, attached_at }: NumberedRow): Device => ({
  token,
  email,
  kind,
  attachedAt: attached_at,
})

/** The columns that each attachment renews. */
const columnsOf = (device: Device) => ({
  token_digest: identityDigest(deviceKeys(device).identity),
  token: device.token,
  kind: device.kind,
  attached_at: device.attachedAt,
})

/** Attaches a device that is not attached; false when it is. */
const addDevice = async (db: Db, device: Device, user: User, epoch: number): Promise<boolean> => {
  const { lang, subscribed, topics } = user
  const fixed = { ...columnsOf(device), email: device.email }
  const added = await db
    .insertInto('device')
    .values({
      ...fixed,
      epoch,
      lang,
      subscribed: subscribed ? 1 : 0,
      follows_all: topics.length === 0 ? 1 : 0,
    })
    .onConflict((conflict) => conflict.column('token_digest').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added !== undefined) await addFollows(db, user, [added.id])
  return added !== undefined
}

/** Returns what finds the stored devices that are a named one (F4): digests, and which rows with one of them are it. */
const sameDevice = (named: NamedDevice) => {
  const { identity, otherwise } = deviceKeys(named)
  const digest = identityDigest(identity)
  return {
    digests: [digest, ...otherwise.map(identityDigest)],
    isSame: (row: Pick<DeviceRow, 'token_digest' | 'token'>): boolean =>
      row.token_digest === digest || row.token === named.token,
  }
}

/** Returns the rows of a device, one unless its kind has changed, held still until the transaction ends. */
const lockedDevices = async (
  db: Db,
  named: NamedDevice,
): Promise<ReadonlyArray<Pick<NumberedRow, 'id' | 'email' | 'kind'>>> => {
  const { digests, isSame } = sameDevice(named)
  const rows = await db
    .selectFrom('device')
    .select(['id', 'email', 'kind', 'token', 'token_digest'])
    .where('token_digest', 'in', paddedInList(digests))
    .forUpdate()
    .execute()
  return rows.filter(isSame)
}

/** Takes a device off the list of the dead. */
const forgetDead = async (db: Db, named: NamedDevice): Promise<void> => {
  const { digests, isSame } = sameDevice(named)
  const rows = await db
    .selectFrom('dead_device')
    .select(['id', 'token', 'token_digest'])
    .where('token_digest', 'in', paddedInList(digests))
    .execute()
  const ids = rows.filter(isSame).map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('dead_device').where('id', 'in', paddedInList(ids)).execute()
}

/** Removes devices within the epoch of the change. Running deliveries skip them (G4). */
export const removeDevices = async (db: Db, ids: ReadonlyArray<DeviceId>): Promise<void> => {
  await pinRecipients(db, { by: 'device.id', values: ids })
  for (const list of paddedInLists(ids)) await db.deleteFrom('device').where('id', 'in', list).execute()
}

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

const storedAudience = ({ lang, labelId }: Audience): StoredAudience => ({
  lang,
  label_id: O.toNullable(labelId),
})

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
        const { isNew, user } = await lockedUser(db, newUser(device.email))
        const epoch = await presentEpoch(db)
        if (isNew) await knowSince(db, [device.email], epoch)
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

    audience: (audience) =>
      database.readSnapshot((db) => audienceOf(db, storedAudience(audience)), { timeout: 'none' }),
    followers: (audience) =>
      database.readSnapshot((db) => countFollowers(db, storedAudience(audience)), { timeout: 'none' }),

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

type Row = Selectable<DeadDeviceRow>

/** Devices that one call restores, or forgets. */
const SOME = 200

/** The dead device that a row holds. */
export const deadDeviceOf = (row: Row): DeadDevice => ({ device: deviceOf(row), detachedAt: row.detached_at })

const behindDead = ({ detached_at, id }: Row) => sql<SqlBool>`(detached_at, id) > (${detached_at}, ${id})`

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
    .$if(after !== undefined, (query) => query.where(behindDead(after as Row)))
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
  await knowSince(db, made, epoch)
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
    database.write(
      async (db): Promise<E.Either<never, number>> => {
        const restored = await restore(db, which)
        if (restored > 0) await recordAct(db, act, { kind: 'users', id: '' })
        return E.right(restored)
      },
      { notify: ['people'] },
    ),
  purge: (upto) => purging(database, (db) => purge(db, upto), { notify: ['people'] }),
})
