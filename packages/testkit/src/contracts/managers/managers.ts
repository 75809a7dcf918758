import type { TokenDigest } from '@almoner/domain/access'
import {
  isOperator,
  type Manager,
  type ManagerName,
  newSession,
  type Session,
} from '@almoner/domain/managers'
import { type Email, instant, type TimeZone } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Check, type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure } from '../samples.ts'

/** A store for one test, with its own data. */
export type ManagersUnderTest = UnderTest<'managers' | 'sessions' | 'oneTimeSecrets'>

/** An editor. */
export const sampleManager = (name: string): Manager => ({
  email: `${name}@example.org` as Email,
  name: `Manager “${name}”` as ManagerName,
  lang: 'fr',
  duty: 'editor',
  disabled: false,
})

/** A moment in tests of managers. */
export const MANAGER_NOW = instant(1_700_000_000_000)

/** Returns a digest for tests. */
export const sampleDigest = (n: number): TokenDigest => n.toString(16).padStart(64, '0') as TokenDigest

/** Returns a session that begins at {@link MANAGER_NOW} and ends after 100 seconds, or after 10 without use. */
export const sampleSession = (n: number, { email }: Manager) =>
  newSession({ digest: sampleDigest(n), email, browser: 'Browser' }, MANAGER_NOW, {
    sessionIdle: 10,
    sessionLife: 100,
  })

/** Opens a session by a sign-in link, for tests that need one. Returns the number of its manager in the history. */
export const openByLink = async (
  { managers, oneTimeSecrets, sessions }: Pick<ManagersUnderTest, 'managers' | 'oneTimeSecrets' | 'sessions'>,
  session: Session,
): Promise<number> => {
  const { email, digest, endsAt: expiresAt } = session
  const link = `f${digest.slice(1)}` as TokenDigest
  const manager = await done(managers.find(email))
  await done(oneTimeSecrets.put({ digest: link, purpose: 'sign-in', email, expiresAt }))
  const duty = O.isSome(manager) ? manager.value.duty : 'editor'
  const opened = await done(sessions.open(session, { duty, credential: { way: 'link', link } }))
  if (O.isNone(opened)) throw new Error('the link opened no session')
  return opened.value
}

/** Contract tests of `Managers`. */
export const managersContract = (runner: ContractRunner, make: () => Promise<ManagersUnderTest>): void => {
  const given = onEach(runner, make)
  const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]

  given('M2: a manager is found with name, language and duty', async (check, { managers }) => {
    await done(managers.add(eve))
    await done(managers.add(ada))
    check.same(await done(managers.find(ada.email)), O.some(ada))
    check.same(await done(managers.find('other@example.org' as Email)), O.none)
    check.same(await done(managers.all()), [ada, eve])
    check.same(await failure(managers.add({ ...ada, duty: 'operator' })), 'ManagerExists')
    check.same(await done(managers.find(ada.email)), O.some(ada))
  })

  given('K1: managers who have signed in are listed by their number in the history', async (check, store) => {
    const { managers, sessions } = store
    for (const manager of [eve, ada]) await done(managers.add(manager))
    check.same(await done(managers.numbered()), [])
    for (const [n, manager] of [ada, eve].entries()) await openByLink(store, sampleSession(n, manager))
    const numbered = await done(managers.numbered())
    check.same(
      numbered.map(({ manager }) => manager),
      [ada, eve],
    )
    for (const [n, { number }] of numbered.entries()) {
      const found = await done(sessions.find(sampleDigest(n), MANAGER_NOW))
      check.same(O.isSome(found) && found.value.number, number)
    }
  })

  given('M2: a change keeps what it does not name', async (check, { managers }) => {
    await done(managers.add(ada))
    check.same(await done(managers.change(ada.email, { lang: 'en' })), { ...ada, lang: 'en' })
    check.same(await done(managers.change(ada.email, {})), { ...ada, lang: 'en' })
    check.same(await done(managers.find(ada.email)), O.some({ ...ada, lang: 'en' }))
    check.same(await failure(managers.change(eve.email, { disabled: true })), 'ManagerNotFound')
  })

  given('M2: a time zone is chosen and removed, and sessions have it', async (check, store) => {
    const { managers, sessions } = store
    const timeZone = 'Europe/Paris' as TimeZone
    await done(managers.add({ ...ada, timeZone }))
    await openByLink(store, sampleSession(1, ada))
    check.same(await done(managers.find(ada.email)), O.some({ ...ada, timeZone }))
    check.same(await done(managers.change(ada.email, { lang: 'en' })), { ...ada, lang: 'en', timeZone })
    const found = await done(sessions.find(sampleDigest(1), MANAGER_NOW))
    check.same(O.isSome(found) && found.value.manager.timeZone, timeZone)
    check.same(await done(managers.change(ada.email, { lang: 'fr', timeZone: null })), ada)
    check.same(await done(managers.find(ada.email)), O.some(ada))
  })

  for (const change of [{ disabled: true }, { duty: 'operator' }, { lang: 'en' }] as const)
    given(`M4: sessions and links after ${JSON.stringify(change)}`, async (check, store) => {
      const { managers, sessions, oneTimeSecrets } = store
      const ends = !('lang' in change)
      for (const [n, manager] of [ada, eve].entries()) {
        await done(managers.add(manager))
        await openByLink(store, sampleSession(n, manager))
        const expiresAt = instant(MANAGER_NOW + 1)
        await done(
          oneTimeSecrets.put({
            digest: sampleDigest(n),
            purpose: 'sign-in',
            email: manager.email,
            expiresAt,
          }),
        )
      }
      await done(managers.change(ada.email, change))
      await done(managers.change(ada.email, { disabled: false }))
      check.same(O.isNone(await done(sessions.find(sampleDigest(0), MANAGER_NOW))), ends)
      check.same(O.isNone(await done(oneTimeSecrets.take(sampleDigest(0), 'sign-in', MANAGER_NOW))), ends)
      check.ok(O.isSome(await done(sessions.find(sampleDigest(1), MANAGER_NOW))), 'another manager')
      check.ok(O.isSome(await done(oneTimeSecrets.take(sampleDigest(1), 'sign-in', MANAGER_NOW))))
    })
}

/** A store for one test, with its own data. */
export type OperatorsUnderTest = ManagersUnderTest & UnderTest<'personalData'>

const operator = (name: string): Manager => ({ ...sampleManager(name), duty: 'operator' })
const [ada, eve, max] = [operator('ada'), operator('eve'), operator('max')]
const editor = sampleManager('editor')

type Removal = (
  store: OperatorsUnderTest,
  email: Email,
  by?: { readonly by: ReturnType<typeof sampleSession>['digest'] },
) => TaskEither<{ readonly _tag: string }, unknown>

/** The ways in which an operator is none any more. */
const REMOVALS: Readonly<Record<string, Removal>> = {
  disabled: ({ managers }, email, by) => managers.change(email, { disabled: true }, by),
  demoted: ({ managers }, email, by) => managers.change(email, { duty: 'editor' }, by),
  erased: ({ personalData }, email, by) =>
    personalData.erase(email, MANAGER_NOW, undefined, { isOperator: true, ...by }),
}

const operatorsIn = async ({ managers }: OperatorsUnderTest): Promise<ReadonlyArray<Email>> =>
  (await done(managers.all())).filter(isOperator).map(({ email }) => email)

/** Rounds of each race. */
const ROUNDS = 4

/** Makes enabled operators of managers, who are added if they are gone. */
const renew = async ({ managers }: OperatorsUnderTest, all: ReadonlyArray<Manager>): Promise<void> => {
  for (const manager of all) await managers.add(manager)()
  for (const { email } of all) await done(managers.change(email, { duty: 'operator', disabled: false }))
}

/** Runs two removals at a time, and checks that one fails. Returns the tag of its failure. */
const oneOf = async (
  check: Check,
  removals: ReadonlyArray<TaskEither<{ readonly _tag: string }, unknown>>,
): Promise<string | undefined> => {
  const both = await Promise.all(removals.map((removal) => removal()))
  check.same(both.filter(E.isRight).length, 1)
  return both.find(E.isLeft)?.left._tag
}

/** Contract tests of the rule that an enabled operator is left (L4). */
export const operatorsContract = (runner: ContractRunner, make: () => Promise<OperatorsUnderTest>): void => {
  const given = onEach(runner, make)

  for (const [name, remove] of Object.entries(REMOVALS)) {
    given(`L4: the last enabled operator is not ${name}`, async (check, store) => {
      for (const manager of [ada, eve, editor]) await done(store.managers.add(manager))
      await done(remove(store, editor.email))
      await done(store.managers.change(eve.email, { disabled: true }))
      check.same(await failure(remove(store, ada.email)), 'LastOperator', 'a disabled one does not count')
      check.same(await operatorsIn(store), [ada.email])
      await done(remove(store, eve.email))
      await done(store.managers.add(max))
      await done(remove(store, ada.email))
      check.same(await operatorsIn(store), [max.email])
    })

    for (const [other, removeOther] of Object.entries(REMOVALS))
      given(
        `L4: of two operators who are ${name} and ${other} at a time, one stays`,
        async (check, store) => {
          for (let round = 0; round < ROUNDS; round += 1) {
            await renew(store, [ada, eve])
            const removals = [remove(store, ada.email), removeOther(store, eve.email)]
            check.same(await oneOf(check, removals), 'LastOperator')
            check.same((await operatorsIn(store)).length, 1)
          }
        },
      )

    given(`M4: of two operators who have each other ${name} at a time, one wins`, async (check, store) => {
      await renew(store, [ada, eve, max])
      const [first, second] = [sampleSession(1, ada), sampleSession(2, eve)]
      for (const session of [first, second]) await openByLink(store, session)
      const removals = [
        remove(store, eve.email, { by: first.digest }),
        remove(store, ada.email, { by: second.digest }),
      ]
      check.same(await oneOf(check, removals), 'NoSession')
    })
  }

  given('L4: only an operator erases a manager', async (check, store) => {
    for (const manager of [ada, eve, editor]) await done(store.managers.add(manager))
    await done(store.managers.change(eve.email, { disabled: true }))
    const erase = (email: Email) =>
      failure(store.personalData.erase(email, MANAGER_NOW, undefined, { isOperator: false }))
    for (const { email } of [ada, eve, editor]) check.same(await erase(email), 'InsufficientRole')
    check.same((await done(store.managers.all())).length, 3)
  })
}
