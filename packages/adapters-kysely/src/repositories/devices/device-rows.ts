import { type Device, type DeviceId, deviceKeys, type NamedDevice, type User } from '@almoner/domain/people'
import type { Selectable } from 'kysely'
import { paddedInList, paddedInLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { flag } from '../../schema/columns.ts'
import { type DeviceRow, identityDigest } from '../../schema/device.table.ts'
import { pinRecipients } from '../deliveries/pin-recipients.ts'

/** A device with its number. */
export type NumberedRow = Pick<Selectable<DeviceRow>, 'id' | 'token' | 'email' | 'kind' | 'attached_at'>

export const DEVICE_COLUMNS = ['id', 'token', 'email', 'kind', 'attached_at'] as const

/** The device that a row holds. */
export const deviceOf = ({ token, email, kind, attached_at }: NumberedRow): Device => ({
  token,
  email,
  kind,
  attachedAt: attached_at,
})

/** The columns that each attachment renews. */
export const columnsOf = (device: Device) => ({
  token_digest: identityDigest(deviceKeys(device).identity),
  token: device.token,
  kind: device.kind,
  attached_at: device.attachedAt,
})

/** Attaches a device that is not attached; false when it is. */
export const addDevice = async (
  db: Db,
  device: Device,
  { lang, subscribed }: User,
  epoch: number,
): Promise<boolean> => {
  const fixed = { ...columnsOf(device), email: device.email }
  const added = await db
    .insertInto('device')
    .values({ ...fixed, epoch, lang, subscribed: flag(subscribed) })
    .onConflict((conflict) => conflict.column('token_digest').doNothing())
    .returning('id')
    .executeTakeFirst()
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
export const lockedDevices = async (
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
export const forgetDead = async (db: Db, named: NamedDevice): Promise<void> => {
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
