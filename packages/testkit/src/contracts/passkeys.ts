import { MOST_PASSKEYS, type Passkey, type PasskeyId, type PasskeyName } from '@almoner/domain/managers'
import { addMillis } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { actOf, recordsOfActs } from './history/fixture.ts'
import { MANAGER_NOW, type ManagersUnderTest, sampleManager } from './managers.ts'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure } from './samples.ts'

/** A store for one test, with its own data. */
export type PasskeysUnderTest = ManagersUnderTest & UnderTest<'passkeys' | 'history'>

const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]

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
