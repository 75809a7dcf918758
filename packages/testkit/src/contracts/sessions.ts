import { addMillis, type Instant, instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import {
  MANAGER_NOW,
  type ManagersUnderTest,
  openByLink,
  sampleDigest,
  sampleManager,
  sampleSession,
} from './managers.ts'
import { type ContractRunner, onEach } from './runner.ts'
import { done } from './samples.ts'

/** Contract tests of `Sessions`. */
export const sessionsContract = (runner: ContractRunner, make: () => Promise<ManagersUnderTest>): void => {
  const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]
  const [first, second] = [sampleSession(1, ada), sampleSession(2, ada)]
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    await openByLink(store, first)
    return store
  })

  given('M4: a session is found with its manager until its idle end', async (check, { sessions }) => {
    const last = instant(first.idleEndsAt - 1)
    check.same(
      await done(sessions.find(first.digest, last)),
      O.some({ session: first, manager: ada, number: 1 }),
    )
    check.same(await done(sessions.find(first.digest, first.idleEndsAt)), O.none)
    check.same(await done(sessions.find(sampleDigest(9), last)), O.none)
  })

  given('A9: of many sessions, those that count are found together', async (check, store) => {
    const { managers, sessions } = store
    for (const session of [
      second,
      sampleSession(3, eve),
      { ...sampleSession(4, eve), idleEndsAt: MANAGER_NOW },
    ])
      await openByLink(store, session)
    const digests = [1, 2, 3, 4, 9].map(sampleDigest)
    const current = async (now: Instant) => [...(await done(sessions.current(digests, now)))].toSorted()
    check.same(await current(MANAGER_NOW), [1, 2, 3].map(sampleDigest))
    check.same(await done(sessions.current([], MANAGER_NOW)), new Set())
    await done(sessions.end(second.digest))
    await done(managers.change(eve.email, { disabled: true }))
    check.same(await current(MANAGER_NOW), [sampleDigest(1)])
    check.same(await current(first.idleEndsAt), [])
    const [lastSeenAt, idleEndsAt] = [MANAGER_NOW, addMillis(first.endsAt, 5)]
    await done(sessions.touch({ digest: first.digest, lastSeenAt, idleEndsAt }))
    check.same(await current(first.idleEndsAt), [sampleDigest(1)])
    check.same(await current(first.endsAt), [])
    const many = Array.from({ length: 1000 }, (_, n) => sampleDigest(1000 - n))
    check.same(await done(sessions.current(many, MANAGER_NOW)), new Set([sampleDigest(1)]))
  })

  given('M4: use puts the idle end off, never the absolute end', async (check, { sessions }) => {
    const [lastSeenAt, idleEndsAt] = [addMillis(MANAGER_NOW, 5), addMillis(first.endsAt, 5)]
    await done(sessions.touch({ digest: first.digest, lastSeenAt, idleEndsAt }))
    const session = { ...first, lastSeenAt, idleEndsAt }
    const found = await done(sessions.find(first.digest, instant(first.endsAt - 1)))
    check.same(found, O.some({ session, manager: ada, number: 1 }))
    check.same(await done(sessions.find(first.digest, first.endsAt)), O.none)
    await done(sessions.touch({ digest: sampleDigest(9), lastSeenAt, idleEndsAt }))
    check.same(await done(sessions.find(sampleDigest(9), MANAGER_NOW)), O.none, 'an ended one stays so')
  })

  given(
    'M4: when the person last proved presence is stored, and use does not renew it',
    async (check, store) => {
      const { sessions } = store
      const session = { ...second, confirmedAt: addMillis(MANAGER_NOW, -5000) }
      await openByLink(store, session)
      const use = { lastSeenAt: addMillis(MANAGER_NOW, 5), idleEndsAt: second.endsAt }
      await done(sessions.touch({ digest: second.digest, ...use }))
      const found = await done(sessions.find(second.digest, MANAGER_NOW))
      check.same(O.isSome(found) && found.value.session, { ...session, ...use })
      const all = await done(sessions.of(ada.email, MANAGER_NOW))
      check.same(all.find(({ digest }) => digest === second.digest)?.confirmedAt, session.confirmedAt)
    },
  )

  given('M4: sessions end one by one, or all of a manager', async (check, store) => {
    const { sessions } = store
    const later = { ...sampleSession(3, ada), openedAt: addMillis(MANAGER_NOW, 1) }
    for (const session of [second, later, sampleSession(4, eve)]) await openByLink(store, session)
    check.same(await done(sessions.end(second.digest)), true)
    check.same(await done(sessions.end(second.digest)), false)
    check.same(await done(sessions.of(ada.email, MANAGER_NOW)), [later, first], 'newest first')
    check.same(await done(sessions.endAll(ada.email)), 2)
    check.same(await done(sessions.of(ada.email, MANAGER_NOW)), [])
    check.same((await done(sessions.of(eve.email, MANAGER_NOW))).length, 1)
    check.same(await done(sessions.of(eve.email, first.idleEndsAt)), [], 'ended ones are not listed')
  })

  given('M4: all sessions but one are ended', async (check, store) => {
    const { sessions } = store
    for (const session of [second, sampleSession(3, ada), sampleSession(4, eve)])
      await openByLink(store, session)
    check.same(await done(sessions.endAll(ada.email, { except: second.digest })), 2)
    const open = await done(sessions.of(ada.email, MANAGER_NOW))
    check.same(
      open.map(({ digest }) => digest),
      [second.digest],
    )
    check.same((await done(sessions.of(eve.email, MANAGER_NOW))).length, 1)
  })

  given('purging deletes ended sessions only', async (check, { sessions }) => {
    check.same(await done(sessions.purge(first.idleEndsAt)), 0)
    check.same(await done(sessions.purge(addMillis(first.idleEndsAt, 1))), 1)
    check.same(await done(sessions.purge(addMillis(first.idleEndsAt, 1))), 0)
  })
}
