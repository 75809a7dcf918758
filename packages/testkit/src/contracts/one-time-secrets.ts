import type { ManagerSecret, OneTimeSecret } from '@almoner/domain/ports'
import { addMillis, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { MANAGER_NOW, type ManagersUnderTest, sampleDigest, sampleManager } from './managers.ts'
import { type ContractRunner, onEach } from './runner.ts'
import { done, failure } from './samples.ts'

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
