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
import { type Asking, columnList, condition, type Db, placeholders } from '../database/database.ts'
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

/** Rows about the devices of a range of a delivery. */
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

interface About {
  readonly device_id: DeviceId
}

/** Returns the devices of a range whose result is final or comes with the retries. */
const settledIn = async (db: Db, delivery: LiveDelivery, range: Range): Promise<ReadonlySet<DeviceId>> => {
  const ended = await rowsIn(db, 'ledger', delivery, range).select('device_id').execute()
  const again = await rowsIn(db, 'retry', delivery, range).select('device_id').execute()
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

interface Owned {
  readonly id: DeviceId
  readonly email: Email
}

/** As in a range's members: devices before snapshots, so that one that changes in between is found. */
const emailsAmong = async (
  { db, run }: Asking,
  { id, lang, label_id, epoch }: LiveDelivery,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Email>> => {
  const list = placeholders(ids)
  const topic = label_id === null ? condition('1 = 1') : isFollower(lang, label_id)
  const unchanged = await run<Owned>(
    db,
    `select id, email from device where id in (${list}) and lang = ? and device.subscribed = 1
      and ${topic.text} and epoch <= ?`,
    [...ids, lang, ...topic.values, epoch],
  )
  const snapshots = await run<Owned>(
    db,
    `select device_id as id, email from recipient_snapshot where delivery_id = ? and device_id in (${list})`,
    [id, ...ids],
  )
  return new Map([...unchanged, ...snapshots].map(({ id, email }) => [id, email]))
}

/** Returns the devices whose result is final or comes with the retries. */
const settledAmong = async (
  { db, run }: Asking,
  { id }: LiveDelivery,
  ids: Ids,
): Promise<ReadonlySet<DeviceId>> => {
  const about = `where delivery_id = ? and device_id in (${placeholders(ids)})`
  const ended = await run<About>(db, `select device_id from ledger ${about}`, [id, ...ids])
  const again = await run<About>(db, `select device_id from retry ${about}`, [id, ...ids])
  return new Set([...ended, ...again].map(({ device_id }) => device_id))
}

const membersAmong = async (
  asking: Asking,
  delivery: LiveDelivery,
  { after, upto }: Range,
  ids: Ids,
): Promise<ReadonlyArray<Recipient>> => {
  const emails = await emailsAmong(asking, delivery, ids)
  const settled = await settledAmong(asking, delivery, ids)
  return [...emails]
    .filter(([id]) => after < id && id <= upto && !settled.has(id))
    .map(([deviceId, email]) => ({ deviceId, email, attempts: 0, refusals: 0 }))
}

/** Returns the devices that are recipients in a batch, once each. */
export const recipientsAmong = async (
  asking: Asking,
  delivery: LiveDelivery,
  batch: BatchRow,
  ids: Ids,
): Promise<ReadonlyMap<DeviceId, Recipient>> => {
  const range = rangeOf(batch)
  const found = await findInLists(ids, (list) =>
    range === undefined ? retriesAmong(asking.db, batch, list) : membersAmong(asking, delivery, range, list),
  )
  return new Map(found.map((recipient) => [recipient.deviceId, recipient]))
}

/** Those recipients whose device is there, theirs, and subscribed (G4), and the origins that are closed (G15). */
export const checkEligibility = async (
  asking: Asking,
  claim: Claim,
  { recipients, now }: { readonly recipients: ReadonlyArray<Recipient>; readonly now: Instant },
): Promise<E.Either<ClaimLost, Eligibility>> => {
  const { db, run } = asking
  if (!(await isOurs(asking, claim))) return E.left(CLAIM_LOST)
  const emails = new Map(recipients.map(({ deviceId, email }) => [deviceId, email]))
  const found = new Map<DeviceId, EligibleDevice>()
  for (const list of paddedInLists([...emails.keys()])) {
    const rows = await run<Pick<Selectable<DeviceRow>, (typeof DEVICE_COLUMNS)[number]>>(
      db,
      `select ${columnList(DEVICE_COLUMNS)} from device
        where id in (${placeholders(list)}) and device.subscribed = 1`,
      list,
    )
    for (const { id, email, token, kind, attached_at } of rows)
      if (email === emails.get(id)) found.set(id, { token, kind, attachedAt: attached_at })
  }
  return E.right({ devices: found, closed: await closedIn(asking, claim.notificationId, now) })
}
