import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Email,
  PASSWORD_NOT_FOUND,
  type PasswordOptions,
  type Passwords,
  type StoredPassword,
  type UsedCode,
} from '../src/all.ts'
import { recordUserAct } from './history.ts'
import type { Tables } from './tables.ts'

/** Returns a password with a code used up; none if the code counts no more. */
const without =
  (code: UsedCode) =>
  (found: StoredPassword): O.Option<StoredPassword> => {
    if ('step' in code) return code.step > found.usedStep ? O.some({ ...found, usedStep: code.step }) : O.none
    const recoveryCodes = found.recoveryCodes.filter((digest) => digest !== code.recoveryCode)
    const isKnown = recoveryCodes.length < found.recoveryCodes.length
    return isKnown ? O.some({ ...found, recoveryCodes }) : O.none
  }

/** Passwords in memory. */
export const memoryPasswords = (tables: Tables): Passwords => {
  const { passwords, sessions } = tables
  const record = (email: Email, { act }: PasswordOptions) => recordUserAct(tables, act, email, [], 'manager')
  const endSessions = (email: Email, { except }: PasswordOptions): void => {
    for (const session of [...sessions.values()])
      if (session.email === email && session.digest !== except) sessions.delete(session.digest)
  }
  return {
    set: (password, options = {}) =>
      TE.fromIO(() => {
        const { email, recoveryCodes } = password
        passwords.set(email, { ...password, recoveryCodes: [...recoveryCodes].sort() })
        endSessions(email, options)
        record(email, options)
      }),
    find: (email) => TE.fromIO(() => O.fromNullable(passwords.get(email))),
    owners: () => TE.fromIO(() => new Set(passwords.keys())),
    change:
      (email, change, options = {}) =>
      async () => {
        const found = passwords.get(email)
        if (found === undefined) return E.left(PASSWORD_NOT_FOUND)
        if ('hash' in change) {
          passwords.set(email, { ...found, ...change })
          endSessions(email, options)
        } else passwords.set(email, { ...found, recoveryCodes: [...change.recoveryCodes].sort() })
        record(email, options)
        return E.right(undefined)
      },
    use: (email, code, at) =>
      TE.fromIO(() => {
        const used = O.flatMap(without(code))(O.fromNullable(passwords.get(email)))
        if (O.isSome(used)) passwords.set(email, { ...used.value, lastUsedAt: O.some(at) })
        return O.isSome(used)
      }),
    remove:
      (email, options = {}) =>
      async () => {
        if (!passwords.delete(email)) return E.left(PASSWORD_NOT_FOUND)
        endSessions(email, options)
        record(email, options)
        return E.right(undefined)
      },
  }
}
