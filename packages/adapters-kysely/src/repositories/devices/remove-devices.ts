import type { DeviceId } from '@almoner/domain'
import { inLists } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { pinRecipients } from '../deliveries/pin-recipients.ts'

/** Removes devices within the epoch of the change. Running deliveries skip them (G4). */
export const removeDevices = async (db: Db, ids: ReadonlyArray<DeviceId>): Promise<void> => {
  await pinRecipients(db, { by: 'device.id', values: ids })
  for (const list of inLists(ids)) await db.deleteFrom('device').where('id', 'in', list).execute()
}
