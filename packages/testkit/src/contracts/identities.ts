import { personActor } from '@almoner/domain/access'
import type { AuditQuery } from '@almoner/domain/history'
import type { Identity } from '@almoner/domain/managers'
import { addMillis } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { MANAGER_NOW, type ManagersUnderTest, sampleManager } from './managers.ts'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure } from './samples.ts'

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
