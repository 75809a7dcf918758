import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Email } from '@almoner/domain'
import { type DeviceId, type DeviceKind, PROVIDERS } from '@almoner/domain/people'
import type { LabelId, Language } from '@almoner/domain/values'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Condition, condition, type Db, type SqlDialect } from '../database/database.ts'
import { paddedInLists } from '../database/writes.ts'

/** The one row that there is. */
const ONLY = 1

/**
 * Returns the current epoch before a change of a device, and prevents the start of a notification until the transaction ends. This lock is
 * always taken before locks on devices.
 */
export const presentEpoch = async (db: Db): Promise<number> => {
  const { value } = await db
    .selectFrom('epoch')
    .select('value')
    .where('id', '=', ONLY)
    .forShare()
    .executeTakeFirstOrThrow()
  return value
}

/**
 * Ends the current epoch and returns it. Devices that changed earlier belong to it, later changes do not, and none changes until this
 * transaction ends, so epochs preserve the state of this moment (G4). The table lock queues: it is granted after current holders of
 * {@link presentEpoch}, and before later ones.
 */
export const endEpoch = async (db: Db, dialect: SqlDialect): Promise<number> => {
  const lock = dialect.queueingLock('epoch')
  if (lock !== undefined) await sql.raw(lock).execute(db)
  const { value } = await db
    .updateTable('epoch')
    .set(({ eb }) => ({ value: eb('value', '+', 1) }))
    .where('id', '=', ONLY)
    .returning('value')
    .executeTakeFirstOrThrow()
  return value - 1
}

/** Devices counted at once, by the index alone: some milliseconds, during which nothing else runs. */
const HOP = 50_000

/** Before every device. */
export const NO_DEVICE = 0 as DeviceId

/** A device of a subscribed user. The text is that of its index's condition. */
export const isSubscribed = sql<SqlBool>`device.subscribed = 1`

/** Whom a delivery is for, as rows have it (G12). */
export interface StoredAudience {
  readonly lang: Language
  readonly label_id: LabelId | null
}

/** Devices that an index lists in their order, in the words of a statement. */
interface Part {
  readonly id: RawBuilder<DeviceId>
  readonly from: RawBuilder<unknown>
  /** The same with the columns of the devices. */
  readonly withDevice: RawBuilder<unknown>
  readonly where: RawBuilder<SqlBool>
}

const readers = (where: RawBuilder<SqlBool>): Part => {
  const from = sql`device`
  return { id: sql`device.id`, from, withDevice: from, where }
}

/** The devices that are found by a label, those of its subscribed followers. */
const followersOf = (lang: Language, labelId: LabelId): Part => ({
  id: sql`follow.device_id`,
  from: sql`follow`,
  withDevice: sql`follow join device on device.id = follow.device_id`,
  where: sql<SqlBool>`follow.label_id = ${labelId} and follow.lang = ${lang}`,
})

/** The parts of an audience, which share no device: the followers of everything, and of the topic (F6). */
const partsOf = ({ lang, label_id }: StoredAudience): ReadonlyArray<Part> =>
  label_id === null
    ? [readers(sql<SqlBool>`device.lang = ${lang} and ${isSubscribed}`)]
    : [readers(sql<SqlBool>`device.lang = ${lang} and ${followsAll}`), followersOf(lang, label_id)]

/** A device whose subscribed user follows everything (F6). The text is that of its index's condition. */
export const followsAll = sql<SqlBool>`device.subscribed = 1 and device.follows_all = 1`

interface Hop {
  readonly after: DeviceId
  /** The last of {@link HOP} devices; undefined when there are fewer. */
  readonly upto: DeviceId | undefined
}

async function* hops(db: Db, { id, from, where }: Part, size = HOP): AsyncGenerator<Hop> {
  let after = NO_DEVICE
  for (;;) {
    const end = sql<{
      readonly id: DeviceId
    }>`select ${id} as id from ${from} where ${where} and ${id} > ${after}
      order by ${id} limit 1 offset ${size - 1}`
    const upto = (await end.execute(db)).rows[0]?.id
    yield { after, upto }
    if (upto === undefined) return
    after = upto
    await nextTurn()
  }
}

/** How many devices an audience has, and the last of them. */
export const sizeOfAudience = async (
  db: Db,
  audience: StoredAudience,
): Promise<{ readonly size: number; readonly last: DeviceId }> => {
  let size = 0
  let last = NO_DEVICE
  for (const part of partsOf(audience))
    for await (const { after, upto } of hops(db, part)) {
      const { id, from, where } = part
      const rest = sql<{
        readonly size: number
        readonly last: DeviceId | null
      }>`select count(*) as size, max(${id}) as last from ${from} where ${where} and ${id} > ${after}`
      const some = upto === undefined ? (await rest.execute(db)).rows[0] : { size: HOP, last: upto }
      size += Number(some?.size)
      last = Math.max(last, some?.last ?? NO_DEVICE) as DeviceId
    }
  return { size, last }
}

const within = (part: Part, { after, upto }: Hop) => {
  const end = upto === undefined ? sql`` : sql` and ${part.id} <= ${upto}`
  return sql`from ${part.withDevice} where ${part.where} and ${part.id} > ${after}${end}`
}

const KINDS = [...PROVIDERS, 'unroutable'] as const

/** How many devices of each kind an audience has. Kinds that a host has added are counted here, because grouping would sort the devices. */
export const audienceOf = async (
  db: Db,
  audience: StoredAudience,
): Promise<Readonly<Record<DeviceKind, number>>> => {
  const counts: Record<DeviceKind, number> = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
  const known = sql.join(
    KINDS.map((kind) => sql`count(*) filter (where device.kind = ${kind}) as ${sql.ref(kind)}`),
  )
  const count = async (part: Part, hop: Hop): Promise<void> => {
    const counted = sql<
      Record<'all' | DeviceKind, number>
    >`select count(*) as ${sql.ref('all')}, ${known} ${within(part, hop)}`
    const [found] = (await counted.execute(db)).rows
    for (const kind of KINDS) counts[kind] += Number(found?.[kind])
    if (Number(found?.all) === KINDS.reduce((sum, kind) => sum + Number(found?.[kind]), 0)) return
    const others = sql<{ readonly kind: DeviceKind }>`select device.kind ${within(part, hop)}
      and device.kind not in (${sql.join(KINDS)})`
    for (const { kind } of (await others.execute(db)).rows) counts[kind] = (counts[kind] ?? 0) + 1
  }
  for (const part of partsOf(audience)) for await (const hop of hops(db, part)) await count(part, hop)
  return counts
}

/** Devices whose people are counted at once. */
const SMALL_HOP = 5000

/** How many people of an audience follow its topic and have a device. */
export const countFollowers = async (db: Db, { lang, label_id }: StoredAudience): Promise<number> => {
  const people = new Set<Email>()
  if (label_id === null) return 0
  const part = followersOf(lang, label_id)
  for await (const hop of hops(db, part, SMALL_HOP)) {
    const found = sql<{ readonly email: Email }>`select device.email ${within(part, hop)}`
    for (const { email } of (await found.execute(db)).rows) people.add(email)
  }
  return people.size
}

/** Devices by their numbers, or by those whose they are. */
type Which =
  | { readonly by: 'device.id'; readonly values: ReadonlyArray<DeviceId> }
  | { readonly by: 'device.email'; readonly values: ReadonlyArray<Email> }

/** A delivery that is being sent. The text is that of its index's condition. */
export const isOpen = sql<SqlBool>`delivery.sending = 1`

/** Whether anything is being sent. */
const isSending = async (db: Db): Promise<boolean> => {
  const open = await db.selectFrom('delivery').select('id').where(isOpen).limit(1).executeTakeFirst()
  return open !== undefined
}

/** Whether a delivery has a row about a device. */
const hasRow = (table: 'ledger' | 'retry') =>
  sql<SqlBool>`exists (select 1 from ${sql.table(table)} as stored
    where stored.delivery_id = delivery.id and stored.device_id = device.id)`

/** A device that a delivery is for by its topic (G12). */
const isOfTopic = sql<SqlBool>`(delivery.label_id is null or device.follows_all = 1 or exists (select 1 from follow
  where follow.label_id = delivery.label_id and follow.lang = delivery.lang and follow.device_id = device.id))`

/** A device that is for an audience by its topic (G12). */
export const isFollower = (lang: Language, labelId: LabelId): Condition =>
  condition(
    `(device.follows_all = 1 or exists (select 1 from follow
      where follow.label_id = ? and follow.lang = ? and follow.device_id = device.id))`,
    labelId,
    lang,
  )

/** Selects unchanged recipients of running deliveries that have neither an outcome nor a planned retry. */
export const unrecorded = (db: Db, by: Which['by'], values: ReadonlyArray<DeviceId | Email>) =>
  db
    .selectFrom('device')
    .crossJoin('delivery')
    .select(['delivery.id', 'device.id as device_id', 'device.email'])
    .where(sql.ref(by), 'in', values)
    .where(isSubscribed)
    .where(isOpen)
    .whereRef('delivery.lang', '=', 'device.lang')
    .where(isOfTopic)
    .whereRef('delivery.epoch', '>=', 'device.epoch')
    .where(({ not }) => not(hasRow('ledger')))
    .where(({ not }) => not(hasRow('retry')))

const pin = (db: Db, by: Which['by'], values: ReadonlyArray<DeviceId | Email>) =>
  db
    .insertInto('recipient_snapshot')
    .columns(['delivery_id', 'device_id', 'email'])
    .expression(unrecorded(db, by, values))
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/**
 * Keeps devices that are about to change, or go, recipients of all that is being sent to them and has not yet been (G4). To be
 * called within the epoch of the change, before it.
 */
export const pinRecipients = async (db: Db, { by, values }: Which): Promise<void> => {
  if (values.length === 0 || !(await isSending(db))) return
  for (const list of paddedInLists<DeviceId | Email>(values)) await pin(db, by, list)
}
