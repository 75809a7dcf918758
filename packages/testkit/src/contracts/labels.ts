import type { Label } from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import type { ItemId, LabelId, LabelName } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { type Check, type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure, sampleFeedItem, sampleId, sampleLibraryItem } from './samples.ts'

/** A store for one test, with its own data. */
export type LabelsUnderTest = UnderTest<'labels' | 'libraryItems' | 'feedItems'>

const label = (labelId: string): Label => ({
  labelId: labelId as LabelId,
  en: `${labelId} in English` as LabelName,
  fr: `${labelId} en français` as LabelName,
})

const [water, health, arts] = [label('water'), label('health'), label('arts')]

/** Contract tests of `Labels`. */
export const labelsContract = (runner: ContractRunner, make: () => Promise<LabelsUnderTest>): void => {
  const given = (
    name: string,
    body: (check: Check, store: LabelsUnderTest, contentType: ContentType, item: ItemId) => Promise<void>,
  ) => {
    for (const contentType of CONTENT_TYPES)
      onEach(runner, make)(`${contentType}: ${name}`, async (check, store) => {
        await done(store.libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] }))
        await done(store.feedItems.add({ item: sampleFeedItem(2), linksToImages: [] }))
        await done(store.labels.replaceAll([water, health, arts]))
        await body(check, store, contentType, contentType === 'library' ? sampleId(1) : sampleId(2))
      })
  }

  given('E1: labels are returned in the order of the file', async (check, { labels }) => {
    check.same(await done(labels.all()), [water, health, arts])
    await done(labels.replaceAll([arts, water]))
    check.same(await done(labels.all()), [arts, water])
  })

  given('E1: loading renames an attached label', async (check, { labels }, contentType, item) => {
    await done(labels.attach(contentType, item, water.labelId))
    const renamed = { ...water, en: 'Clean water' as LabelName }
    await done(labels.replaceAll([renamed]))
    check.same(await done(labels.ofItem(contentType, item)), [renamed])
  })

  given(
    'E1: a load that omits an attached label fails and names it',
    async (check, { labels }, contentType, item) => {
      await done(labels.attach(contentType, item, health.labelId))
      await done(labels.attach(contentType, item, water.labelId))
      check.same(
        await labels.replaceAll([arts, label('new')])(),
        E.left({ _tag: 'LabelsInUse', labelIds: [water.labelId, health.labelId] }),
      )
      check.same(await done(labels.all()), [water, health, arts])
    },
  )

  given('E2: attaching twice is the same as once', async (check, { labels }, contentType, item) => {
    check.same(await done(labels.attach(contentType, item, arts.labelId)), arts)
    check.same(await done(labels.attach(contentType, item, arts.labelId)), arts)
    await done(labels.attach(contentType, item, water.labelId))
    check.same(await done(labels.ofItem(contentType, item)), [water, arts])
  })

  given('E2: an unknown item or label is not found', async (check, { labels }, contentType, item) => {
    check.same(await failure(labels.attach(contentType, item, 'nope' as LabelId)), 'LabelNotFound')
    check.same(await failure(labels.attach(contentType, sampleId(9), arts.labelId)), 'ItemNotFound')
    check.same(await failure(labels.detach(contentType, sampleId(9), arts.labelId)), 'ItemNotFound')
    check.same(await done(labels.ofItem(contentType, sampleId(9))), [])
  })

  given('E2: detaching an unattached label is not found', async (check, { labels }, contentType, item) => {
    check.same(await failure(labels.detach(contentType, item, arts.labelId)), 'LabelNotFound')
    await done(labels.attach(contentType, item, arts.labelId))
    await done(labels.detach(contentType, item, arts.labelId))
    check.same(await done(labels.ofItem(contentType, item)), [])
    check.same(await failure(labels.detach(contentType, item, arts.labelId)), 'LabelNotFound')
  })

  given('E2: detaching leaves other labels and other items', async (check, { labels }, contentType, item) => {
    const other = contentType === 'library' ? 'feed' : 'library'
    const otherItem = contentType === 'library' ? sampleId(2) : sampleId(1)
    for (const { labelId } of [water, arts]) await done(labels.attach(contentType, item, labelId))
    await done(labels.attach(other, otherItem, arts.labelId))
    await done(labels.detach(contentType, item, arts.labelId))
    check.same(await done(labels.ofItem(contentType, item)), [water])
    check.same(await done(labels.ofItem(other, otherItem)), [arts])
  })

  given('labels of the two content types are independent', async (check, { labels }, contentType, item) => {
    const other = contentType === 'library' ? 'feed' : 'library'
    await done(labels.attach(contentType, item, arts.labelId))
    check.same(await done(labels.ofItem(other, item)), [])
  })
}
