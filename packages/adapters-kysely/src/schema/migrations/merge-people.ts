import { Email } from '@almoner/domain'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { type Forms, latestFirst, latestOf, mergeManagers } from './merge-managers.ts'

/** The tables with an address of a person, those first that others refer to. */
const TABLES = [
  ...['person', 'device', 'dead_device', 'retry', 'recipient_snapshot'],
  ...['client', 'idempotency_key', 'feed_author', 'user_number'],
  ...['manager', 'manager_session', 'one_time_secret', 'passkey', 'manager_identity', 'manager_password'],
  ...['recovery_code', 'working_copy', 'wrong_code'],
] as const satisfies ReadonlyArray<string>

/** Tables in which an address may stand in any number of rows, so that its rows need no merging. */
const FREE = [
  ...(['dead_device', 'retry', 'recipient_snapshot', 'client', 'idempotency_key', 'feed_author'] as const),
  ...(['passkey'] as const),
]

/** Addresses that may have another form: the others are ASCII without a host in Punycode. */
const mayDiffer = sql<SqlBool>`(email like '%xn--%' or octet_length(email) <> length(email))`

/** Returns the stored addresses that are not in the form of F1, by that form. */
const storedForms = async (db: Db): Promise<ReadonlyArray<Forms>> => {
  const groups = new Map<Email, Set<Email>>()
  for (const table of TABLES) {
    const { rows } = await sql<{ email: Email }>`select distinct email from ${sql.table(table)}
      where email is not null and ${mayDiffer}`.execute(db)
    for (const { email } of rows) {
      const read = Email.decode(email)
      if (read._tag === 'Left' || read.right === email) continue
      groups.set(read.right, (groups.get(read.right) ?? new Set()).add(email))
    }
  }
  return [...groups].map(([email, others]) => ({ email, others: [...others].sort() }))
}

/** Returns when anything was last done for or by each of the addresses. */
const lastMoments = async (db: Db, all: ReadonlyArray<Email>): Promise<ReadonlyMap<Email, number>> => {
  const moments = new Map<Email, number>()
  for (const email of all) {
    const greatest = async (query: ReturnType<typeof sql<{ at: number | null }>>) =>
      Number((await query.execute(db)).rows[0]?.at ?? 0)
    moments.set(
      email,
      latestOf([
        await greatest(sql`select max(attached_at) as at from device where email = ${email}`),
        await greatest(sql`select max(last_seen_at) as at from manager_session where email = ${email}`),
        await greatest(sql`select max(audit_record.at) as at from audit_record
          join user_number on cast(user_number.id as text) = audit_record.subject_id
          where subject_kind in ('user', 'manager') and user_number.email = ${email}`),
      ]),
    )
  }
  return moments
}

/** Merges the users of some addresses. All their devices get the preference of the latest (F1), and stay recipients of running deliveries (G4). */
const mergeUsers = async (db: Db, forms: Forms, moments: ReadonlyMap<Email, number>): Promise<void> => {
  const { email, others } = forms
  const all = [email, ...others]
  const rows = await db.selectFrom('person').selectAll().where('email', 'in', all).execute()
  const [latest] = latestFirst(rows, forms, moments)
  if (latest === undefined) return
  const preference = { lang: latest.lang, subscribed: latest.subscribed }
  await db
    .insertInto('person')
    .values({ email, ...preference })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(preference))
    .execute()
  await sql`insert into recipient_snapshot (delivery_id, device_id, email)
    select delivery.id, device.id, device.email from device cross join delivery
    where device.email in (${sql.join(all)}) and device.subscribed = 1 and delivery.sending = 1
      and delivery.lang = device.lang and delivery.epoch >= device.epoch
      and not exists (select 1 from ledger where delivery_id = delivery.id and device_id = device.id)
      and not exists (select 1 from retry where delivery_id = delivery.id and device_id = device.id)
    on conflict do nothing`.execute(db)
  const { value: epoch } = await db.selectFrom('epoch').select('value').executeTakeFirstOrThrow()
  await db
    .updateTable('device')
    .set({ email, ...preference, epoch })
    .where('email', 'in', all)
    .execute()
  await db.deleteFrom('person').where('email', 'in', others).execute()
}

/** Merges the numbers under which the history names some addresses: its records keep one of them (K1). */
const mergeNumbers = async (db: Db, { email, others }: Forms): Promise<void> => {
  const rows = await db
    .selectFrom('user_number')
    .selectAll()
    .where('email', 'in', [email, ...others])
    .orderBy('id')
    .execute()
  const [kept, ...rest] = rows
  if (kept === undefined) return
  for (const { id } of rest) {
    const [from, to] = [String(id), String(kept.id)]
    await db
      .updateTable('audit_record')
      .set({ actor_id: to })
      .where('actor_kind', '=', 'person')
      .where('actor_id', '=', from)
      .execute()
    await db
      .updateTable('audit_record')
      .set({ subject_id: to })
      .where('subject_kind', 'in', ['user', 'manager'])
      .where('subject_id', '=', from)
      .execute()
    await db.deleteFrom('user_number').where('id', '=', id).execute()
  }
  await db.updateTable('user_number').set({ email }).where('id', '=', kept.id).execute()
}

/**
 * Gives every stored address the form of F1, and makes the rows of several forms one person's. The latest wins where only one value can stay.
 * Does nothing where all addresses have that form.
 */
export const mergeAddresses = async (db: Db): Promise<void> => {
  for (const forms of await storedForms(db)) {
    const { email, others } = forms
    const moments = await lastMoments(db, [email, ...others])
    await mergeUsers(db, forms, moments)
    await mergeManagers(db, forms, moments)
    for (const table of FREE)
      await db.updateTable(table).set({ email }).where('email', 'in', others).execute()
    await mergeNumbers(db, forms)
    await db.deleteFrom('manager').where('email', 'in', others).execute()
  }
}
