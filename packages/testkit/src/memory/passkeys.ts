import {
  MOST_PASSKEYS,
  NO_ACTIVE_SESSION,
  PASSKEY_NOT_FOUND,
  type Passkey,
  type PasskeyId,
} from '@almoner/domain/managers'
import type { Passkeys } from '@almoner/domain/ports'
import type { Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordUserAct } from './history.ts'
import { endSignIns, hasEnded } from './managers.ts'
import type { Tables } from './tables.ts'

/** Passkeys in memory. */
export const memoryPasskeys = (tables: Tables): Passkeys => {
  const { passkeys } = tables
  const all = (email: Email) => [...passkeys.values()].filter((passkey) => passkey.email === email)
  const own = ({ email, id }: { readonly email: Email; readonly id: PasskeyId }): Passkey | undefined => {
    const found = passkeys.get(id)
    return found?.email === email ? found : undefined
  }
  return {
    add:
      (passkey, by = {}) =>
      async () => {
        const { email, id } = passkey
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        if (passkeys.has(id) || all(email).length >= MOST_PASSKEYS)
          return E.left({ _tag: 'PasskeyNotStored' })
        passkeys.set(id, passkey)
        recordUserAct(tables, by.act, email, [], 'manager')
        return E.right(undefined)
      },
    find: (id) => TE.fromIO(() => O.fromNullable(passkeys.get(id))),
    of: (email) => TE.fromIO(() => all(email)),
    use: ({ id, signCount }, at) =>
      TE.fromIO(() => {
        const found = passkeys.get(id)
        if (found !== undefined) passkeys.set(id, { ...found, signCount, lastUsedAt: O.some(at) })
      }),
    rename:
      (given, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        const found = own(given)
        if (found === undefined) return E.left(PASSKEY_NOT_FOUND)
        const renamed = { ...found, name: given.name }
        passkeys.set(found.id, renamed)
        if (renamed.name !== found.name) recordUserAct(tables, by.act, given.email, [], 'manager')
        return E.right(renamed)
      },
    remove:
      (given, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        const found = own(given)
        if (found === undefined) return E.left(PASSKEY_NOT_FOUND)
        passkeys.delete(found.id)
        endSignIns(tables, given.email, by)
        recordUserAct(tables, by.act, given.email, [], 'manager')
        return E.right(undefined)
      },
  }
}
