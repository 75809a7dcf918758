import type { TokenDigest } from '@almoner/domain/access'
import {
  ALLOWED_CODES,
  type CheckedCredential,
  type Manager,
  type PasswordHash,
} from '@almoner/domain/managers'
import { addMillis, type Email, type Instant, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure } from '../samples.ts'
import {
  type IdentitiesUnderTest,
  type PasskeysUnderTest,
  sampleIdentity,
  samplePasskey,
} from './credentials.ts'
import { MANAGER_NOW, openByLink, sampleDigest, sampleManager, sampleSession } from './managers.ts'
import { type PasswordsUnderTest, samplePassword } from './sessions.ts'

/** A store for one test, with its own data. */
export type SignInUnderTest = IdentitiesUnderTest &
  PasskeysUnderTest &
  PasswordsUnderTest &
  UnderTest<'personalData'>

const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]
const { email } = ada
const [passkey, password, identity] = [samplePasskey(1), samplePassword(), sampleIdentity(1)]
const LINK = sampleDigest(40)
const RIGHT: CheckedCredential = {
  way: 'password',
  hash: O.some(password.hash),
  usedBy: () => O.some({ step: 8 }),
}

/** Each way to sign in, as a credential that was checked. */
const WAYS: Readonly<Record<CheckedCredential['way'], CheckedCredential>> = {
  link: { way: 'link', link: LINK },
  passkey: { way: 'passkey', passkey },
  oidc: { way: 'oidc', identity },
  password: RIGHT,
}

/** Returns whether a credential opens a session of a manager. */
const opens = async (
  { sessions }: Pick<SignInUnderTest, 'sessions'>,
  credential: CheckedCredential,
  { n = 1, manager = ada, at = MANAGER_NOW }: { n?: number; manager?: Manager; at?: Instant } = {},
): Promise<boolean> => {
  const session = { ...sampleSession(n, manager), openedAt: at }
  return O.isSome(await done(sessions.open(session, { duty: manager.duty, credential })))
}

/** Adds a link that signs Ada in. */
const addLink = ({ oneTimeSecrets }: SignInUnderTest, digest: TokenDigest = LINK) =>
  done(
    oneTimeSecrets.put({
      ...{ digest, purpose: 'sign-in', email },
      expiresAt: addMillis(MANAGER_NOW, 60 * MINUTE),
    }),
  )

const ALL = Object.keys(WAYS) as ReadonlyArray<CheckedCredential['way']>
/** What happens between the check of a credential and the opening, and the ways that it closes. */
const CHANGES: Readonly<
  Record<
    string,
    readonly [ReadonlyArray<CheckedCredential['way']>, (store: SignInUnderTest) => Promise<unknown>]
  >
> = {
  'the link was used': [['link'], (store) => opens(store, WAYS.link, { n: 90 })],
  'the passkey was removed': [['link', 'passkey'], ({ passkeys }) => done(passkeys.remove(passkey))],
  'the identity was unlinked': [['link', 'oidc'], ({ identities }) => done(identities.unlink(email))],
  'the identity was replaced': [
    ['link', 'oidc'],
    async ({ identities }) => {
      await done(identities.unlink(email))
      await done(identities.link(sampleIdentity(2)))
    },
  ],
  'the password was changed': [
    ['link', 'password'],
    ({ passwords }) => done(passwords.change(email, { hash: 'new' as PasswordHash, changedAt: MANAGER_NOW })),
  ],
  'the password was set again': [
    ['link', 'password'],
    ({ passwords }) => done(passwords.set({ ...password, hash: 'salted again' as PasswordHash })),
  ],
  'the password was removed': [['link', 'password'], ({ passwords }) => done(passwords.remove(email))],
  'the manager was disabled': [ALL, ({ managers }) => done(managers.change(email, { disabled: true }))],
  'the duty was changed': [ALL, ({ managers }) => done(managers.change(email, { duty: 'operator' }))],
  'the manager was erased': [ALL, ({ personalData }) => done(personalData.erase(email, MANAGER_NOW))],
  'the manager was erased, and added again': [
    ALL,
    async ({ managers, personalData }) => {
      await done(personalData.erase(email, MANAGER_NOW))
      await done(managers.add(ada))
    },
  ],
}

/** The changes of a credential that a session makes. */
const OWN_CHANGES: Readonly<
  Record<
    string,
    (store: SignInUnderTest, by: { readonly by: TokenDigest }) => TaskEither<{ readonly _tag: string }, void>
  >
> = {
  'removing a passkey': ({ passkeys }, by) => passkeys.remove(passkey, by),
  'unlinking an identity': ({ identities }, by) => identities.unlink(email, by),
  'renewing recovery codes': ({ passwords }, by) => passwords.change(email, { recoveryCodes: [] }, by),
  'setting a password': ({ passwords }, by) => passwords.set(password, by),
  'removing a password': ({ passwords }, by) => passwords.remove(email, by),
}

const WRONG: CheckedCredential = { ...RIGHT, usedBy: () => O.none }

/** Contract tests of `Sessions.open`, and of what each change of a credential ends. */
export const signInContract = (runner: ContractRunner, make: () => Promise<SignInUnderTest>): void => {
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    await done(store.passkeys.add(passkey))
    await done(store.identities.link(identity))
    await done(store.passwords.set(password))
    await addLink(store)
    return store
  })

  given('M3: each credential that is still the same opens a session', async (check, store) => {
    for (const [n, credential] of Object.values(WAYS).entries()) {
      check.same(await opens(store, credential, { n: n + 50, manager: eve }), false, 'of its manager only')
      check.ok(await opens(store, credential, { n }), credential.way)
    }
    check.same((await done(store.sessions.of(email, MANAGER_NOW))).length, 4)
  })

  for (const [name, [closed, change]] of Object.entries(CHANGES))
    given(`M3: no session opens by what was checked before ${name}`, async (check, store) => {
      await change(store)
      for (const [n, [way, credential]] of Object.entries(WAYS).entries())
        check.same(
          await opens(store, credential, { n }),
          !closed.includes(way as CheckedCredential['way']),
          way,
        )
    })

  given('M3: a recovery code that was renewed after its check opens nothing', async (check, store) => {
    const credential = { ...RIGHT, usedBy: () => O.some({ recoveryCode: sampleDigest(1) }) }
    await done(store.passwords.change(email, { recoveryCodes: [sampleDigest(5)] }))
    check.same(await opens(store, credential), false)
  })

  given('M3: a link that expires before the session opens is refused', async (check, store) => {
    check.same(await opens(store, WAYS.link, { at: addMillis(MANAGER_NOW, 60 * MINUTE) }), false)
  })

  for (const [name, change] of Object.entries(OWN_CHANGES)) {
    given(`M4: ${name} ends all other sessions and open links of the person`, async (check, store) => {
      const { sessions, oneTimeSecrets } = store
      for (const n of [1, 2]) await openByLink(store, sampleSession(n, ada))
      await openByLink(store, sampleSession(3, eve))
      await done(change(store, { by: sampleDigest(1) }))
      const open = async (of: Email) => (await done(sessions.of(of, MANAGER_NOW))).map((one) => one.digest)
      check.same(await open(email), [sampleDigest(1)])
      check.same(await open(eve.email), [sampleDigest(3)])
      check.same(await done(oneTimeSecrets.find(LINK, 'sign-in', MANAGER_NOW)), O.none)
    })

    given(`M4: ${name} from a session that has ended changes nothing`, async (check, store) => {
      const { sessions, oneTimeSecrets } = store
      for (const n of [1, 2]) await openByLink(store, sampleSession(n, ada))
      await done(sessions.end(sampleDigest(1)))
      check.same(await failure(change(store, { by: sampleDigest(1) })), 'NoSession')
      check.same((await done(sessions.of(email, MANAGER_NOW))).length, 1)
      check.ok(O.isSome(await done(oneTimeSecrets.find(LINK, 'sign-in', MANAGER_NOW))))
      check.same(await done(store.passwords.find(email)), O.some(password))
      check.same(await done(store.passkeys.of(email)), [passkey])
      check.same(await done(store.identities.of(email)), O.some(identity))
    })
  }

  given('M4: a session that has ended adds no passkey and no identity', async (check, store) => {
    const by = { by: sampleDigest(9) }
    check.same(await failure(store.passkeys.add(samplePasskey(2), by)), 'NoSession')
    check.same(await failure(store.managers.change(email, { lang: 'en' }, by)), 'NoSession')
    await done(store.identities.unlink(email))
    await done(store.managers.change(email, { disabled: true }))
    check.same(await failure(store.identities.link(identity)), 'IdentityNotLinked')
    const unknown = { ...identity, email: 'x@example.org' as Email }
    check.same(await failure(store.identities.link(unknown)), 'IdentityNotLinked')
  })

  given('M9: ten wrong codes after a right password refuse all codes for an hour', async (check, store) => {
    for (let n = 1; n < ALLOWED_CODES; n += 1) await opens(store, WRONG)
    check.ok(await opens(store, RIGHT), 'nine do not')
    await opens(store, WRONG)
    const next = { ...RIGHT, usedBy: () => O.some({ step: 9 }) }
    check.same(await opens(store, next, { n: 2 }), false, 'the right code')
    const recovery = { ...RIGHT, usedBy: () => O.some({ recoveryCode: sampleDigest(1) }) }
    check.same(await opens(store, recovery, { n: 2 }), false, 'a recovery code')
    for (const [n, way] of (['link', 'passkey', 'oidc'] as const).entries())
      check.ok(await opens(store, WAYS[way], { n: n + 10 }), way)
    check.same(await opens(store, next, { n: 3 }), false, 'other ways do not end it')
    await done(store.passwords.set({ ...password, usedStep: 1 }))
    check.same(await opens(store, next, { n: 3 }), false, 'nor does another password')
    const hour = addMillis(MANAGER_NOW, 60 * MINUTE)
    check.same(await opens(store, next, { n: 4, at: addMillis(hour, -1) }), false)
    check.ok(await opens(store, next, { n: 4, at: hour }))
  })

  given('M9: wrong passwords count for no person', async (check, store) => {
    const wrong = { ...WRONG, hash: O.none }
    const other = { ...WRONG, hash: O.some('other' as PasswordHash) }
    for (let n = 0; n < 2 * ALLOWED_CODES; n += 1)
      for (const credential of [wrong, other]) check.same(await opens(store, credential), false)
    check.same(await opens(store, wrong, { manager: sampleManager('stranger') }), false)
    check.ok(await opens(store, RIGHT))
  })

  given('M9: of many codes at a time, ten are compared', async (check, store) => {
    const guesses = Array.from({ length: 3 * ALLOWED_CODES }, (_, n) => opens(store, WRONG, { n: n + 60 }))
    check.ok((await Promise.all(guesses)).every((isIn) => !isIn))
    check.same(await opens(store, RIGHT), false)
  })

  given('L1: erasing a manager erases the wrong codes', async (check, store) => {
    for (let n = 0; n < ALLOWED_CODES; n += 1) await opens(store, WRONG)
    await done(store.personalData.erase(email, MANAGER_NOW))
    await done(store.managers.add(ada))
    await done(store.passwords.set(password))
    check.ok(await opens(store, RIGHT))
  })
}
