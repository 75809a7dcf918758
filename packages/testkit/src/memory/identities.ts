import { personActor } from '@almoner/domain/access'
import { IDENTITY_NOT_FOUND, type IdentityKey, NO_ACTIVE_SESSION } from '@almoner/domain/managers'
import type { Identities } from '@almoner/domain/ports'
import type { Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { compareText } from '../../../domain/src/values/text.ts'
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
