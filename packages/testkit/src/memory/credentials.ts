import { personActor } from '@almoner/domain/access'
import {
  IDENTITY_NOT_FOUND,
  type IdentityKey,
  MOST_PASSKEYS,
  NO_ACTIVE_SESSION,
  PASSKEY_NOT_FOUND,
  PASSWORD_NOT_FOUND,
  type Passkey,
  type PasskeyId,
} from '@almoner/domain/managers'
import type { ChangedBy, Identities, Passkeys, Passwords } from '@almoner/domain/ports'
import type { Email } from '@almoner/domain/values'
import { compareText } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { numberIn, recordUserAct } from './history.ts'
import { endSignIns, hasEnded } from './managers.ts'
import type { Tables } from './tables.ts'

/** Identities of managers in memory. */
export const memoryIdentities = (tables: Tables): Identities => {
  const { identities } = tables
  const find = ({ issuer, subject }: IdentityKey) =>
    [...identities.values()].find((one) => one.issuer === issuer && one.subject === subject)
  const of = (email: Email) => O.fromNullable(identities.get(email))
  return {
    link: (identity) => async () => {
      const { email, linkedAt } = identity
      const isAdmitted = tables.managers.get(email)?.disabled === false
      if (!isAdmitted || identities.has(email) || find(identity) !== undefined)
        return E.left({ _tag: 'IdentityNotLinked' })
      identities.set(email, identity)
      const actor = personActor(numberIn(tables, email))
      recordUserAct(tables, { actor, action: 'link-identity', at: linkedAt }, email, [], 'manager')
      return E.right(undefined)
    },
    find: (key) => TE.fromIO(() => O.fromNullable(find(key))),
    all: () => TE.fromIO(() => [...identities.values()].sort((a, b) => compareText(a.email, b.email))),
    of: (email) => TE.fromIO(() => of(email)),
    use: (key, at) =>
      TE.fromIO(() => {
        const found = find(key)
        if (found !== undefined) identities.set(found.email, { ...found, lastUsedAt: at })
      }),
    unlink:
      (email, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        if (!identities.delete(email)) return E.left(IDENTITY_NOT_FOUND)
        endSignIns(tables, email, by)
        recordUserAct(tables, by.act, email, [], 'manager')
        return E.right(undefined)
      },
  }
}

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
