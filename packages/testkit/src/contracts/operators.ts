import { isOperator, type Manager } from '@almoner/domain/managers'
import type { Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { MANAGER_NOW, type ManagersUnderTest, openByLink, sampleManager, sampleSession } from './managers.ts'
import { type Check, type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure } from './samples.ts'

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
