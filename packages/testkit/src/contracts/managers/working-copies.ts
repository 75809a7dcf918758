import {
  type CopyFields,
  type CopyKey,
  type Manager,
  MOST_COPIES,
  titleOf,
  type WorkingCopy,
} from '@almoner/domain/managers'
import { addMillis, type Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure } from '../samples.ts'
import { MANAGER_NOW, sampleManager } from './managers.ts'

/** A store for one test, with its own data. */
export type WorkingCopiesUnderTest = UnderTest<'managers' | 'workingCopies'>

/** Fields as a manager may type them: with characters that a store may refuse as text. */
const TYPED: CopyFields = {
  itemTitle: 'Water\u0000 “für alle” \ud800',
  publicationDate: '31.2.',
  link: '',
}

/** Returns the n-th working copy of a manager, changed n milliseconds after {@link MANAGER_NOW}. */
export const sampleCopy = (n: number, { email }: Manager): WorkingCopy => ({
  email,
  key: `copy-${n}` as CopyKey,
  contentType: n % 2 === 0 ? 'library' : 'feed',
  baseETag: n % 2 === 0 ? '' : `"copy-${n}.${n}.aBc"`,
  fields: TYPED,
  updatedAt: addMillis(MANAGER_NOW, n),
})

/** Contract tests of `WorkingCopies`. */
export const workingCopiesContract = (
  runner: ContractRunner,
  make: () => Promise<WorkingCopiesUnderTest>,
): void => {
  const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]
  const given = onEach(runner, make, async (store) => {
    for (const manager of [ada, eve]) await done(store.managers.add(manager))
    return store
  })

  given('M7: a working copy is stored as it was typed, for its manager only', async (check, store) => {
    const { workingCopies } = store
    const copy = sampleCopy(1, ada)
    await done(workingCopies.put(copy))
    check.same(await done(workingCopies.find(ada.email, copy.key)), O.some(copy))
    check.same(await done(workingCopies.find(eve.email, copy.key)), O.none)
    const other = { ...sampleCopy(1, eve), fields: {} }
    await done(workingCopies.put(other))
    check.same(await done(workingCopies.find(ada.email, copy.key)), O.some(copy), 'keys are per manager')
    const changed = { ...copy, baseETag: '', fields: { itemTitle: 'x' }, contentType: 'library' } as const
    await done(workingCopies.put(changed))
    check.same(await done(workingCopies.find(ada.email, copy.key)), O.some(changed), 'replaced')
    await done(workingCopies.remove(ada.email, copy.key))
    await done(workingCopies.remove(ada.email, copy.key))
    check.same(await done(workingCopies.find(ada.email, copy.key)), O.none)
    check.same(await done(workingCopies.find(eve.email, copy.key)), O.some(other))
  })

  given(
    'M12: a copy of another tab is neither replaced nor deleted unseen',
    async (check, { workingCopies }) => {
      const copy = sampleCopy(1, ada)
      const put = (fields: CopyFields, expected: O.Option<Instant>) =>
        workingCopies.put({ ...copy, fields }, expected)
      const first = await done(put({ link: 'first' }, O.none))
      check.same(await failure(put({ link: 'other tab' }, O.none)), 'PreconditionFailed')
      const second = await done(put({ link: 'second' }, O.some(first)))
      check.same(second > first, true, 'of two copies of one millisecond, the later one differs')
      const tabs = await Promise.all(['a', 'b', 'c'].map((link) => put({ link }, O.some(second))()))
      check.same(tabs.filter(E.isRight).length, 1, 'one of several at a time')
      check.same(
        await failure(workingCopies.remove(ada.email, copy.key, O.some(second))),
        'PreconditionFailed',
      )
      check.same(await failure(workingCopies.remove(ada.email, copy.key, O.none)), 'PreconditionFailed')
      const [found] = await done(workingCopies.of(ada.email))
      check.same(found?.key, copy.key)
      await done(workingCopies.remove(ada.email, copy.key, O.fromNullable(found?.updatedAt)))
      await done(workingCopies.remove(ada.email, copy.key, O.some(second)))
      check.same(await done(workingCopies.of(ada.email)), [], 'a copy that is gone needs no deletion')
    },
  )

  given(
    'M7: copies are listed by their latest change, with the title as typed',
    async (check, { workingCopies }) => {
      const copies = [1, 3, 2].map((n) => sampleCopy(n, ada))
      for (const copy of copies) await done(workingCopies.put(copy))
      await done(workingCopies.put(sampleCopy(4, eve)))
      const summary = (n: number) => {
        const { fields, ...rest } = sampleCopy(n, ada)
        return { ...rest, title: titleOf(fields) }
      }
      check.same(await done(workingCopies.of(ada.email)), [summary(3), summary(2), summary(1)])
      await done(workingCopies.put({ ...sampleCopy(1, ada), updatedAt: sampleCopy(3, ada).updatedAt }))
      const keys = (await done(workingCopies.of(ada.email))).map(({ key }) => key)
      check.same(keys, ['copy-1', 'copy-3', 'copy-2'] as ReadonlyArray<string>, 'then by key')
    },
  )

  given(
    'M7: a manager has at most 200 copies, also of several at a time',
    async (check, { workingCopies }) => {
      for (let n = 1; n < MOST_COPIES; n += 1)
        await done(workingCopies.put({ ...sampleCopy(n, ada), fields: {} }))
      const [last, next] = [MOST_COPIES, MOST_COPIES + 1]
      const outcomes = await Promise.all([last, next].map((n) => workingCopies.put(sampleCopy(n, ada))()))
      check.same(outcomes.map(({ _tag }) => _tag).sort(), ['Left', 'Right'])
      check.same(await failure(workingCopies.put(sampleCopy(next + 1, ada))), 'ValidationFailed')
      await done(workingCopies.put(sampleCopy(1, ada)))
      await done(workingCopies.put(sampleCopy(1, eve)))
      check.same((await done(workingCopies.of(ada.email))).length, MOST_COPIES)
    },
  )

  given('M7: an unknown manager has no copies', async (check, { workingCopies }) => {
    const copy = sampleCopy(1, sampleManager('unknown'))
    check.same(await failure(workingCopies.put(copy)), 'ManagerNotFound')
    check.same(await done(workingCopies.of(copy.email)), [])
  })

  given('M7: purging deletes copies that were changed before a moment', async (check, { workingCopies }) => {
    for (const n of [1, 2, 3]) await done(workingCopies.put(sampleCopy(n, n === 2 ? eve : ada)))
    check.same(await done(workingCopies.purge(sampleCopy(1, ada).updatedAt)), 0)
    check.same(await done(workingCopies.purge(sampleCopy(3, ada).updatedAt)), 2)
    check.same((await done(workingCopies.of(ada.email))).length, 1)
  })
}
