import {
  counterpartOf,
  type Label,
  type LibraryItem,
  type UnpublishedLibraryItem,
} from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import { type ItemId, instant, type LabelId, type LabelName, type Language } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, failure, sampleFeedItem, sampleId, sampleLibraryItem } from '../samples.ts'
import { olderContract, type TranslationsUnderTest } from './older.ts'

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

const item = (n: number, lang: Language, over: Partial<UnpublishedLibraryItem> = {}) =>
  sampleLibraryItem(n, { lang, ...over })

/** English items have odd numbers, French ones even numbers. */
const ITEMS: ReadonlyArray<UnpublishedLibraryItem> = [1, 2, 3, 4].map((n) =>
  item(n, n % 2 === 0 ? 'fr' : 'en', {
    isDonorRestricted: n === 2,
    updatedAt: instant(1_800_000_000_000 + n),
  }),
)
const ID: Readonly<Record<'en' | 'fr' | 'en2' | 'fr2' | 'unknown', ItemId>> = {
  en: sampleId(1),
  fr: sampleId(2),
  en2: sampleId(3),
  fr2: sampleId(4),
  unknown: sampleId(99),
}

const edit = (over: Partial<UnpublishedLibraryItem>) => (current: LibraryItem) =>
  E.right({
    item: { ...current, ...over } as LibraryItem,
    storesImages: [],
    displaysImages: [],
    linksToImages: [],
  })

/** Returns the links of all items, each from both sides, as `1-2`. */
const linksIn = async ({ translations }: TranslationsUnderTest): Promise<ReadonlyArray<string>> => {
  const found = await done(translations.ofItems(ITEMS.map(({ id }) => id)))
  const number = (id: ItemId) => Number.parseInt(id.slice(-12), 16)
  return [...found].map(([id, counterpart]) => `${number(id)}-${number(counterpart.id)}`).sort()
}

/** Contract tests of `Translations`, together with the stores of publications and of their history. */
export const translationsContract = (
  runner: ContractRunner,
  make: () => Promise<TranslationsUnderTest>,
): void => {
  const given = onEach(runner, make, async (store) => {
    for (const one of ITEMS) await done(store.libraryItems.add({ item: one, linksToImages: [] }))
    return store
  })

  olderContract(runner, make)

  given('J7: a link is found from both sides, with the counterpart as it is now', async (check, store) => {
    const { translations, libraryItems } = store
    check.same(await linksIn(store), [])
    const [, french = item(2, 'fr')] = ITEMS
    check.same(await done(translations.link(ID.en, ID.fr)), counterpartOf(french))
    check.same(await linksIn(store), ['1-2', '2-1'])
    const later = { updatedAt: instant(1_900_000_000_000), status: 'Archived', revision: 2 } as const
    await done(libraryItems.change<never>(ID.fr, edit(later)))
    const found = await done(translations.ofItems([ID.en, ID.fr2, ID.en]))
    check.same(found, new Map([[ID.en, { ...counterpartOf({ ...french, ...later }), changes: [] }]]))
    check.same(await done(translations.ofItems([])), new Map())
    check.same(await done(translations.ofItems([ID.unknown])), new Map())
  })

  given('J7: linking changes neither item', async (check, { translations, libraryItems }) => {
    await done(translations.link(ID.fr, ID.en))
    await done(translations.unlink(ID.en))
    for (const one of ITEMS) check.same(await done(libraryItems.find(one.id)), O.some(one))
  })

  given('J7: linking twice, from either side, is the same as once', async (check, store) => {
    await done(store.translations.link(ID.en, ID.fr))
    await done(store.translations.link(ID.en, ID.fr))
    check.same((await done(store.translations.link(ID.fr, ID.en))).id, ID.en)
    check.same(await linksIn(store), ['1-2', '2-1'])
  })

  given('J7: linking replaces earlier links of both', async (check, store) => {
    await done(store.translations.link(ID.en, ID.fr))
    await done(store.translations.link(ID.en2, ID.fr2))
    await done(store.translations.link(ID.fr2, ID.en))
    check.same(await linksIn(store), ['1-4', '4-1'])
  })

  given('J7: only items in the two languages are linked', async (check, store) => {
    const { translations } = store
    await done(translations.link(ID.en, ID.fr))
    for (const [one, other] of [
      [ID.en, ID.en2],
      [ID.fr2, ID.fr],
      [ID.en, ID.en],
    ] as const)
      check.same(await failure(translations.link(one, other)), 'ValidationFailed')
    check.same(await linksIn(store), ['1-2', '2-1'], 'nothing has changed')
  })

  given('J7: unknown items, unknown counterparts and missing links', async (check, store) => {
    const { translations } = store
    check.same(await failure(translations.link(ID.unknown, ID.fr)), 'ItemNotFound')
    check.same(await failure(translations.link(ID.unknown, ID.unknown)), 'ItemNotFound')
    check.same(await failure(translations.link(ID.en, ID.unknown)), 'CounterpartNotFound')
    check.same(await failure(translations.unlink(ID.unknown)), 'ItemNotFound')
    check.same(await failure(translations.unlink(ID.en)), 'CounterpartNotFound')
    for (const side of [ID.en, ID.fr]) {
      await done(translations.link(ID.en, ID.fr))
      await done(translations.unlink(side))
      check.same(await linksIn(store), [])
    }
  })

  given('J7: the language of a linked item does not change', async (check, store) => {
    const { translations, libraryItems } = store
    await done(translations.link(ID.en, ID.fr))
    const { en, fr } = ID
    check.same(await failure(libraryItems.change<never>(en, edit({ lang: 'fr' }))), 'HasCounterpart')
    check.same(await failure(libraryItems.change<never>(fr, edit({ lang: 'en' }))), 'HasCounterpart')
    check.same(await done(libraryItems.find(en)), O.fromNullable(ITEMS[0]), 'nothing has changed')
    await done(libraryItems.change<never>(en, edit({ revision: 2 })))
    await done(libraryItems.change<never>(ID.en2, edit({ lang: 'fr' })))
    await done(translations.unlink(fr))
    await done(libraryItems.change<never>(en, edit({ lang: 'fr' })))
    check.same(await failure(translations.link(en, fr)), 'ValidationFailed', 'both are French now')
  })

  given('J7: concurrent links and changes of language leave pairs only', async (check, store) => {
    const { translations, libraryItems } = store
    const tasks = Array.from({ length: 12 }, (_, n) => [
      translations.link(ID.en, n % 2 === 0 ? ID.fr : ID.fr2)(),
      translations.link(ID.fr, n % 2 === 0 ? ID.en2 : ID.en)(),
      libraryItems.change<never>(ID.fr, edit({ lang: n % 3 === 0 ? 'en' : 'fr' }))(),
      translations.unlink(n % 2 === 0 ? ID.en2 : ID.fr2)(),
    ]).flat()
    await Promise.all<unknown>(tasks)
    const items = await done(libraryItems.findAll(ITEMS.map(({ id }) => id)))
    const langs = new Map(items.map(({ id, lang }) => [id, lang]))
    const links = await done(translations.ofItems([...langs.keys()]))
    for (const [id, counterpart] of links) {
      check.same(links.get(counterpart.id)?.id, id, 'symmetric')
      check.ok(langs.get(id) !== langs.get(counterpart.id), 'in two languages')
    }
  })
}
