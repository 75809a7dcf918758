import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { newUser, type Users, withPreference } from '../src/all.ts'
import { compareText } from '../src/values/code-points.ts'
import type { Tables } from './tables.ts'

/** Users in memory. */
export const memoryUsers = ({ users }: Tables): Users => ({
  find: (email) => TE.fromIO(() => O.fromNullable(users.get(email))),
  all: async function* () {
    if (users.size > 0) yield [...users.values()].sort((a, b) => compareText(a.email, b.email))
  },
  prefer: (email, change) => async () => {
    const user = withPreference(users.get(email) ?? newUser(email), change)
    users.set(email, user)
    return E.right(user)
  },
  putAll: (all) =>
    TE.fromIO(() => {
      for (const user of all) users.set(user.email, user)
    }),
})
