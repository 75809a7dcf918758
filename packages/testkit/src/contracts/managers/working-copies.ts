import {
  type CopyKey,
  type Manager,
  MOST_COPIES,
  MOST_COPY_IMAGES,
  titleOf,
  type WorkingCopy,
} from '@almoner/domain/managers'
import type { StoredImage } from '@almoner/domain/media'
import { addMillis, type Instant, type TypedFields } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure, sampleImage, sampleLibraryItem } from '../samples.ts'
import { MANAGER_NOW, sampleManager } from './managers.ts'

/** A store for one test, with its own data. */
export type WorkingCopiesUnderTest = UnderTest<
  'knownImages' | 'libraryItems' | 'managers' | 'personalData' | 'workingCopies'
>

/** Fields as a manager may type them: with characters that a store may refuse as text. */
const TYPED: TypedFields = {
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

/** Returns fields that name images as those of a new item. */
const naming = (...images: ReadonlyArray<StoredImage>): TypedFields => ({
  images: JSON.stringify(Object.fromEntries(images.map(({ name }, at) => [`place ${at}`, name]))),
})

const NOW = MANAGER_NOW
const LATER = addMillis(MANAGER_NOW, 1_000_000)
const GONE = 'ManagerNotFound'

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
    await done(workingCopies.remove(ada.email, copy.key, MANAGER_NOW))
    await done(workingCopies.remove(ada.email, copy.key, MANAGER_NOW))
    check.same(await done(workingCopies.find(ada.email, copy.key)), O.none)
    check.same(await done(workingCopies.find(eve.email, copy.key)), O.some(other))
  })

  given(
    'M12: a copy of another tab is neither replaced nor deleted unseen',
    async (check, { workingCopies }) => {
      const copy = sampleCopy(1, ada)
      const put = (fields: TypedFields, expected: O.Option<Instant>) =>
        workingCopies.put({ ...copy, fields }, expected)
      const first = await done(put({ link: 'first' }, O.none))
      check.same(await failure(put({ link: 'other tab' }, O.none)), 'PreconditionFailed')
      const second = await done(put({ link: 'second' }, O.some(first)))
      check.same(second > first, true, 'of two copies of one millisecond, the later one differs')
      const tabs = await Promise.all(['a', 'b', 'c'].map((link) => put({ link }, O.some(second))()))
      check.same(tabs.filter(E.isRight).length, 1, 'one of several at a time')
      check.same(
        await failure(workingCopies.remove(ada.email, copy.key, MANAGER_NOW, O.some(second))),
        'PreconditionFailed',
      )
      check.same(
        await failure(workingCopies.remove(ada.email, copy.key, MANAGER_NOW, O.none)),
        'PreconditionFailed',
      )
      const [found] = await done(workingCopies.of(ada.email))
      check.same(found?.key, copy.key)
      await done(workingCopies.remove(ada.email, copy.key, MANAGER_NOW, O.fromNullable(found?.updatedAt)))
      await done(workingCopies.remove(ada.email, copy.key, MANAGER_NOW, O.some(second)))
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

  given(
    'D5, M7: a copy holds its images, and an hour after its removal they may go',
    async (check, store) => {
      const { knownImages, workingCopies } = store
      const copy = sampleCopy(1, ada)
      const [first, other] = [sampleImage(1), sampleImage(2)]
      check.same(await failure(workingCopies.addImage(sampleManager('x').email, copy.key, first, NOW)), GONE)
      check.same(await done(knownImages.among([first.name])), new Set())
      for (const image of [first, other])
        check.same(await done(workingCopies.addImage(ada.email, copy.key, image, NOW)), [])
      check.same(await done(knownImages.sizesOf([first.name])), new Map([[first.name, first.size]]))
      await done(workingCopies.put({ ...copy, fields: naming(first) }))
      check.same(
        await done(knownImages.forgetReleased(LATER, LATER)),
        [],
        'also one that the text does not name',
      )
      await done(workingCopies.remove(eve.email, copy.key, NOW))
      check.same(await done(knownImages.forgetReleased(LATER, LATER)), [], 'nor of another manager')
      await done(workingCopies.remove(ada.email, copy.key, copy.updatedAt))
      check.same(await done(knownImages.forgetReleased(copy.updatedAt, copy.updatedAt)), [])
      await done(workingCopies.put({ ...copy, fields: naming(first, sampleImage(3)) }))
      check.same(
        await done(knownImages.forgetReleased(LATER, LATER)),
        [other.name],
        'M12: a copy that is stored again has its images again',
      )
      check.same(await done(knownImages.among([first.name, sampleImage(3).name])), new Set([first.name]))
    },
  )

  given('D5: an image of a copy goes to the item that shows it', async (check, store) => {
    const { knownImages, libraryItems, workingCopies } = store
    const [copy, image] = [sampleCopy(1, ada), sampleImage(1)]
    await done(workingCopies.addImage(ada.email, copy.key, image, NOW))
    const item = sampleLibraryItem(1)
    await done(libraryItems.add({ item, linksToImages: [] }))
    await done(
      libraryItems.change(item.id, (current) =>
        E.right({ item: current, storesImages: [], displaysImages: [image.name], linksToImages: [] }),
      ),
    )
    await done(workingCopies.remove(ada.email, copy.key, NOW))
    check.same(await done(knownImages.forgetReleased(LATER, LATER)), [])
    const orphaned = await done(
      libraryItems.change(item.id, (current) =>
        E.right({ item: current, storesImages: [], displaysImages: [], linksToImages: [] }),
      ),
    )
    check.same(orphaned.orphans, [image.name])
  })

  given('M7, D5: purging copies releases their images, and those without a copy', async (check, store) => {
    const { knownImages, workingCopies } = store
    const keyOf = (n: number) => sampleCopy(n, ada).key
    for (const n of [1, 2]) await done(workingCopies.put(sampleCopy(n, ada)))
    for (const n of [1, 2, 3, 4])
      await done(workingCopies.addImage(ada.email, keyOf(n), sampleImage(n), addMillis(MANAGER_NOW, n)))
    await done(workingCopies.purge(addMillis(MANAGER_NOW, 4)))
    const gone = await done(knownImages.forgetReleased(addMillis(MANAGER_NOW, 5), addMillis(MANAGER_NOW, 5)))
    check.same(gone.toSorted(), [1, 2, 3].map((n) => sampleImage(n).name).toSorted())
  })

  given(
    'D5: of more images than a manager may have, the oldest go that no copy names',
    async (check, { knownImages, workingCopies }) => {
      const copy = sampleCopy(1, ada)
      const add = (n: number) =>
        done(workingCopies.addImage(ada.email, copy.key, sampleImage(n), addMillis(MANAGER_NOW, n)))
      await add(1)
      await done(workingCopies.put({ ...copy, fields: naming(sampleImage(1)) }))
      for (let n = 2; n <= MOST_COPY_IMAGES; n += 1) await add(n)
      await done(workingCopies.addImage(eve.email, copy.key, sampleImage(1000), NOW))
      check.same(await add(MOST_COPY_IMAGES + 1), [sampleImage(2).name])
      check.same(
        await done(knownImages.among([1, 2].map((n) => sampleImage(n).name))),
        new Set([sampleImage(1).name]),
      )
    },
  )

  given('L1, D5: erasing a manager forgets the images of the copies', async (check, store) => {
    const { knownImages, personalData, workingCopies } = store
    const { key } = sampleCopy(1, ada)
    await done(workingCopies.addImage(ada.email, key, sampleImage(1), NOW))
    await done(workingCopies.addImage(eve.email, key, sampleImage(2), NOW))
    check.same(await done(personalData.erase(ada.email, NOW)), [sampleImage(1).name])
    const names = [1, 2].map((n) => sampleImage(n).name)
    check.same(await done(knownImages.among(names)), new Set([sampleImage(2).name]))
    check.same(await done(personalData.erase(eve.email, NOW)), [sampleImage(2).name])
  })
}
