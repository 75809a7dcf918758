import type { Email, Instant } from '@almoner/domain'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { ManagerRow } from '../manager.table.ts'

/** The one form of an address, and the other forms that are stored. */
export interface Forms {
  readonly email: Email
  readonly others: ReadonlyArray<Email>
}

/** Returns the latest of some moments; 0 without any. */
export const latestOf = (moments: ReadonlyArray<number | null | undefined>): number =>
  Math.max(0, ...moments.map((at) => at ?? 0))

/** Orders values by a moment, the latest first; of two at the same moment the one in the form of F1. */
export const latestFirst = <A extends { readonly email: Email }>(
  rows: ReadonlyArray<A>,
  { email }: Forms,
  momentOf: ReadonlyMap<Email, number>,
): ReadonlyArray<A> =>
  [...rows].sort(
    (a, b) =>
      (momentOf.get(b.email) ?? 0) - (momentOf.get(a.email) ?? 0) ||
      Number(b.email === email) - Number(a.email === email),
  )

/** A manager's rows of which only one can stay: the one that was used or changed last. */
const keepLatest = async (
  db: Db,
  table: 'manager_identity' | 'manager_password',
  forms: Forms,
  moments: ReadonlyMap<Email, number>,
): Promise<void> => {
  const rows = await db
    .selectFrom(table)
    .select('email')
    .where('email', 'in', [forms.email, ...forms.others])
    .execute()
  const [kept, ...rest] = latestFirst(rows, forms, moments)
  for (const { email } of rest) {
    if (table === 'manager_password')
      await db.deleteFrom('recovery_code').where('email', '=', email).execute()
    await db.deleteFrom(table).where('email', '=', email).execute()
  }
  if (kept === undefined || kept.email === forms.email) return
  if (table === 'manager_identity')
    await db.updateTable(table).set({ email: forms.email }).where('email', '=', kept.email).execute()
  else await movePassword(db, kept.email, forms.email)
}

/** Moves a password with its recovery codes, which refer to it. */
const movePassword = async (db: Db, from: Email, to: Email): Promise<void> => {
  const { email: _, ...row } = await db
    .selectFrom('manager_password')
    .selectAll()
    .where('email', '=', from)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('manager_password')
    .values({ ...row, email: to })
    .execute()
  await db.updateTable('recovery_code').set({ email: to }).where('email', '=', from).execute()
  await db.deleteFrom('manager_password').where('email', '=', from).execute()
}

/** Returns when the identities or passwords of some managers were last used or changed. */
const credentialMoments = async (
  db: Db,
  table: 'manager_identity' | 'manager_password',
  all: ReadonlyArray<Email>,
): Promise<ReadonlyMap<Email, number>> => {
  const since: 'linked_at' | 'changed_at' = table === 'manager_identity' ? 'linked_at' : 'changed_at'
  const { rows } = await sql<{ email: Email; since: Instant; used: Instant | null }>`
    select email, ${sql.ref(since)} as since, last_used_at as used from ${sql.table(table)}
    where email in (${sql.join(all)})`.execute(db)
  return new Map(rows.map((row) => [row.email, latestOf([Number(row.since), Number(row.used ?? 0)])]))
}

const mergeCopies = async (db: Db, { email, others }: Forms): Promise<void> => {
  const rows = await db
    .selectFrom('working_copy')
    .select(['email', 'key', 'updated_at'])
    .where('email', 'in', [email, ...others])
    .orderBy('updated_at', 'desc')
    .execute()
  const kept = new Set<string>()
  for (const row of rows) {
    const one = db.deleteFrom('working_copy').where('email', '=', row.email).where('key', '=', row.key)
    if (kept.has(row.key)) await one.execute()
    kept.add(row.key)
  }
  await db.updateTable('working_copy').set({ email }).where('email', 'in', others).execute()
}

/** Wrong codes count for the person, so the list with more of them stays (M9). */
const mergeWrongCodes = async (db: Db, { email, others }: Forms): Promise<void> => {
  const rows = await db
    .selectFrom('wrong_code')
    .selectAll()
    .where('email', 'in', [email, ...others])
    .execute()
  const [most] = rows.toSorted((a, b) => b.moments.length - a.moments.length)
  if (most === undefined) return
  await db
    .deleteFrom('wrong_code')
    .where('email', 'in', [email, ...others])
    .execute()
  await db.insertInto('wrong_code').values({ email, moments: most.moments }).execute()
}

/** Returns the manager that stays: the latest, unless no operator would be enabled without another one (L4). */
const keptManager = async (
  db: Db,
  rows: ReadonlyArray<ManagerRow>,
  forms: Forms,
  moments: ReadonlyMap<Email, number>,
): Promise<ManagerRow | undefined> => {
  const sorted = latestFirst(rows, forms, moments)
  const isOperator = ({ duty, disabled }: ManagerRow) => duty === 'operator' && disabled === 0
  const elsewhere = await db
    .selectFrom('manager')
    .select('email')
    .where('duty', '=', 'operator')
    .where('disabled', '=', 0)
    .where('email', 'not in', [forms.email, ...forms.others])
    .limit(1)
    .executeTakeFirst()
  return (elsewhere === undefined ? sorted.find(isOperator) : undefined) ?? sorted[0]
}

/**
 * Deletes what others of some managers sign in with, if they were disabled or had another duty than the one that stays: no one signs in to more
 * than before (M4).
 */
const endForeignCredentials = async (
  db: Db,
  rows: ReadonlyArray<ManagerRow>,
  kept: ManagerRow,
): Promise<void> => {
  for (const { email, duty, disabled } of rows) {
    if (duty === kept.duty && disabled === kept.disabled) continue
    for (const table of ['passkey', 'manager_identity', 'recovery_code', 'manager_password'] as const)
      await db.deleteFrom(table).where('email', '=', email).execute()
  }
}

/** Merges the managers of some addresses. Sessions and links of two that become one end: they may have been another's duty (M4). */
export const mergeManagers = async (
  db: Db,
  forms: Forms,
  moments: ReadonlyMap<Email, number>,
): Promise<void> => {
  const { email, others } = forms
  const all = [email, ...others]
  const rows = await db.selectFrom('manager').selectAll().where('email', 'in', all).execute()
  const kept = await keptManager(db, rows, forms, moments)
  if (kept !== undefined) {
    await endForeignCredentials(db, rows, kept)
    const { email: _, ...columns } = kept
    await db
      .insertInto('manager')
      .values({ ...columns, email })
      .onConflict((conflict) => conflict.column('email').doUpdateSet(columns))
      .execute()
  }
  for (const table of ['manager_session', 'one_time_secret'] as const)
    if (rows.length > 1) await db.deleteFrom(table).where('email', 'in', all).execute()
    else await db.updateTable(table).set({ email }).where('email', 'in', others).execute()
  for (const table of ['manager_identity', 'manager_password'] as const)
    await keepLatest(db, table, forms, await credentialMoments(db, table, all))
  await mergeCopies(db, forms)
  await mergeWrongCodes(db, forms)
}
