import type { WaitingFeed } from '@almoner/domain/ports'
import { addMillis } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { actOf, recordsOfActs } from '../history/fixture.ts'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure } from '../samples.ts'
import {
  MANAGER_NOW,
  type ManagersUnderTest,
  openByLink,
  sampleDigest,
  sampleManager,
  sampleSession,
} from './managers.ts'

/** A store for one test, with its own data. */
export type WaitingFeedsUnderTest = ManagersUnderTest & UnderTest<'history' | 'personalData' | 'waitingFeeds'>

const [ada, eve] = [sampleManager('ada'), { ...sampleManager('eve'), duty: 'operator' as const }]

const feedOf = (n: number, { email } = ada): WaitingFeed => ({
  ...{ digest: sampleDigest(n), email },
  madeAt: addMillis(MANAGER_NOW, n),
})

/** What ends a waiting feed with its manager's access. */
const ENDS: Readonly<
  Record<string, (store: WaitingFeedsUnderTest) => TaskEither<{ readonly _tag: string }, unknown>>
> = {
  disabled: ({ managers }: WaitingFeedsUnderTest) => managers.change(ada.email, { disabled: true }),
  'given another duty': ({ managers }: WaitingFeedsUnderTest) =>
    managers.change(ada.email, { duty: 'operator' }),
  erased: ({ personalData }: WaitingFeedsUnderTest) => personalData.erase(ada.email, MANAGER_NOW),
}

/** Contract tests of `WaitingFeeds`. */
export const waitingFeedsContract = (
  runner: ContractRunner,
  make: () => Promise<WaitingFeedsUnderTest>,
): void => {
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    return store
  })

  given(
    'M14: a feed is found by its digest until it is replaced or removed',
    async (check, { waitingFeeds }) => {
      check.same(await done(waitingFeeds.of(ada.email)), O.none)
      for (const feed of [feedOf(1), feedOf(2), feedOf(3, eve)]) await done(waitingFeeds.put(feed))
      check.same(await done(waitingFeeds.find(sampleDigest(1))), O.none)
      check.same(await done(waitingFeeds.find(sampleDigest(2))), O.some(ada))
      check.same(await done(waitingFeeds.of(ada.email)), O.some(feedOf(2)))
      for (const _ of [1, 2]) await done(waitingFeeds.remove(ada.email))
      check.same(await done(waitingFeeds.find(sampleDigest(2))), O.none)
      check.same(await done(waitingFeeds.of(ada.email)), O.none)
      check.same(await done(waitingFeeds.find(sampleDigest(3))), O.some(eve))
    },
  )

  for (const [name, end] of Object.entries(ENDS))
    given(`M14: the feed of a manager who is ${name} ends, also at the same time`, async (check, store) => {
      const { managers, personalData, waitingFeeds } = store
      for (let n = 1; n <= 5; n += 1) {
        await managers.add(ada)()
        await done(managers.change(ada.email, { disabled: false, duty: ada.duty }))
        await done(waitingFeeds.put(feedOf(n)))
        const session = sampleSession(n, ada)
        await openByLink(store, session)
        const [put] = await Promise.all([
          waitingFeeds.put(feedOf(n + 100), { by: session.digest })(),
          done(end(store)),
        ])
        if (E.isLeft(put)) check.same(put.left, { _tag: 'NoSession' })
        for (const made of [n, n + 100]) check.same(await done(waitingFeeds.find(sampleDigest(made))), O.none)
        check.same(await done(personalData.find(ada.email)).then(({ waitingFeed }) => waitingFeed), O.none)
      }
    })

  given('M14: a change of the language keeps the feed', async (check, { managers, waitingFeeds }) => {
    await done(waitingFeeds.put(feedOf(1)))
    await done(managers.change(ada.email, { lang: 'en' }))
    check.same(await done(waitingFeeds.find(sampleDigest(1))), O.some({ ...ada, lang: 'en' }))
  })

  given('A9: who is unknown or disabled, or has no session any more, makes no feed', async (check, store) => {
    const { managers, waitingFeeds } = store
    check.same(await failure(waitingFeeds.put(feedOf(1, sampleManager('max')))), 'NoSession')
    const ended = { by: sampleDigest(9) }
    await done(waitingFeeds.put(feedOf(1)))
    check.same(await failure(waitingFeeds.put(feedOf(2), ended)), 'NoSession')
    check.same(await failure(waitingFeeds.remove(ada.email, ended)), 'NoSession')
    check.same(await done(waitingFeeds.of(ada.email)), O.some(feedOf(1)))
    await done(managers.change(ada.email, { disabled: true }))
    check.same(await failure(waitingFeeds.put(feedOf(3))), 'NoSession')
  })

  given('K1, L2: making and removing a feed leave records', async (check, store) => {
    const { personalData, waitingFeeds } = store
    await done(waitingFeeds.put(feedOf(1), { act: actOf('make-waiting-feed') }))
    const { waitingFeed } = await done(personalData.find(ada.email))
    check.same(waitingFeed, O.some(feedOf(1).madeAt))
    for (const _ of [1, 2]) await done(waitingFeeds.remove(ada.email, { act: actOf('remove-waiting-feed') }))
    const records = await recordsOfActs(check, store)
    check.same(
      records.map(({ action }) => action),
      ['make-waiting-feed', 'remove-waiting-feed'],
    )
  })
}
