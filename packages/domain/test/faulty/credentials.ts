import type { Identity, Passkey } from '@almoner/domain/managers'
import type { Email } from '@almoner/domain/values'
import { done, MANAGER_NOW, openByLink } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, ignoring, returning } from './faults.ts'
import type { TestedPorts } from './suites.ts'

/** Returns the sessions of a manager. */
const sessionsOf = ({ sessions }: TestedPorts, email: Email) => done(sessions.of(email, MANAGER_NOW))

/** Faults of the credentials of managers. */
export const CREDENTIAL_FAULTS: Faults<'passkeys' | 'identities' | 'passwords'> = {
  passkeys: {
    'lists the latest passkey first': [
      'M3: a passkey is found by its id, and listed in the order of addition',
      ({ of }) => ({
        of: returning(of, (all) => all.toReversed()),
      }),
    ],
    'overwrites a passkey of the same id': [
      'M3: a passkey is found by its id',
      ({ add }) => ({
        add: (...given) => ignoring('PasskeyNotStored')(add(...given)),
      }),
    ],
    'forgets the count of a use': [
      'M3: a use sets the count and the moment',
      ({ use }) => ({ use: (passkey, at) => use({ ...passkey, signCount: 0 }, at) }),
    ],
    'removes passkeys of other people': [
      'M3: a person renames and removes own passkeys only',
      ({ find, remove }) => ({
        remove: (given, by) =>
          pipe(
            find(given.id),
            TE.flatMap((found) => remove(O.isSome(found) ? found.value : given, by)),
          ),
      }),
    ],
    'returns a renamed passkey and stores the old one': [
      'M3: a person renames and removes own passkeys only',
      ({ find, rename }) => ({
        rename: (given) => async () => {
          const found = E.getOrElse((): O.Option<Passkey> => O.none)(await find(given.id)())
          return O.isSome(found) && found.value.email === given.email
            ? E.right({ ...found.value, name: given.name })
            : rename(given)()
        },
      }),
    ],
    'stores any number of passkeys': [
      'M3: a manager has at most',
      ({ of, add }) => ({
        add: (passkey, by) =>
          pipe(
            add(passkey, by),
            TE.orElseW((left) =>
              pipe(
                of(passkey.email),
                TE.flatMap((all) =>
                  all.some(({ id }) => id === passkey.id) ? TE.left(left) : TE.right(undefined),
                ),
              ),
            ),
          ),
      }),
    ],
    'leaves the other sessions': [
      'M4: removing a passkey ends all other sessions',
      ({ remove }, ports) => ({
        remove: (given, by) => async () => {
          const before = await sessionsOf(ports, given.email)
          const removed = await remove(given, by)()
          for (const session of before) if (session.digest !== by?.by) await openByLink(ports, session)
          return removed
        },
      }),
    ],
    'accepts a change from a session that has ended': [
      'M4: removing a passkey from a session that has ended',
      ({ remove }) => ({ remove: (given) => remove(given) }),
    ],
    'leaves no record of a new name': [
      'K1: changes of passkeys leave records',
      ({ rename }) => ({ rename: (given) => rename(given) }),
    ],
  },
  identities: {
    'ignores the issuer': [
      'M3: an identity is found by issuer and subject',
      ({ all }) => ({
        find: ({ subject }) =>
          pipe(
            all(),
            TE.map((some) => O.fromNullable(some.find((one) => one.subject === subject))),
          ),
      }),
    ],
    'ignores the case of the subject': [
      'M3: an identity is found by issuer and subject',
      ({ find }) => ({ find: (key) => find({ ...key, subject: key.subject.toLowerCase() }) }),
    ],
    'replaces the identity of a manager': [
      'M3: a manager has one identity, and an identity one manager',
      ({ link, unlink }) => ({
        link: (identity) =>
          pipe(
            link(identity),
            TE.orElse((left) =>
              pipe(
                unlink(identity.email),
                TE.mapLeft(() => left),
                TE.flatMap(() => link(identity)),
              ),
            ),
          ),
      }),
    ],
    'does not note a use': ['M3: a use sets the moment', () => ({ use: () => TE.right(undefined) })],
    'leaves an identity that is unlinked': [
      'M3: an identity is unlinked, and another one linked',
      ({ of, unlink }) => ({
        unlink: (email, by) =>
          pipe(
            of(email),
            TE.flatMap((found) => (O.isSome(found) ? TE.right(undefined) : unlink(email, by))),
          ),
      }),
    ],
    'leaves no record of an unlinked identity': [
      'K1: linking is recorded as an act of the manager',
      ({ unlink }) => ({ unlink: (email) => unlink(email) }),
    ],
    'links an account to a disabled manager': [
      'M4: a session that has ended adds no passkey and no identity',
      ({ link }) => ({
        link: (identity: Identity) => ignoring('IdentityNotLinked')(link(identity)),
      }),
    ],
  },
  passwords: {
    'keeps the codes of an earlier password': [
      'M3: a password is found by its manager, and a new one replaces it',
      ({ find, set }) => ({
        set: (password, by) =>
          pipe(
            find(password.email),
            TE.flatMap((found) =>
              set(O.isSome(found) ? { ...password, recoveryCodes: found.value.recoveryCodes } : password, by),
            ),
          ),
      }),
    ],
    'starts the steps again with each change': [
      'M3: the hash and the recovery codes change apart',
      ({ change, find, set }) => ({
        change: (email, given, by) =>
          pipe(
            change(email, given, by),
            TE.flatMap(() => find(email)),
            TE.flatMap((found) =>
              O.isSome(found) ? set({ ...found.value, usedStep: 0 }) : TE.right(undefined),
            ),
          ),
      }),
    ],
    'counts managers without a password as owners': [
      'M3: a removed password is gone',
      (_, { managers }) => ({
        owners: () =>
          pipe(
            managers.all(),
            TE.map((all) => new Set(all.map(({ email }) => email))),
          ),
      }),
    ],
    'ends the session that changes the password': [
      'M4: setting, changing, renewing codes and removing end the other sessions',
      ({ change }) => ({ change: (email, given) => change(email, given) }),
    ],
    'sets a password from a session that has ended': [
      'M4: setting a password from a session that has ended',
      ({ set }) => ({ set: (password) => set(password) }),
    ],
    'ends the hour without codes with a new password': [
      'M9: ten wrong codes after a right password refuse all codes for an hour',
      ({ set }, { managers, passkeys, identities, personalData }) => ({
        set: (password, by) => async () => {
          const { email } = password
          const manager = await done(managers.find(email))
          const [keys, account] = [await done(passkeys.of(email)), await done(identities.of(email))]
          await done(personalData.erase(email, password.changedAt))
          for (const one of RA.fromOption(manager)) await done(managers.add(one))
          for (const one of keys) await done(passkeys.add(one))
          for (const one of RA.fromOption(account)) await done(identities.link(one))
          return set(password, by)()
        },
      }),
    ],
    'records a new password under the time of its change': [
      'K1: changes of a password leave records',
      ({ set }) => ({
        set: (password, by) =>
          set(password, { ...by, ...(by?.act && { act: { ...by.act, at: password.changedAt } }) }),
      }),
    ],
    'leaves no record of a removed password': [
      'K1: changes of a password leave records',
      ({ remove }) => ({ remove: (email) => remove(email) }),
    ],
  },
}
