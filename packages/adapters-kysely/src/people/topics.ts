import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LeftTopics } from '@almoner/domain/content'
import type { User } from '@almoner/domain/people'
import type { LabelId } from '@almoner/domain/values'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { batchesOf, paddedInLists } from '../database/writes.ts'
import {
  byPreference,
  lockedUsers,
  PUT,
  repeatPreference,
  rewriteUsers,
  slices,
  type UserRow,
  userOf,
} from './users.ts'

/** A user who does not follow everything. The text is that of its index's condition. */
const hasTopics = sql<SqlBool>`topics <> '[]'`

/** Reads the users who do not follow everything, in batches. */
async function* followers(db: Db): AsyncGenerator<ReadonlyArray<User>> {
  const read = (last: UserRow | undefined, most: number) =>
    db
      .selectFrom('person')
      .selectAll()
      .where(hasTopics)
      .$if(last !== undefined, (query) => query.where('email', '>', (last as UserRow).email))
      .orderBy('email')
      .limit(most)
      .execute()
  for await (const rows of batchesOf<UserRow>(read)) yield rows.map(userOf)
}

/** Makes the devices of an import repeat the topics of their users. */
export const repeatTopics = async (db: Db): Promise<void> => {
  for await (const users of followers(db))
    for (const group of byPreference(users)) {
      const [user] = group
      if (user === undefined) continue
      for (const emails of paddedInLists(group.map(({ email }) => email)))
        await repeatPreference(db, emails, { user })
    }
}

/** Returns the users who follow one of these labels, without them. Locks the users until the transaction ends. */
const lockedFollowers = async (db: Db, gone: ReadonlySet<LabelId>): Promise<ReadonlyArray<User>> => {
  const follow = (users: Iterable<User>) =>
    [...users].filter(({ topics }) => topics.some((labelId) => gone.has(labelId)))
  const found: Array<User> = []
  for await (const users of followers(db)) {
    const emails = follow(users).map(({ email }) => email)
    for (const user of follow((await lockedUsers(db, emails)).values()))
      found.push({ ...user, topics: user.topics.filter((labelId) => !gone.has(labelId)) })
  }
  return found
}

/** Takes labels that a load removes from every preference, within the epoch of the change (F6, G4). Their rows are locked. */
export const leaveTopics = async (db: Db, labelIds: ReadonlyArray<LabelId>): Promise<LeftTopics> => {
  const users = await lockedFollowers(db, new Set(labelIds))
  for (const some of slices(users, PUT)) {
    await rewriteUsers(db, some)
    await nextTurn()
  }
  return { people: users.length, everything: users.filter(({ topics }) => topics.length === 0).length }
}
