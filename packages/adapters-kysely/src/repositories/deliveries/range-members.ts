import type { DeviceId, Email, Recipient } from '@almoner/domain'
import type { Db } from '../../database/database.ts'
import { isSubscribed } from '../devices/audience.ts'
import type { LiveDelivery } from './open.ts'

/** Devices by number: those behind `after`, `upto` included. */
export interface Range {
  readonly after: DeviceId
  readonly upto: DeviceId
}

/** Recipients in the order of their devices, and how far the range was looked through. */
export interface Members {
  readonly recipients: ReadonlyArray<Recipient>
  readonly upto: DeviceId
}

/** Devices looked at beyond those asked for, so that some that are no recipients do not make a batch small. */
const SLACK = 100

const devicesIn = (db: Db, { lang }: LiveDelivery, { after, upto }: Range, most: number) =>
  db
    .selectFrom('device')
    .select(['id', 'email', 'epoch'])
    .where('lang', '=', lang)
    .where(isSubscribed)
    .where('id', '>', after)
    .where('id', '<=', upto)
    .orderBy('id')
    .limit(most)
    .execute()

const rowsIn = (
  db: Db,
  table: 'recipient_snapshot' | 'ledger' | 'retry',
  { id }: LiveDelivery,
  { after, upto }: Range,
) =>
  db
    .selectFrom(table)
    .where('delivery_id', '=', id)
    .where('device_id', '>', after)
    .where('device_id', '<=', upto)

/** The device that reading came to: the end of the range, unless there is more than was read. */
const reachedBy = (rows: ReadonlyArray<{ readonly id: DeviceId }>, most: number, upto: DeviceId): DeviceId =>
  (rows.length < most ? undefined : rows.at(-1)?.id) ?? upto

const least = (a: DeviceId, b: DeviceId): DeviceId => (a < b ? a : b)

/** Devices of a range whose turn has ended or comes with the retries. */
const settledIn = async (db: Db, delivery: LiveDelivery, range: Range): Promise<ReadonlySet<DeviceId>> => {
  const ended = await rowsIn(db, 'ledger', delivery, range).select('device_id').execute()
  const again = await rowsIn(db, 'retry', delivery, range).select('device_id').execute()
  return new Set([...ended, ...again].map(({ device_id }) => device_id))
}

/**
 * The first recipients of a range, at most `most`, whose turn has not ended and who do not wait for a retry. Devices are read
 * before pins: one that changes in between is then found twice, never not at all.
 */
export const membersOf = async (
  db: Db,
  delivery: LiveDelivery,
  range: Range,
  most: number,
): Promise<Members> => {
  const look = most + SLACK
  const devices = await devicesIn(db, delivery, range, look)
  const pins = await rowsIn(db, 'recipient_snapshot', delivery, range)
    .select(['device_id as id', 'email'])
    .orderBy('device_id')
    .limit(look)
    .execute()
  const reached = least(reachedBy(devices, look, range.upto), reachedBy(pins, look, range.upto))
  const settled = await settledIn(db, delivery, { after: range.after, upto: reached })
  const unchanged = devices.filter(({ epoch }) => epoch <= delivery.epoch)
  const emails = new Map<DeviceId, Email>([...unchanged, ...pins].map(({ id, email }) => [id, email]))
  const open = [...emails]
    .filter(([id]) => id <= reached && !settled.has(id))
    .map(([deviceId, email]): Recipient => ({ deviceId, email, attempts: 0 }))
    .sort((a, b) => a.deviceId - b.deviceId)
  const recipients = open.slice(0, most)
  return { recipients, upto: open.length > most ? (recipients.at(-1)?.deviceId ?? reached) : reached }
}
