import { NO_ACTING_USER, newUser, preferenceChanges, withPreference } from '@almoner/domain/people'
import type { Users } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { compareText } from '../../../domain/src/values/text.ts'
import { isStillBound } from './clients.ts'
import { recordAct, recordUserAct } from './history.ts'
import type { Tables } from './tables.ts'

/** Users in memory. */
export const memoryUsers = (tables: Tables): Users => {
  const { users } = tables
  return {
    find: (email) => TE.fromIO(() => O.fromNullable(users.get(email))),
    all: async function* () {
      if (users.size > 0) yield [...users.values()].sort((a, b) => compareText(a.email, b.email))
    },
    prefer: (email, change, act) => async () => {
      if (!isStillBound(tables, act)) return E.left(NO_ACTING_USER)
      const before = users.get(email)
      const user = withPreference(before ?? newUser(email), change)
      users.set(email, user)
      const changes = preferenceChanges(before, user)
      if (changes.length > 0) recordUserAct(tables, act, email, changes)
      return E.right(user)
    },
    putAll: (all, act) =>
      TE.fromIO(() => {
        const changed = all.filter((user) => preferenceChanges(users.get(user.email), user).length > 0)
        for (const user of all) users.set(user.email, user)
        if (changed.length > 0) recordAct(tables, act, { kind: 'users', id: '' })
      }),
  }
}
