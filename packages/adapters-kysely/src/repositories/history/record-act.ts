import type { Email } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import { type FieldChange, recordOf, type Subject } from '@almoner/domain/history'
import type { Db } from '../../database/database.ts'

/** Stores the record of an act that made no revision, if there is an act, inside the transaction of the change (K1). */
export const recordAct = async (
  db: Db,
  act: TimedAct | undefined,
  subject: Subject,
  changes: ReadonlyArray<FieldChange> = [],
): Promise<void> => {
  if (act === undefined) return
  const { at, actor, action } = recordOf(act, subject, changes)
  await db
    .insertInto('audit_record')
    .values({
      at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      action,
      subject_kind: subject.kind,
      subject_id: subject.id,
      number: null,
      is_latest: 0,
      changes: JSON.stringify(changes),
      state: null,
    })
    .execute()
}

/** Returns the number of a person in records, if there is one. */
export const numberOf = async (db: Db, email: Email): Promise<number | undefined> => {
  const row = await db.selectFrom('user_number').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id
}

/** Returns the number of a person in records: a new one at the first use. */
export const userNumber = async (db: Db, email: Email): Promise<number> => {
  const known = await numberOf(db, email)
  if (known !== undefined) return known
  const { id } = await db
    .insertInto('user_number')
    .values({ email })
    // Another transaction may have added it meanwhile.
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** As {@link recordAct}, about a person: the record has a number instead of the address (K1). */
export const recordUserAct = async (
  db: Db,
  act: TimedAct | undefined,
  email: Email,
  changes: ReadonlyArray<FieldChange> = [],
  kind: 'user' | 'manager' = 'user',
): Promise<void> => {
  if (act === undefined) return
  await recordAct(db, act, { kind, id: String(await userNumber(db, email)) }, changes)
}
