import { type DeletionId, type DraftRemoval, nextRevision } from '@almoner/domain/content'
import { type ClientId, instant, type Reason } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { BY_APP, CREATED, records } from '../history/fixture.ts'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, sampleEmail, sampleFeedItem, sampleId, sampleLibraryItem, sampleMoment } from '../samples.ts'

/** A store for one test, with its own data. */
export type RemovalsUnderTest = UnderTest<
  | ('libraryItems' | 'feedItems' | 'feedAuthors' | 'labels' | 'translations' | 'history' | 'changes')
  | ('knownImages' | 'personalData')
>

/** The names of deletions. */
export const DELETION = 'first-deletion' as DeletionId
export const OTHER = 'second-deletion' as DeletionId
/** The images of a write without any. */
export const NO_IMAGES = { storesImages: [], displaysImages: [], linksToImages: [] }

/** Makes an act this number of seconds after the moment of the samples. */
const written =
  (action: 'delete-item' | 'restore') =>
  (seconds: number, deletionId = DELETION): DraftRemoval => ({
    deletionId,
    act: { actor: BY_APP.actor, action, at: sampleMoment(seconds) },
  })
/** A deletion, and taking it back. */
export const [removal, back] = [written('delete-item'), written('restore')]

/** Contract tests of links and authors of deleted drafts (C18). */
export const removedLinksContract = (
  runner: ContractRunner,
  make: () => Promise<RemovalsUnderTest>,
): void => {
  const given = onEach(runner, make)
  const removeSample = ({ libraryItems }: RemovalsUnderTest, n: number, made = removal(0)) =>
    done(libraryItems.remove<never>(sampleId(n), () => E.right(made)))

  /** Adds publications in these languages, from the first sample on. */
  const addLanguages = async ({ libraryItems }: RemovalsUnderTest, ...langs: ReadonlyArray<'en' | 'fr'>) => {
    for (const [at, lang] of langs.entries())
      await done(
        libraryItems.add({ item: sampleLibraryItem(at + 1, { lang }), linksToImages: [], act: CREATED }),
      )
  }
  const translate = ({ libraryItems }: RemovalsUnderTest, n: number, lang: 'en' | 'fr') =>
    done(libraryItems.change(sampleId(n), (current) => E.right({ item: { ...current, lang }, ...NO_IMAGES })))

  given('C18, J8: a deletion that is taken back brings the link and its base back', async (check, store) => {
    const { libraryItems, translations } = store
    await addLanguages(store, 'en', 'fr')
    await done(translations.link(sampleId(1), sampleId(2)))
    await done(
      libraryItems.change(sampleId(2), (current) => {
        const item = nextRevision({ ...current, title: 'Un autre' as never }, instant(current.updatedAt + 1))
        return E.right({ item, ...NO_IMAGES, act: BY_APP })
      }),
    )
    const linkedBefore = await done(translations.ofItems([sampleId(1), sampleId(2)]))
    check.same(
      linkedBefore.get(sampleId(1))?.changes.map(({ field }) => field),
      ['itemTitle'],
    )
    for (const n of [1, 2]) {
      await removeSample(store, n)
      check.same((await done(translations.ofItems([sampleId(1), sampleId(2)]))).size, 0)
      await done(libraryItems.putBack(sampleId(n), back(1), sampleMoment(0)))
      check.same(await done(translations.ofItems([sampleId(1), sampleId(2)])), linkedBefore)
    }
  })

  given(
    'C18: a counterpart that was linked elsewhere, translated or deleted keeps its state',
    async (check, store) => {
      const { libraryItems, translations } = store
      await addLanguages(store, 'en', 'fr', 'en')
      const counterpartOf = async (n: number) =>
        (await done(translations.ofItems([sampleId(n)]))).get(sampleId(n))?.id
      await done(translations.link(sampleId(1), sampleId(2)))
      await removeSample(store, 1)
      await done(translations.link(sampleId(3), sampleId(2)))
      await done(libraryItems.putBack(sampleId(1), back(1), sampleMoment(0)))
      check.same([await counterpartOf(1), await counterpartOf(2)], [undefined, sampleId(3)])
      await removeSample(store, 3)
      await translate(store, 2, 'en')
      await done(libraryItems.putBack(sampleId(3), back(1), sampleMoment(0)))
      check.same([await counterpartOf(3), await counterpartOf(2)], [undefined, undefined])
      await translate(store, 2, 'fr')
      await done(translations.link(sampleId(3), sampleId(2)))
      await removeSample(store, 3)
      await removeSample(store, 2, removal(0, OTHER))
      await done(libraryItems.putBack(sampleId(3), back(1), sampleMoment(0)))
      check.same(await counterpartOf(3), undefined)
    },
  )

  given('C18, L1: an erasure takes author and reason out of a deleted post', async (check, store) => {
    const { feedItems, feedAuthors, personalData } = store
    const author = { clientId: 'app' as ClientId, email: O.some(sampleEmail(1)) }
    const item = sampleFeedItem(1, { reason: O.some('Too dark' as Reason) })
    await done(feedItems.add({ item, linksToImages: [], author }))
    await done(feedItems.remove<never>(sampleId(1), () => E.right(removal(0))))
    await done(personalData.erase(sampleEmail(1), sampleMoment(1)))
    const { reason } = await done(feedItems.putBack(sampleId(1), back(2), sampleMoment(0)))
    check.same(reason, O.none)
    check.same((await done(feedAuthors.ofPosts([sampleId(1)]))).size, 0)
  })
  given('L1, L3, C18: a forgotten deletion takes the reason out of records', async (check, store) => {
    const { feedItems } = store
    const holdReason = async () => {
      const all = await records(store)
      return all.filter((one) => JSON.stringify(one).includes('Too dark')).map(({ subject }) => subject.id)
    }
    for (const [n, deletionId] of [DELETION, OTHER].entries()) {
      const author = { clientId: 'app' as ClientId, email: O.some(sampleEmail(n)) }
      const item = sampleFeedItem(n, { reason: O.some('Too dark' as Reason) })
      await done(feedItems.add({ item, linksToImages: [], author, act: CREATED }))
      await done(feedItems.remove<never>(item.id, () => E.right(removal(90 * n, deletionId))))
    }
    check.same(new Set(await holdReason()), new Set([sampleId(0), sampleId(1)]))
    await done(feedItems.purgeRemoved(sampleMoment(89), sampleMoment(90)))
    check.same(new Set(await holdReason()), new Set([sampleId(1)]), 'a later erasure cannot find the author')
  })
}
