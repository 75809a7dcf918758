import type {
  PasswordHash,
  PreviewToken,
  StoredPassword,
  TotpSecret,
  UsedCode,
} from '@almoner/domain/managers'
import { addMillis, type Instant, instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { actOf, recordsOfActs } from '../history/fixture.ts'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure, sampleId } from '../samples.ts'
import {
  MANAGER_NOW,
  type ManagersUnderTest,
  openByLink,
  sampleDigest,
  sampleManager,
  sampleSession,
} from './managers.ts'

/** A store for one test, with its own data. */
export type PasswordsUnderTest = ManagersUnderTest & UnderTest<'passwords' | 'history'>

const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]

const CODES = [sampleDigest(1), sampleDigest(2)]

/** Returns a password of Ada with two recovery codes, for tests. */
export const samplePassword = (): StoredPassword => ({
  email: ada.email,
  hash: 'hash' as PasswordHash,
  totpSecret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' as TotpSecret,
  usedStep: 7,
  recoveryCodes: CODES,
  changedAt: MANAGER_NOW,
  lastUsedAt: O.none,
})

/** Contract tests of `Passwords`. */
export const passwordsContract = (runner: ContractRunner, make: () => Promise<PasswordsUnderTest>): void => {
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    return store
  })
  const [password, at] = [samplePassword(), addMillis(MANAGER_NOW, 50)]

  given('M3: a password is found by its manager, and a new one replaces it', async (check, { passwords }) => {
    check.same(await done(passwords.find(ada.email)), O.none)
    await done(passwords.set(password))
    check.same(await done(passwords.find(ada.email)), O.some(password))
    check.same(await done(passwords.find(eve.email)), O.none)
    const next = { ...password, hash: 'other' as PasswordHash, usedStep: 3, recoveryCodes: [sampleDigest(3)] }
    await done(passwords.set(next))
    check.same(await done(passwords.find(ada.email)), O.some(next))
    check.same([...(await done(passwords.owners()))], [ada.email])
  })

  /** Tries a code of Ada after a right password, and returns whether it opened a session. */
  const opens = async ({ sessions }: PasswordsUnderTest, code: UsedCode, tried = sampleSession(20, ada)) => {
    const credential = { way: 'password', hash: O.some(password.hash), usedBy: () => O.some(code) } as const
    const opened = await done(sessions.open({ ...tried, openedAt: at }, { duty: ada.duty, credential }))
    await done(sessions.end(tried.digest))
    return O.isSome(opened)
  }

  given('M3: each step counts once, and none before it any more', async (check, store) => {
    const { passwords } = store
    await done(passwords.set(password))
    check.same(await opens(store, { step: 7 }), false)
    check.same(await done(passwords.find(ada.email)), O.some(password))
    check.same(await opens(store, { step: 9 }), true)
    check.same(await opens(store, { step: 9 }), false)
    check.same(await opens(store, { step: 8 }), false)
    check.same(await opens(store, { step: 10 }, sampleSession(20, eve)), false)
    const used = { ...password, usedStep: 9, lastUsedAt: O.some(at) }
    check.same(await done(passwords.find(ada.email)), O.some(used))
  })

  given('M3: a recovery code works once, for its manager', async (check, store) => {
    const { passwords } = store
    await done(passwords.set(password))
    const [recoveryCode = sampleDigest(0), left] = CODES
    check.same(await opens(store, { recoveryCode }, sampleSession(20, eve)), false)
    check.same(await opens(store, { recoveryCode: sampleDigest(9) }), false)
    check.same(await done(passwords.find(ada.email)), O.some(password))
    check.same(await opens(store, { recoveryCode }), true)
    check.same(await opens(store, { recoveryCode }), false)
    const used = { ...password, recoveryCodes: [left], lastUsedAt: O.some(at) }
    check.same(await done(passwords.find(ada.email)), O.some(used))
  })

  given('M3: of several uses of a code at a time, one gets it', async (check, store) => {
    await done(store.passwords.set(password))
    for (const code of [{ step: 8 }, { recoveryCode: sampleDigest(1) }]) {
      const uses = [21, 22, 23].map((n) => opens(store, code, sampleSession(n, ada)))
      check.same((await Promise.all(uses)).filter((isFirst) => isFirst).length, 1)
    }
  })

  given('M3: the hash and the recovery codes change apart', async (check, { passwords }) => {
    const [change, renewal] = [
      { hash: 'new' as PasswordHash, changedAt: at },
      { recoveryCodes: [sampleDigest(5)] },
    ]
    check.same(await failure(passwords.change(ada.email, change)), 'PasswordNotFound')
    check.same(await failure(passwords.change(ada.email, renewal)), 'PasswordNotFound')
    await done(passwords.set(password))
    await done(passwords.change(ada.email, change))
    await done(passwords.change(ada.email, renewal))
    check.same(await done(passwords.find(ada.email)), O.some({ ...password, ...change, ...renewal }))
  })

  given('M3: a removed password is gone, and can be set again', async (check, { passwords }) => {
    check.same(await failure(passwords.remove(ada.email)), 'PasswordNotFound')
    await done(passwords.set(password))
    await done(passwords.remove(ada.email))
    check.same(await done(passwords.find(ada.email)), O.none)
    check.same(await done(passwords.owners()), new Set())
    check.same(await failure(passwords.remove(ada.email)), 'PasswordNotFound')
    await done(passwords.set(password))
    check.same(await done(passwords.find(ada.email)), O.some(password))
  })

  given('M4: setting, changing, renewing codes and removing end the other sessions', async (check, store) => {
    const { passwords, sessions } = store
    const [current, other, theirs] = [sampleSession(11, ada), sampleSession(12, ada), sampleSession(13, eve)]
    const open = async (...acts: ReadonlyArray<() => Promise<unknown>>) => {
      for (const session of [current, other]) {
        await done(sessions.end(session.digest))
        await openByLink(store, session)
      }
      for (const act of acts) await act()
      return (await done(sessions.of(ada.email, MANAGER_NOW))).map(({ digest }) => digest)
    }
    await openByLink(store, theirs)
    const { email } = ada
    const options = { by: current.digest }
    const change = { hash: 'new' as PasswordHash, changedAt: at }
    check.same(await open(() => done(passwords.set(password, options))), [current.digest])
    const renewal = { recoveryCodes: [] }
    check.same(await open(() => done(passwords.change(email, renewal, options))), [current.digest])
    check.same(await open(() => done(passwords.change(email, change, options))), [current.digest])
    check.same(await open(() => done(passwords.remove(email))), [])
    check.same((await done(sessions.of(eve.email, MANAGER_NOW))).length, 1)
  })

  given('K1: changes of a password leave records of its manager', async (check, { passwords, history }) => {
    const { email } = ada
    await done(passwords.set(password, { act: actOf('set-password') }))
    const change = { hash: 'new' as PasswordHash, changedAt: at }
    await done(passwords.change(email, change, { act: actOf('change-password') }))
    await done(passwords.remove(email, { act: actOf('remove-password') }))
    check.same(await failure(passwords.remove(email, { act: actOf('remove-password') })), 'PasswordNotFound')
    const found = (await recordsOfActs(check, { history })).map(({ action, subject }) => [
      action,
      subject.kind,
    ])
    check.same(
      found,
      ['set-password', 'change-password', 'remove-password'].map((action) => [action, 'manager']),
    )
  })
}

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

/** Returns a preview token for tests, of a session that need not exist. */
export const samplePreview = (n: number, given: Partial<PreviewToken> = {}): PreviewToken => ({
  ...{ digest: sampleDigest(n), session: sampleDigest(n + 100), contentType: 'library', text: 'item' },
  ...{ itemId: sampleId(n), expiresAt: addMillis(MANAGER_NOW, 10), life: 10 },
  ...given,
})

/** Contract tests of `PreviewTokens`. */
export const previewTokensContract = (
  runner: ContractRunner,
  make: () => Promise<UnderTest<'previewTokens'>>,
): void => {
  const given = onEach(runner, make)

  given(
    'A11: a preview token is found until it expires, with the one text that it shows',
    async (check, store) => {
      const { previewTokens } = store
      const all = [samplePreview(1), samplePreview(2, { contentType: 'feed', text: 'copy' })]
      for (const token of all) await done(previewTokens.add(token))
      for (const token of all) {
        check.same(await done(previewTokens.find(token.digest, MANAGER_NOW)), O.some(token))
        check.same(
          await done(previewTokens.find(token.digest, addMillis(token.expiresAt, -1))),
          O.some(token),
        )
        check.same(await done(previewTokens.find(token.digest, token.expiresAt)), O.none)
      }
      check.same(await done(previewTokens.find(sampleDigest(3), MANAGER_NOW)), O.none)
    },
  )

  given(
    'A11: preview tokens that have expired are purged, and no others',
    async (check, { previewTokens }) => {
      const [old, young] = [
        samplePreview(1),
        samplePreview(2, { expiresAt: addMillis(MANAGER_NOW, 20), life: 20 }),
      ]
      for (const token of [old, young]) await done(previewTokens.add(token))
      check.same(await done(previewTokens.purge(addMillis(MANAGER_NOW, 11))), 1)
      check.same(await done(previewTokens.purge(addMillis(MANAGER_NOW, 11))), 0)
      check.same(await done(previewTokens.find(old.digest, MANAGER_NOW)), O.none)
      check.same(await done(previewTokens.find(young.digest, MANAGER_NOW)), O.some(young))
    },
  )
}
