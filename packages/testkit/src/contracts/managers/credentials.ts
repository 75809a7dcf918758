import { personActor } from '@almoner/domain/access'
import type { AuditQuery } from '@almoner/domain/history'
import {
  type Identity,
  MOST_PASSKEYS,
  type Passkey,
  type PasskeyId,
  type PasskeyName,
} from '@almoner/domain/managers'
import type { ManagerSecret, OneTimeSecret } from '@almoner/domain/ports'
import { addMillis, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { actOf, recordsOfActs } from '../history/fixture.ts'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure } from '../samples.ts'
import { MANAGER_NOW, type ManagersUnderTest, sampleDigest, sampleManager } from './managers.ts'

/** A store for one test, with its own data. */
export type IdentitiesUnderTest = ManagersUnderTest & UnderTest<'identities' | 'history'>

const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]

/** Returns an identity of Ada for tests. */
export const sampleIdentity = (n: number): Identity => ({
  issuer: 'https://accounts.example.org',
  subject: `subject-${n}`,
  email: ada.email,
  linkedAt: addMillis(MANAGER_NOW, n),
  lastUsedAt: addMillis(MANAGER_NOW, n),
})

const EVERYTHING: AuditQuery = {
  ...{ since: O.none, until: O.none, actor: O.none, action: O.none, subject: O.none },
}

/** Contract tests of `Identities`. */
export const identitiesContract = (
  runner: ContractRunner,
  make: () => Promise<IdentitiesUnderTest>,
): void => {
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    return store
  })
  const first = sampleIdentity(1)

  given('M3: an identity is found by issuer and subject, and by its manager', async (check, store) => {
    const { identities } = store
    const other = { ...sampleIdentity(2), email: eve.email }
    await done(identities.link(other))
    await done(identities.link(first))
    check.same(await done(identities.find(first)), O.some(first))
    check.same(await done(identities.find({ ...first, issuer: 'https://other.example.org' })), O.none)
    check.same(await done(identities.find({ ...first, subject: 'SUBJECT-1' })), O.none)
    check.same(await done(identities.of(eve.email)), O.some(other))
    check.same(await done(identities.all()), [first, other])
  })

  given('M3: a manager has one identity, and an identity one manager', async (check, { identities }) => {
    await done(identities.link(first))
    check.same(await failure(identities.link(sampleIdentity(2))), 'IdentityNotLinked')
    check.same(await failure(identities.link({ ...first, email: eve.email })), 'IdentityNotLinked')
    await done(identities.link({ ...first, issuer: 'https://other.example.org', email: eve.email }))
    check.same(await done(identities.of(ada.email)), O.some(first))
  })

  given('M3: a use sets the moment', async (check, { identities }) => {
    await done(identities.link(first))
    const at = addMillis(MANAGER_NOW, 50)
    await done(identities.use(first, at))
    await done(identities.use(sampleIdentity(2), at))
    check.same(await done(identities.all()), [{ ...first, lastUsedAt: at }])
  })

  given('M3: an identity is unlinked, and another one linked', async (check, { identities }) => {
    check.same(await failure(identities.unlink(ada.email)), 'IdentityNotFound')
    await done(identities.link(first))
    await done(identities.unlink(ada.email))
    check.same(await done(identities.find(first)), O.none)
    await done(identities.link(sampleIdentity(2)))
    check.same(await done(identities.of(ada.email)), O.some(sampleIdentity(2)))
  })

  given(
    'K1: linking is recorded as an act of the manager, unlinking as one of its caller',
    async (check, store) => {
      const { identities, history } = store
      const operator = personActor(99)
      await done(identities.link(first))
      await done(
        identities.unlink(ada.email, {
          act: { actor: operator, action: 'unlink-identity', at: addMillis(first.linkedAt, 1) },
        }),
      )
      const records = []
      for await (const batch of history.records(EVERYTHING)) records.push(...batch)
      const subject = { kind: 'manager', id: records[0]?.subject.id }
      check.same(
        records.map((record) => [record.action, record.actor, record.subject, record.at]),
        [
          ['unlink-identity', operator, subject, addMillis(first.linkedAt, 1)],
          ['link-identity', personActor(Number(subject.id)), subject, first.linkedAt],
        ],
      )
    },
  )
}

/** A store for one test, with its own data. */
export type PasskeysUnderTest = ManagersUnderTest & UnderTest<'passkeys' | 'history'>

/** Returns a passkey of Ada for tests. */
export const samplePasskey = (n: number): Passkey => ({
  id: `passkey-${n}` as PasskeyId,
  email: ada.email,
  name: `Phone ${n}` as PasskeyName,
  publicKey: `key-${n}`,
  signCount: 0,
  createdAt: addMillis(MANAGER_NOW, n),
  lastUsedAt: O.none,
})

/** Contract tests of `Passkeys`. */
export const passkeysContract = (runner: ContractRunner, make: () => Promise<PasskeysUnderTest>): void => {
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    return store
  })
  const [first, second] = [samplePasskey(1), samplePasskey(2)]

  given(
    'M3: a passkey is found by its id, and listed in the order of addition',
    async (check, { passkeys }) => {
      await done(passkeys.add(first))
      await done(passkeys.add(second))
      check.same(await done(passkeys.find(first.id)), O.some(first))
      check.same(await done(passkeys.find('other' as PasskeyId)), O.none)
      check.same(await done(passkeys.of(ada.email)), [first, second])
      check.same(await done(passkeys.of(eve.email)), [])
      check.same(await failure(passkeys.add({ ...first, email: eve.email })), 'PasskeyNotStored')
    },
  )

  given('M3: a use sets the count and the moment', async (check, { passkeys }) => {
    await done(passkeys.add(first))
    const at = addMillis(MANAGER_NOW, 50)
    await done(passkeys.use({ id: first.id, signCount: 7 }, at))
    await done(passkeys.use({ id: second.id, signCount: 7 }, at))
    check.same(await done(passkeys.of(ada.email)), [{ ...first, signCount: 7, lastUsedAt: O.some(at) }])
  })

  given('M3: a person renames and removes own passkeys only', async (check, { passkeys }) => {
    await done(passkeys.add(first))
    const name = 'Key' as PasskeyName
    const [own, others] = [
      { email: ada.email, id: first.id },
      { email: eve.email, id: first.id },
    ]
    check.same(await failure(passkeys.rename({ ...others, name })), 'PasskeyNotFound')
    check.same(await done(passkeys.rename({ ...own, name })), { ...first, name })
    check.same(await done(passkeys.find(first.id)), O.some({ ...first, name }))
    check.same(await failure(passkeys.remove(others)), 'PasskeyNotFound')
    await done(passkeys.remove(own))
    check.same(await failure(passkeys.remove(own)), 'PasskeyNotFound')
    check.same(await done(passkeys.of(ada.email)), [])
  })

  given(`M3: a manager has at most ${MOST_PASSKEYS} passkeys`, async (check, { passkeys }) => {
    for (let n = 0; n < MOST_PASSKEYS; n += 1) await done(passkeys.add(samplePasskey(n)))
    check.same(await failure(passkeys.add(samplePasskey(MOST_PASSKEYS))), 'PasskeyNotStored')
    await done(passkeys.add({ ...samplePasskey(MOST_PASSKEYS), email: eve.email }))
  })

  given(
    'M4: disabling leaves passkeys, which work again when the manager is enabled',
    async (check, store) => {
      await done(store.passkeys.add(first))
      await done(store.managers.change(ada.email, { disabled: true }))
      check.same(await done(store.passkeys.find(first.id)), O.some(first))
    },
  )

  given('K1: changes of passkeys leave records of their manager', async (check, { passkeys, history }) => {
    await done(passkeys.add(first, { act: actOf('add-passkey') }))
    check.same(await failure(passkeys.add(first, { act: actOf('add-passkey') })), 'PasskeyNotStored')
    for (const name of ['Key', 'Key'] as ReadonlyArray<string>)
      await done(passkeys.rename({ ...first, name: name as PasskeyName }, { act: actOf('rename-passkey') }))
    await done(passkeys.remove(first, { act: actOf('remove-passkey') }))
    const found = (await recordsOfActs(check, { history })).map(({ action, subject }) => [
      action,
      subject.kind,
    ])
    check.same(
      found,
      ['add-passkey', 'rename-passkey', 'remove-passkey'].map((action) => [action, 'manager']),
    )
  })
}

/** Contract tests of `OneTimeSecrets`. */
export const oneTimeSecretsContract = (
  runner: ContractRunner,
  make: () => Promise<ManagersUnderTest>,
): void => {
  const ada = sampleManager('ada')
  const sent: ManagerSecret = {
    ...{ digest: sampleDigest(1), purpose: 'sign-in', email: ada.email },
    expiresAt: addMillis(MANAGER_NOW, 10),
    life: 10,
  }
  const secret: OneTimeSecret = { ...sent, email: O.some(ada.email) }
  const given = onEach(runner, make, async (store) => {
    await done(store.managers.add(ada))
    await done(store.oneTimeSecrets.put(sent))
    return store
  })

  given(
    'M2: a one-time secret works once, also of many calls at a time',
    async (check, { oneTimeSecrets }) => {
      const take = () => done(oneTimeSecrets.take(secret.digest, 'sign-in', MANAGER_NOW))
      const taken = await Promise.all([take(), take(), take()])
      check.same(taken.filter(O.isSome), [O.some(secret)])
      check.same(await take(), O.none)
    },
  )

  given('M2: a one-time secret is found without being used up', async (check, { oneTimeSecrets }) => {
    const find = (...given: Parameters<typeof oneTimeSecrets.find>) => done(oneTimeSecrets.find(...given))
    for (const _ of [1, 2]) check.same(await find(secret.digest, 'sign-in', MANAGER_NOW), O.some(secret))
    check.same(await find(secret.digest, 'add-passkey', MANAGER_NOW), O.none)
    check.same(await find(secret.digest, 'sign-in', secret.expiresAt), O.none)
    check.same(await find(sampleDigest(9), 'sign-in', MANAGER_NOW), O.none)
    check.same(await done(oneTimeSecrets.take(secret.digest, 'sign-in', MANAGER_NOW)), O.some(secret))
  })

  given('M2: a one-time secret expires', async (check, { oneTimeSecrets }) => {
    check.same(await done(oneTimeSecrets.take(secret.digest, 'sign-in', secret.expiresAt)), O.none)
    await done(oneTimeSecrets.put({ ...sent, digest: sampleDigest(2) }))
    const last = instant(secret.expiresAt - 1)
    check.same(
      await done(oneTimeSecrets.take(sampleDigest(2), 'sign-in', last)),
      O.some({ ...secret, digest: sampleDigest(2) }),
    )
    check.same(await done(oneTimeSecrets.take(sampleDigest(3), 'sign-in', last)), O.none)
  })

  given(
    'M3: a challenge has no manager yet, and works for its purpose only',
    async (check, { oneTimeSecrets }) => {
      const { expiresAt } = sent
      const challenge = { digest: sampleDigest(4), purpose: 'passkey-sign-in', expiresAt } as const
      await done(oneTimeSecrets.putChallenge(challenge))
      check.same(await done(oneTimeSecrets.take(challenge.digest, 'sign-in', MANAGER_NOW)), O.none)
      const taken = await done(oneTimeSecrets.take(challenge.digest, 'passkey-sign-in', MANAGER_NOW))
      check.same(taken, O.some({ ...challenge, email: O.none }))
    },
  )

  given(
    'A9, M2: a manager who is disabled or erased gets no secret, also at the same time',
    async (check, store) => {
      const { managers, oneTimeSecrets } = store
      check.same(
        await failure(oneTimeSecrets.put({ ...sent, email: sampleManager('eve').email })),
        'ManagerNotFound',
      )
      for (let n = 10; n < 30; n += 1) {
        const digest = sampleDigest(n)
        const [put] = await Promise.all([
          oneTimeSecrets.put({ ...sent, digest })(),
          done(managers.change(ada.email, { disabled: true })),
        ])
        if (E.isLeft(put)) check.same(put.left, { _tag: 'ManagerDisabled' })
        check.same(
          await failure(oneTimeSecrets.put({ ...sent, digest: sampleDigest(n + 100) })),
          'ManagerDisabled',
        )
        await done(managers.change(ada.email, { disabled: false }))
        check.same(await done(oneTimeSecrets.find(digest, 'sign-in', MANAGER_NOW)), O.none)
      }
    },
  )

  given('purging deletes expired one-time secrets only', async (check, { oneTimeSecrets }) => {
    check.same(await done(oneTimeSecrets.purge(secret.expiresAt)), 0)
    check.same(await done(oneTimeSecrets.purge(addMillis(secret.expiresAt, 1))), 1)
  })
}
