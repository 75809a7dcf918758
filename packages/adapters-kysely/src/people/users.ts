import { setImmediate as nextTurn } from 'node:timers/promises'
import { newUser, type User, type Users, withPreference } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { collection } from '../collection.ts'
import type { Db, SqlDialect } from '../engine.ts'
import type { Runner } from '../runner.ts'
import { walkPages } from '../walk-pages.ts'
import { addUsers, lockedUser, lockedUsers, userOf } from './person-rows.ts'
import { rewriteUsers } from './rewrite-users.ts'
import type { PersonRow } from './tables.ts'

/** Users put at a time, before others in the process have their turn. */
const PUT = 100

async function* everyUser(db: Db) {
  const read = (last: PersonRow | undefined, most: number) =>
    db
      .selectFrom('person')
      .selectAll()
      .$if(last !== undefined, (query) => query.where('email', '>', (last as PersonRow).email))
      .orderBy('email')
      .limit(most)
      .execute()
  for await (const rows of walkPages<PersonRow>(read)) yield rows.map(userOf)
}

const isOther = (user: User, before: User | undefined): boolean =>
  user.lang !== before?.lang || user.subscribed !== before.subscribed

const put = async (db: Db, dialect: SqlDialect, users: ReadonlyArray<User>): Promise<void> => {
  const made = await addUsers(db, users)
  const there = users.filter(({ email }) => !made.has(email))
  const emails = there.map(({ email }) => email)
  const before = await lockedUsers(db, dialect, emails)
  const others = there.filter((user) => isOther(user, before.get(user.email)))
  if (others.length > 0) await rewriteUsers(db, dialect, others)
}

/** Of each email the user who came last; in one order, so that two who put the same users do not wait for each other. */
const distinct = (users: ReadonlyArray<User>): ReadonlyArray<User> =>
  [...new Map(users.map((user) => [user.email, user])).values()].sort((a, b) => (a.email < b.email ? -1 : 1))

/** Users and what they prefer (F1, F2). */
export const makeUsers = (runner: Runner): Users => ({
  find: (email) =>
    runner.read(async (db): Promise<O.Option<User>> => {
      const row = await db.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
      return O.map(userOf)(O.fromNullable(row))
    }),

  all: () => collection(runner, everyUser),

  prefer: (email, change) =>
    runner.write(async (db): Promise<E.Either<never, User>> => {
      const before = await lockedUser(db, runner.dialect, withPreference(newUser(email), change))
      const user = withPreference(before, change)
      if (isOther(user, before)) await rewriteUsers(db, runner.dialect, [user])
      return E.right(user)
    }),

  putAll: (users) =>
    runner.write(async (db): Promise<E.Either<never, void>> => {
      const all = distinct(users)
      for (let at = 0; at < all.length; at += PUT) {
        await put(db, runner.dialect, all.slice(at, at + PUT))
        await nextTurn()
      }
      return E.right(undefined)
    }),
})
