import type { StorageId } from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'
import type { ContractRunner, UnderTest } from './runner.ts'
import { done } from './samples.ts'

/** A store for one test. */
export type StorageIdentityUnderTest = UnderTest<'storageIdentity'>

/** Contract tests of `StorageIdentity` (D6). */
export const storageIdentityContract = (
  runner: ContractRunner,
  make: () => Promise<StorageIdentityUnderTest>,
): void => {
  runner('D6: if several nodes create an identity at once, one is stored for all', async (check) => {
    const { storageIdentity, close } = await make()
    check.same(await done(storageIdentity.find()), O.none)
    const ids = Array.from({ length: 8 }, (_, n) => `identity-${n}` as StorageId)
    const established = await Promise.all(ids.map((id) => done(storageIdentity.establish(id))))
    check.same(new Set(established).size, 1)
    check.same(await done(storageIdentity.find()), O.fromNullable(established[0]))
    check.same(await done(storageIdentity.establish('later' as StorageId)), established[0])
    await close()
  })

  runner(
    'D6: the reason why the latest sweep stopped is stored, with and without an identity',
    async (check) => {
      const { storageIdentity, close } = await make()
      check.same(await done(storageIdentity.lastRefusal()), O.none)
      await done(storageIdentity.recordSweep(O.some('other-storage')))
      check.same(await done(storageIdentity.lastRefusal()), O.some('other-storage'))
      check.same(await done(storageIdentity.find()), O.none)
      check.same(await done(storageIdentity.establish('one' as StorageId)), 'one')
      check.same(await done(storageIdentity.lastRefusal()), O.some('other-storage'))
      await done(storageIdentity.recordSweep(O.none))
      check.same(await done(storageIdentity.lastRefusal()), O.none)
      check.same(await done(storageIdentity.find()), O.some('one'))
      await close()
    },
  )
}
