import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Email } from '@almoner/domain'
import { type DeviceId, type DeviceKind, PROVIDERS } from '@almoner/domain/people'
import type { Language } from '@almoner/domain/values'
import { type SqlBool, sql } from 'kysely'
import type { Db, SqlDialect } from '../database/database.ts'
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

/** The devices behind this one of a language's subscribed readers. */
const behindAudience = (db: Db, lang: Language, after: DeviceId) =>
  db.selectFrom('device').where('lang', '=', lang).where(isSubscribed).where('id', '>', after)

interface Hop {
  readonly after: DeviceId
  /** The last of {@link HOP} devices; undefined when there are fewer. */
  readonly upto: DeviceId | undefined
}

async function* hops(db: Db, lang: Language): AsyncGenerator<Hop> {
  let after = NO_DEVICE
  for (;;) {
    const end = behindAudience(db, lang, after)
      .select('id')
      .orderBy('id')
      .limit(1)
      .offset(HOP - 1)
    const upto = (await end.executeTakeFirst())?.id
    yield { after, upto }
    if (upto === undefined) return
    after = upto
    await nextTurn()
  }
}

/** How many devices a language's subscribed readers have, and the last of them. */
export const sizeOfAudience = async (
  db: Db,
  lang: Language,
): Promise<{ readonly size: number; readonly last: DeviceId }> => {
  let size = 0
  let last = NO_DEVICE
  for await (const { after, upto } of hops(db, lang)) {
    const rest = behindAudience(db, lang, after).select(({ fn }) => [
      fn.countAll<number>().as('size'),
      fn.max('id').as('last'),
    ])
    const part = upto === undefined ? await rest.executeTakeFirstOrThrow() : { size: HOP, last: upto }
    size += part.size
    last = part.last ?? last
  }
  return { size, last }
}

const KINDS = [...PROVIDERS, 'unroutable'] as const

/**
 * How many devices of each kind a language's subscribed readers have. Kinds that a host has added are counted here, because grouping would sort
 * the devices.
 */
export const audienceOf = async (db: Db, lang: Language): Promise<Readonly<Record<DeviceKind, number>>> => {
  const counts: Record<DeviceKind, number> = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
  for await (const { after, upto } of hops(db, lang)) {
    const devices = behindAudience(db, lang, after).$if(upto !== undefined, (query) =>
      query.where('id', '<=', upto as DeviceId),
    )
    const { all, ...known } = await devices
      .select(({ fn }) => [
        fn.countAll<number>().as('all'),
        ...KINDS.map((kind) => fn.countAll<number>().filterWhere('kind', '=', kind).as(kind)),
      ])
      .executeTakeFirstOrThrow()
    for (const kind of KINDS) counts[kind] += known[kind]
    if (all === KINDS.reduce((sum, kind) => sum + known[kind], 0)) continue
    for (const { kind } of await devices.select('kind').where('kind', 'not in', KINDS).execute())
      counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
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
