import { counterpartOf, isOlder, type LibraryItem, nextRevision } from '@almoner/domain/content'
import { linked } from '@almoner/domain/media'
import {
  type ItemDescription,
  type ItemId,
  type ItemTitle,
  instant,
  LANGUAGES,
  type Language,
  type WebUrl,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { actOf, BY_APP, CREATED, EVERYTHING } from '../history/fixture.ts'
import { type ContractRunner, onEach, seeded, type UnderTest } from '../runner.ts'
import { done, failure, SAMPLE_MOMENT, sampleId, sampleLibraryItem } from '../samples.ts'

/** A store for one test, with its own data. */
export type TranslationsUnderTest = UnderTest<'translations' | 'libraryItems' | 'history' | 'statistics'>

type Store = TranslationsUnderTest

/** Two publications in each language. */
const ID = { en: sampleId(1), fr: sampleId(2), en2: sampleId(3), fr2: sampleId(4) }
const LANGS: Readonly<Record<keyof typeof ID, Language>> = { en: 'en', fr: 'fr', en2: 'en', fr2: 'fr' }

const IMAGE = O.some(linked('https://example.org/image.png' as WebUrl))

type Edit = Partial<Pick<LibraryItem, 'status' | 'title' | 'description' | 'images' | 'isDonorRestricted'>>

/** Edits an item under an act, a millisecond after its last change. */
const edit = ({ libraryItems }: Pick<Store, 'libraryItems'>, id: ItemId, changes: Edit) =>
  libraryItems.change<never>(id, (current) => {
    const item = nextRevision({ ...current, ...changes } as LibraryItem, instant(current.updatedAt + 1))
    return E.right({ item, storesImages: [], displaysImages: [], linksToImages: [], act: BY_APP })
  })

const titled = (title: string): Edit => ({ title: title as ItemTitle })
const described = (text: string): Edit => ({ description: text as ItemDescription })

/** Returns which of the two are older, each with the fields that changed on the other. */
const olderIn = async ({ translations }: Store, ids: ReadonlyArray<ItemId> = [ID.en, ID.fr]) => {
  const found = await done(translations.ofItems(ids))
  return ids.flatMap((id) => {
    const counterpart = found.get(id)
    if (counterpart === undefined || !isOlder(counterpart)) return []
    return [[id === ID.en ? 'en' : 'fr', ...counterpart.changes.map(({ field }) => field)].join(' ')]
  })
}

/** Returns the other language. */
const otherOf = (lang: Language): Language => (lang === 'en' ? 'fr' : 'en')

/** A pair of publications in a model of the ruling, word by word (J8). */
export interface ModelPair {
  /** Changes the text of a side. */
  readonly edit: (side: Language, text: string) => void
  /** Confirms that both sides say the same. */
  readonly confirm: () => void
  /** Links the two, which are then in step; a second link changes nothing. */
  readonly link: () => void
  /** Ends the link. */
  readonly unlink: () => void
  /** Returns whether the two are linked. */
  readonly isLinked: () => boolean
  /** Returns whether a side is the older one. */
  readonly isOlder: (side: Language) => boolean
}

/** Makes the model of two publications with these texts, not linked. */
export const modelPair = (texts: Readonly<Record<Language, string>>): ModelPair => {
  let present = texts
  let base: typeof texts | undefined
  const isOlder = (side: Language): boolean =>
    base !== undefined && present[side] === base[side] && present[otherOf(side)] !== base[otherOf(side)]
  return {
    edit: (side, text) => {
      const isInStepNow = isOlder(side) && present[side] !== text
      present = { ...present, [side]: text }
      if (isInStepNow) base = present
    },
    confirm: () => {
      if (base !== undefined) base = present
    },
    link: () => {
      base ??= present
    },
    unlink: () => {
      base = undefined
    },
    isLinked: () => base !== undefined,
    isOlder,
  }
}

/** Deletes all records that no item and no pair needs. */
const purge = async ({ history }: Store): Promise<void> => {
  while ((await done(history.purge(instant(SAMPLE_MOMENT * 2)))) > 0);
}

/** Contract tests of the base of pairs: which side is older, and by which words (J8, K3). */
export const olderContract = (runner: ContractRunner, make: () => Promise<Store>): void => {
  const given = onEach(runner, make, async (store) => {
    for (const [name, id] of Object.entries(ID)) {
      const over = { id, lang: LANGS[name as keyof typeof ID], title: 'Well' as ItemTitle }
      await done(
        store.libraryItems.add({ item: sampleLibraryItem(1, over), linksToImages: [], act: CREATED }),
      )
    }
    await done(edit(store, ID.en, titled('Before the link')))
    await done(store.translations.link(ID.en, ID.fr))
    return store
  })

  given('J8: words that changed make the other side older, and are named', async (check, store) => {
    check.same(await olderIn(store), [], 'a new pair is in step')
    const { item } = await done(edit(store, ID.en, { ...titled('Pump'), ...described('At work') }))
    check.same(await olderIn(store), ['fr itemTitle itemDescription'])
    const found = await done(store.translations.ofItems([ID.fr, ID.en]))
    const changes = [
      { field: 'itemTitle', before: 'Before the link', after: 'Pump' },
      { field: 'itemDescription', before: sampleLibraryItem(1).description, after: 'At work' },
    ]
    check.same(found.get(ID.fr), { ...counterpartOf(item), changes })
    check.same(found.get(ID.en)?.changes, [])
    await done(edit(store, ID.en, titled('Before the link')))
    check.same(await olderIn(store), ['fr itemDescription'], 'the title was taken back')
  })

  given('J8: words taken back, and what is no text, make nothing older', async (check, store) => {
    const images = { cover: IMAGE, notification: IMAGE }
    await done(edit(store, ID.en, { images, status: 'Live', isDonorRestricted: true }))
    check.same(await olderIn(store), [])
    await done(edit(store, ID.en, titled('Pump')))
    await done(edit(store, ID.en, { status: 'Archived' }))
    check.same(await olderIn(store), ['fr itemTitle'])
    await done(edit(store, ID.fr, { isDonorRestricted: true }))
    check.same(await olderIn(store), ['fr itemTitle'], 'the older side has changed, but no word')
    await done(edit(store, ID.en, titled('Before the link')))
    check.same(await olderIn(store), [])
    await done(edit(store, ID.fr, titled('Puits')))
    check.same(await olderIn(store), ['en itemTitle'], 'the pair was in step again')
  })

  given('J8: a change of the older side brings the pair in step', async (check, store) => {
    await done(edit(store, ID.en, titled('Pump')))
    await done(edit(store, ID.en, titled('Deep pump')))
    await done(edit(store, ID.fr, titled('Pompe')))
    check.same(await olderIn(store), [])
    await done(edit(store, ID.en, titled('Before the link')))
    check.same(await olderIn(store), ['fr itemTitle'], 'the base is what both said last')
  })

  given('J8: confirming brings a pair in step, from either side', async (check, store) => {
    const { translations } = store
    for (const [n, id] of [ID.en, ID.fr].entries()) {
      await done(edit(store, ID.en, titled(`Pump ${n}`)))
      check.same(await olderIn(store), ['fr itemTitle'])
      const { id: other } = await done(translations.confirm(id))
      check.same(other, id === ID.en ? ID.fr : ID.en)
      check.same(await olderIn(store), [])
    }
    check.same((await done(translations.confirm(ID.en))).id, ID.fr, 'in step already')
    check.same(await failure(translations.confirm(ID.en2)), 'CounterpartNotFound')
    check.same(await failure(translations.confirm(sampleId(99))), 'ItemNotFound')
  })

  given('J8: linking the same pair again confirms it only if asked to', async (check, store) => {
    const { translations } = store
    await done(edit(store, ID.en, titled('Pump')))
    await done(translations.link(ID.fr, ID.en))
    check.same(await olderIn(store), ['fr itemTitle'])
    check.same(
      (await done(translations.link(ID.fr, ID.en, undefined, actOf('confirm-translation')))).id,
      ID.en,
    )
    check.same(await olderIn(store), [])
  })

  given('J8: a new link is in step, also after an earlier one', async (check, store) => {
    const { translations } = store
    await done(edit(store, ID.en, titled('Pump')))
    check.same(await olderIn(store), ['fr itemTitle'])
    await done(translations.link(ID.en, ID.fr2))
    check.same(await olderIn(store, [ID.en, ID.fr, ID.fr2]), [])
    await done(translations.link(ID.en, ID.fr))
    check.same(await olderIn(store), [])
    await done(edit(store, ID.fr, titled('Pompe')))
    await done(translations.unlink(ID.fr))
    check.same(await olderIn(store), [])
    await done(translations.link(ID.fr, ID.en))
    check.same(await olderIn(store), [])
  })

  given('J8, K1: a confirmation leaves a record about the older side, once', async (check, store) => {
    const { translations, history } = store
    const act = actOf('confirm-translation')
    await done(edit(store, ID.en, titled('Pump')))
    await done(translations.confirm(ID.en, act))
    await done(translations.confirm(ID.en, act))
    await done(translations.link(ID.en, ID.fr, actOf('link-translation'), act))
    const records = []
    for await (const batch of history.records({ ...EVERYTHING, action: O.some('confirm-translation') }))
      records.push(...batch)
    check.same(
      records.map(({ subject, number, changes }) => ({ subject, number, changes })),
      [
        {
          subject: { kind: 'library', id: ID.fr },
          number: O.none,
          changes: [{ field: 'older', before: 'true', after: 'false' }],
        },
      ],
    )
  })

  given('J8, K3: the revision of a base stays while it is one', async (check, store) => {
    const numbers = async (id: ItemId) => {
      const window = { lim: O.none, offset: 0, after: O.none }
      const { batches } = await done(store.history.revisions({ contentType: 'library', itemId: id }, window))
      const found = []
      for await (const batch of batches) found.push(...batch.map(({ number }) => number.value))
      return found
    }
    for (const title of ['Pump', 'Deep pump', 'Deepest pump']) await done(edit(store, ID.en, titled(title)))
    await purge(store)
    check.same(await numbers(ID.en), [5, 2])
    check.same(await olderIn(store), ['fr itemTitle'])
    await done(edit(store, ID.en, titled('Before the link')))
    check.same(await olderIn(store), [])
    await purge(store)
    check.same(await numbers(ID.en), [6], 'the pair is in step')
  })

  given('J8: a publication without a record of its state has no base', async (check, store) => {
    const [en, fr] = [sampleLibraryItem(11, { lang: 'en' }), sampleLibraryItem(12, { lang: 'fr' })]
    for (const item of [en, fr]) await done(store.libraryItems.add({ item, linksToImages: [] }))
    await done(store.translations.link(en.id, fr.id))
    await done(edit(store, en.id, titled('Pump')))
    check.same(await olderIn(store, [en.id, fr.id]), [])
    await done(edit(store, en.id, titled('Deep pump')))
    check.same((await olderIn(store, [en.id, fr.id])).length, 1)
  })

  given('J8: Live publications that are older than Live ones are listed by id', async (check, store) => {
    const { translations, statistics } = store
    await done(translations.link(ID.en2, ID.fr2))
    const live = { status: 'Live', images: { cover: IMAGE, notification: IMAGE } } as const
    for (const id of [ID.en, ID.fr, ID.en2]) await done(edit(store, id, live))
    for (const id of [ID.en, ID.fr2]) await done(edit(store, id, titled('Pump')))
    const seen = async () => [await done(translations.older(5)), (await done(statistics.desk())).older]
    check.same(await seen(), [[ID.fr], 1])
    await done(edit(store, ID.fr2, live))
    check.same(await seen(), [[ID.fr, ID.en2], 2])
    check.same(await done(translations.older(1)), [ID.fr])
    await done(edit(store, ID.fr, { status: 'Draft' }))
    check.same(await seen(), [[ID.en2], 1])
  })

  given('J8: edits, confirmations and links in any order do as the ruling says', async (check, store) => {
    const random = seeded(8)
    const { translations } = store
    const model = modelPair({ en: 'Before the link', fr: 'Well' })
    model.link()
    const acts: ReadonlyArray<(side: Language) => Promise<void>> = [
      ...Array.from({ length: 6 }, () => async (side: Language) => {
        const text = `Title ${random(3)}`
        await done(edit(store, ID[side], titled(text)))
        model.edit(side, text)
      }),
      async (side) => void (await done(edit(store, ID[side], { isDonorRestricted: random(2) === 0 }))),
      async (side) => {
        const answer = await translations.confirm(ID[side])()
        check.same(E.isRight(answer), model.isLinked())
        model.confirm()
      },
      async (side) => {
        await done(translations.link(ID[side], ID[otherOf(side)]))
        model.link()
      },
      async (side) => {
        if (random(3) > 0) return
        await translations.unlink(ID[side])()
        model.unlink()
      },
    ]
    const seen = new Set<string>()
    for (let n = 0; n < 120; n += 1) {
      await acts[random(acts.length)]?.(LANGUAGES[random(2)] as Language)
      const expected = LANGUAGES.filter(model.isOlder)
      const found = await olderIn(store)
      check.same(
        found.map((text) => text.split(' ')[0]),
        expected,
      )
      for (const one of expected) seen.add(one)
    }
    check.same([...seen].sort(), ['en', 'fr'])
  })

  given('J8: edits of both sides at once are one after the other', async (check, store) => {
    for (let n = 0; n < 8; n += 1) {
      const both = [ID.en, ID.fr].map((id) => edit(store, id, titled(`Both ${n}`)))
      await Promise.all(both.map((one) => done(one)))
      check.same(await olderIn(store), [], 'the later one changed the older side')
      await done(edit(store, ID.en, titled(`After ${n}`)))
      check.same(await olderIn(store), ['fr itemTitle'])
      await done(edit(store, ID.fr, titled(`After ${n}`)))
    }
  })
}
