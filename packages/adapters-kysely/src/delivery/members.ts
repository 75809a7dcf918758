import type { Email, Instant } from '@almoner/domain'
import {
  CLAIM_LOST,
  type Claim,
  type ClaimLost,
  type Eligibility,
  type EligibleDevice,
  type Recipient,
} from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import * as E from 'fp-ts/lib/Either.js'
import type { Selectable } from 'kysely'
import type { Db } from '../database/database.ts'
import { findInLists, paddedInLists } from '../database/writes.ts'
import { followsAll, isFollower, isSubscribed } from '../people/audience.ts'
import { DEVICE_COLUMNS } from '../people/devices.ts'
import type { BatchRow } from '../schema/delivery.table.ts'
import type { DeviceRow } from '../schema/device.table.ts'
import { closedIn } from './origins.ts'
import { RETRY_COLUMNS, recipientOf } from './retries.ts'
import { isOurs, type LiveDelivery, type Range, rangeOf } from './rows.ts'

/** Recipients in the order of their devices, and how far the range was looked through. */
interface Members {
  readonly recipients: ReadonlyArray<Recipient>
  readonly upto: DeviceId
}

/** Devices looked at beyond those asked for, so that some that are no recipients do not make a batch small. */
const SLACK = 100

/** The first devices of a range that a delivery is for, in order. Of a topic, its followers are read beside the followers of everything. */
const devicesIn = async (
  db: Db,
  { lang, label_id }: LiveDelivery,
  { after, upto }: Range,
  most: number,
): Promise<ReadonlyArray<Pick<Selectable<DeviceRow>, 'id' | 'email' | 'epoch'>>> => {
  const readers = db
    .selectFrom('device')
    .select(['device.id', 'device.email', 'device.epoch'])
    .where('device.id', '>', after)
    .where('device.id', '<=', upto)
    .where('device.lang', '=', lang)
    .where(label_id === null ? isSubscribed : followsAll)
    .orderBy('device.id')
    .limit(most)
    .execute()
  if (label_id === null) return readers
  const followers = db
    .selectFrom('follow')
    .innerJoin('device', 'device.id', 'follow.device_id')
    .select(['device.id', 'device.email', 'device.epoch'])
    .where('follow.label_id', '=', label_id)
    .where('follow.lang', '=', lang)
    .where('follow.device_id', '>', after)
    .where('follow.device_id', '<=', upto)
    .orderBy('follow.device_id')
    .limit(most)
  return [...(await readers), ...(await followers.execute())].sort((a, b) => a.id - b.id).slice(0, most)
}

type Ids = ReadonlyArray<DeviceId>

/** Rows about some devices of a delivery. */
const rowsAbout = (
  db: Db,
  table: 'recipient_snapshot' | 'ledger' | 'retry',
  { id }: LiveDelivery,
  devices: Range | Ids,
) => {
  const rows = db.selectFrom(table).where('delivery_id', '=', id)
  return 'after' in devices
    ? rows.where('device_id', '>', devices.after).where('device_id', '<=', devices.upto)
    : rows.where('device_id', 'in', devices)
}

/** The device that reading came to: the end of the range, unless there is more than was read. */
const reachedBy = (rows: ReadonlyArray<{ readonly id: DeviceId }>, most: number, upto: DeviceId): DeviceId =>
  (rows.length < most ? undefined : rows.at(-1)?.id) ?? upto

const least = (a: DeviceId, b: DeviceId): DeviceId => (a < b ? a : b)

/** Returns those of the devices whose result is final or comes with the retries. */
const settledAmong = async (
  db: Db,
  delivery: LiveDelivery,
  devices: Range | Ids,
): Promise<ReadonlySet<DeviceId>> => {
  const ended = await rowsAbout(db, 'ledger', delivery, devices).select('device_id').execute()
  const again = await rowsAbout(db, 'retry', delivery, devices).select('device_id').execute()
  return new Set([...ended, ...again].map(({ device_id }) => device_id))
}

/**
 * The first recipients of a range, at most `most`, without an outcome and who do not wait for a retry. Devices are read
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
  const pins = await rowsAbout(db, 'recipient_snapshot', delivery, range)
    .select(['device_id as id', 'email'])
    .orderBy('device_id')
    .limit(look)
    .execute()
  const reached = least(reachedBy(devices, look, range.upto), reachedBy(pins, look, range.upto))
  const settled = await settledAmong(db, delivery, { after: range.after, upto: reached })
  const unchanged = devices.filter(({ epoch }) => epoch <= delivery.epoch)
  const emails = new Map<DeviceId, Email>([...unchanged, ...pins].map(({ id, email }) => [id, email]))
  const open = [...emails]
    .filter(([id]) => id <= reached && !settled.has(id))
    .map(([deviceId, email]): Recipient => ({ deviceId, email, attempts: 0, refusals: 0 }))
    .sort((a, b) => a.deviceId - b.deviceId)
  const recipients = open.slice(0, most)
  return { recipients, upto: open.length > most ? (recipients.at(-1)?.deviceId ?? reached) : reached }
}

const retriesAmong = async (
  db: Db,
  { delivery_id, number }: BatchRow,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const rows = await db
    .selectFrom('retry')
    .select(RETRY_COLUMNS)
    .where('delivery_id', '=', delivery_id)
    .where('batch', '=', number)
    .where('device_id', 'in', ids)
    .execute()
  return rows.map(recipientOf)
}

/** As in a range's members: devices before snapshots, so that one that changes in between is found. */
const emailsAmong = async (
  db: Db,
  delivery: LiveDelivery,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Email>> => {
  const unchanged = await db
    .selectFrom('device')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('lang', '=', delivery.lang)
    .where(isSubscribed)
    .where(isFollower(delivery))
    .where('epoch', '<=', delivery.epoch)
    .execute()
  const snapshots = await rowsAbout(db, 'recipient_snapshot', delivery, ids)
    .select(['device_id as id', 'email'])
    .execute()
  return new Map([...unchanged, ...snapshots].map(({ id, email }) => [id, email]))
}

const membersAmong = async (
  db: Db,
  delivery: LiveDelivery,
  { after, upto }: Range,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const emails = await emailsAmong(db, delivery, ids)
  const settled = await settledAmong(db, delivery, ids)
  return [...emails]
    .filter(([id]) => after < id && id <= upto && !settled.has(id))
    .map(([deviceId, email]) => ({ deviceId, email, attempts: 0, refusals: 0 }))
}

/** Returns the devices that are recipients in a batch, once each. */
export const recipientsAmong = async (
  db: Db,
  delivery: LiveDelivery,
  batch: BatchRow,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Recipient>> => {
  const range = rangeOf(batch)
  const found = await findInLists(ids, (list) =>
    range === undefined ? retriesAmong(db, batch, list) : membersAmong(db, delivery, range, list),
  )
  return new Map(found.map((recipient) => [recipient.deviceId, recipient]))
}

/** Those recipients whose device is there, theirs, and subscribed (G4), and the origins that are closed (G15). */
export const checkEligibility = async (
  db: Db,
  claim: Claim,
  { recipients, now }: { readonly recipients: ReadonlyArray<Recipient>; readonly now: Instant },
): Promise<E.Either<ClaimLost, Eligibility>> => {
  if (!(await isOurs(db, claim))) return E.left(CLAIM_LOST)
  const emails = new Map(recipients.map(({ deviceId, email }) => [deviceId, email]))
  const found = new Map<DeviceId, EligibleDevice>()
  for (const list of paddedInLists([...emails.keys()])) {
    const rows = await db
      .selectFrom('device')
      .select(DEVICE_COLUMNS)
      .where('id', 'in', list)
      .where(isSubscribed)
      .execute()
    for (const { id, email, token, kind, attached_at } of rows)
      if (email === emails.get(id)) found.set(id, { token, kind, attachedAt: attached_at })
  }
  return E.right({ devices: found, closed: await closedIn(db, claim.notificationId, now) })
}
