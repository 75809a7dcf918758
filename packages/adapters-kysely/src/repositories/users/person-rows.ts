import type { Email } from '@almoner/domain'
import type { User } from '@almoner/domain/people'
import { findInLists, insertChunks } from '../../database/chunks.ts'
import type { Db } from '../../database/database.ts'
import { DatabaseUnavailable } from '../../database/unavailable.ts'
import { flag } from '../../schema/columns.ts'
import type { PersonRow } from '../../schema/device.table.ts'

/** The user that a row holds. */
export const userOf = ({ email, lang, subscribed }: PersonRow): User => ({
  email,
  lang,
  subscribed: subscribed === 1,
})

/** Makes those of these users who are not there yet, and gives their emails. */
const addUsers = async (db: Db, users: ReadonlyArray<User>): Promise<ReadonlySet<Email>> => {
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

const lockedUsers = async (db: Db, emails: ReadonlyArray<Email>): Promise<ReadonlyMap<Email, User>> => {
  const rows = await findInLists(emails, (list) =>
    db.selectFrom('person').selectAll().where('email', 'in', list).orderBy('email').forUpdate().execute(),
  )
  return new Map(rows.map((row) => [row.email, userOf(row)]))
}

/** How often missing users are made: each further time needs another erasure at just that moment. */
const MOST_ROUNDS = 10

/**
 * Locks the rows of users until the transaction ends, and makes missing ones. A user can be erased between the look and the lock, and is
 * then made after all. Returns the emails of the made ones, and all users as they were found or made.
 * @throws DatabaseUnavailable after {@link MOST_ROUNDS}
 */
export const ensureUsers = async (
  db: Db,
  users: ReadonlyArray<User>,
): Promise<{ readonly made: ReadonlySet<Email>; readonly before: ReadonlyMap<Email, User> }> => {
  const made = new Set<Email>()
  const before = new Map<Email, User>()
  let missing = users
  for (let round = 0; missing.length > 0; round += 1) {
    if (round === MOST_ROUNDS) throw new DatabaseUnavailable('users are erased as often as they are made')
    for (const email of await addUsers(db, missing)) made.add(email)
    for (const [email, user] of await lockedUsers(
      db,
      missing.map(({ email }) => email),
    ))
      before.set(email, user)
    missing = missing.filter(({ email }) => !before.has(email))
  }
  return { made, before }
}

/** As {@link ensureUsers}, for one user. */
export const lockedUser = async (
  db: Db,
  otherwise: User,
): Promise<{ readonly isNew: boolean; readonly user: User }> => {
  const { made, before } = await ensureUsers(db, [otherwise])
  return { isNew: made.has(otherwise.email), user: before.get(otherwise.email) ?? otherwise }
}
