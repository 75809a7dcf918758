import type { Device, DeviceId, DeviceToken, User } from '@almoner/domain/notifications'
import type { Selectable } from 'kysely'
import { paddedInLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { flag } from '../../schema/columns.ts'
import { type DeviceRow, tokenDigest } from '../../schema/device.table.ts'
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

/** Attaches a device that is not attached; false when it is. */
export const addDevice = async (
  db: Db,
  { token, email, kind, attachedAt }: Device,
  { lang, subscribed }: User,
  epoch: number,
): Promise<boolean> => {
  const fixed = { token_digest: tokenDigest(token), token, email, kind, attached_at: attachedAt }
  const added = await db
    .insertInto('device')
    .values({ ...fixed, epoch, lang, subscribed: flag(subscribed) })
    .onConflict((conflict) => conflict.column('token_digest').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Which device has this token and whose it is, held still until the transaction ends. */
export const lockedDevice = async (
  db: Db,
  token: DeviceToken,
): Promise<Pick<NumberedRow, 'id' | 'email' | 'kind'> | undefined> =>
  db
    .selectFrom('device')
    .select(['id', 'email', 'kind'])
    .where('token_digest', '=', tokenDigest(token))
    .forUpdate()
    .executeTakeFirst()

/** Removes devices within the epoch of the change. Running deliveries skip them (G4). */
export const removeDevices = async (db: Db, ids: ReadonlyArray<DeviceId>): Promise<void> => {
  await pinRecipients(db, { by: 'device.id', values: ids })
  for (const list of paddedInLists(ids)) await db.deleteFrom('device').where('id', 'in', list).execute()
}
