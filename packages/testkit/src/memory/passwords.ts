import { NO_ACTIVE_SESSION, PASSWORD_NOT_FOUND } from '@almoner/domain/managers'
import type { ChangedBy, Passwords } from '@almoner/domain/ports'
import type { Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordUserAct } from './history.ts'
import { endSignIns, hasEnded } from './managers.ts'
import type { Tables } from './tables.ts'

/** Passwords in memory. */
export const memoryPasswords = (tables: Tables): Passwords => {
  const { passwords } = tables
  const changed = (email: Email, by: ChangedBy) => {
    endSignIns(tables, email, by)
    recordUserAct(tables, by.act, email, [], 'manager')
    return E.right(undefined)
  }
  return {
    set:
      (password, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        const { email, recoveryCodes } = password
        passwords.set(email, { ...password, recoveryCodes: [...recoveryCodes].sort() })
        return changed(email, by)
      },
    find: (email) => TE.fromIO(() => O.fromNullable(passwords.get(email))),
    owners: () => TE.fromIO(() => new Set(passwords.keys())),
    change:
      (email, change, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        const found = passwords.get(email)
        if (found === undefined) return E.left(PASSWORD_NOT_FOUND)
        const sorted = 'hash' in change ? change : { recoveryCodes: [...change.recoveryCodes].sort() }
        passwords.set(email, { ...found, ...sorted })
        return changed(email, by)
      },
    remove:
      (email, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        return passwords.delete(email) ? changed(email, by) : E.left(PASSWORD_NOT_FOUND)
      },
  }
}
