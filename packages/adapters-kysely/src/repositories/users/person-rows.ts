import type { Email } from '@almoner/domain'
import type { User } from '@almoner/domain/notifications'
import { findInLists, insertChunks } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { flag } from '../../schema/columns.ts'
import type { PersonRow } from '../../schema/device.table.ts'

/** The user that a row holds. */
export const userOf = ({ email, lang, subscribed }: PersonRow): User => ({
  email,
  lang,
  subscribed: subscribed === 1,
})

/** Makes those of these users who are not there yet, and gives their emails. */
export const addUsers = async (db: Db, users: ReadonlyArray<User>): Promise<ReadonlySet<Email>> => {
  const made = new Set<Email>()
  for (const block of insertChunks(users)) {
    const rows = await db
      .insertInto('person')
      .values(block.map(({ email, lang, subscribed }) => ({ email, lang, subscribed: flag(subscribed) })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('email')
      .execute()
    for (const { email } of rows) made.add(email)
  }
  return made
}

/** Those of the users who are there, by their emails, held still until the transaction ends. */
export const lockedUsers = async (
  db: Db,
  emails: ReadonlyArray<Email>,
): Promise<ReadonlyMap<Email, User>> => {
  const rows = await findInLists(emails, (list) =>
    db.selectFrom('person').selectAll().where('email', 'in', list).orderBy('email').forUpdate().execute(),
  )
  return new Map(rows.map((row) => [row.email, userOf(row)]))
}

/** A user, made as given if need be, held still until the transaction ends. */
export const lockedUser = async (db: Db, otherwise: User): Promise<User> => {
  await addUsers(db, [otherwise])
  return (await lockedUsers(db, [otherwise.email])).get(otherwise.email) ?? otherwise
}
