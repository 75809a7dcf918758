import { isDeepStrictEqual } from 'node:util'
import { collect } from '@almoner/domain/values'
import { done, failure, modelPair } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  AMINA,
  amina,
  donor,
  type Fixture,
  feedDraft,
  libraryDraft,
  libraryLive,
  libraryUpdate,
  manager,
  newFixture,
  POST,
  user,
} from './fixtures/fixture.ts'

// J7: publications in two languages. J4: what include adds.

const draft = (fixture: Fixture, lang: domain.Language) => libraryDraft(fixture, { lang })

const link = (fixture: Fixture, item: domain.LibraryItem, counterpart: domain.LibraryItem) =>
  done(fixture.act.linkTranslation(manager, { itemId: item.id, counterpartId: counterpart.id }))

const findings = async (fixture: Fixture) => {
  const checked = await collect(await done(fixture.act.checkTranslations()))
  return new Map(checked.map(({ item, findings }) => [item.id, findings]))
}

const counterpart = (over: Partial<domain.Counterpart>): domain.Counterpart => ({
  id: 'one' as domain.ItemId,
  lang: 'en',
  status: 'Draft',
  updatedAt: domain.instant(1),
  isDonorRestricted: false,
  publicationDate: '2026-01-01' as domain.LocalDate,
  ...over,
})

t.test('J7: a pair is the same from both sides, and needs two languages', async (t) => {
  const [en, fr] = [counterpart({}), counterpart({ id: 'two' as domain.ItemId, lang: 'fr' })]
  t.match(domain.pairOf(en, fr), { right: { pair: { en: 'one', fr: 'two' }, counterpart: fr } })
  t.match(domain.pairOf(fr, en), { right: { pair: { en: 'one', fr: 'two' }, counterpart: en } })
  t.match(domain.pairOf(undefined, undefined), { left: { _tag: 'ItemNotFound' } })
  t.match(domain.pairOf(fr, undefined), { left: { _tag: 'CounterpartNotFound' } })
  t.match(domain.pairOf(fr, fr), { left: { errors: [{ field: 'counterpartId' }] } })
})

const texts = fc.record({
  itemTitle: fc.constantFrom('A', 'B', 'C'),
  itemDescription: fc.constantFrom('D', 'E'),
})

t.test('J8: a publication is older by the words that changed on its counterpart', async (t) => {
  fc.assert(
    fc.property(texts, texts, (base, present) => {
      const changes = domain.changedWords({ ...base, link: 'a' }, { ...present, link: 'b', status: 'Live' })
      const differ = (['itemTitle', 'itemDescription'] as const).filter(
        (name) => base[name] !== present[name],
      )
      t.strictSame(
        changes,
        differ.map((field) => ({ field, before: base[field], after: present[field] })),
      )
      t.equal(domain.isOlder({ changes }), differ.length > 0)
    }),
    { verbose: true },
  )
  t.strictSame(domain.changedWords({ itemTitle: 'A' }, { itemTitle: 'A', itemDescription: '' }), [])
})

t.test('J8: the words are the fields of publications that hold text', async (t) => {
  const names = domain.TRANSLATED_FIELDS.map(([name]) => name)
  t.strictSame(names.slice(0, 2), ['itemTitle', 'itemDescription'])
  const kinds = Object.entries<domain.Field>(domain.LIBRARY_FIELDS)
  t.strictSame(
    names,
    kinds.flatMap(([name, { kind }]) => (kind === 'text' ? [name] : [])),
  )
})

t.test('J8: what a write means for the base of a pair', async (t) => {
  const pair = (side: domain.Base['side'], itemTitle: string) => O.some({ side, state: { itemTitle } })
  const after = (base: O.Option<domain.Base>, from: string, to: string) =>
    domain.baseAfter(base, { itemTitle: from }, { itemTitle: to })
  t.equal(after(O.none, 'A', 'A'), 'stays')
  t.equal(after(O.none, 'A', 'B'), 'begins')
  t.equal(after(pair('item', 'A'), 'B', 'C'), 'stays')
  t.equal(after(pair('item', 'A'), 'B', 'A'), 'in step')
  t.equal(after(pair('counterpart', 'A'), 'B', 'B'), 'stays')
  t.equal(after(pair('counterpart', 'A'), 'B', 'C'), 'in step')
})

t.test('a pair has each finding at one of its sides only', async (t) => {
  const statuses = fc.constantFrom(...domain.STATUSES)
  const changes = [{ field: 'itemTitle', before: 'A', after: 'B' }]
  fc.assert(
    fc.property(statuses, statuses, fc.constantFrom('en', 'fr', undefined), (one, other, older) => {
      const side = (lang: domain.Language, status: domain.Status) =>
        counterpart({ lang, status, id: lang as string as domain.ItemId })
      const [en, fr] = [side('en', one), side('fr', other)]
      const found = [
        ...domain.translationFindings(en, O.some({ ...fr, changes: older === 'en' ? changes : [] })),
        ...domain.translationFindings(fr, O.some({ ...en, changes: older === 'fr' ? changes : [] })),
      ]
      const expected = [
        ...((one === 'Live') !== (other === 'Live') ? ['counterpart is not Live'] : []),
        ...(older === undefined ? [] : ['counterpart is newer']),
      ]
      t.strictSame([...found].sort().reverse(), [...expected].sort().reverse())
    }),
    { verbose: true },
  )
  t.strictSame(domain.translationFindings(counterpart({}), O.none), ['no counterpart'])
})

const pairActs = fc.array(
  fc.tuple(
    fc.constantFrom('edit', 'edit', 'edit', 'publish', 'confirm', 'link', 'unlink'),
    fc.constantFrom('en', 'fr'),
    fc.constantFrom('A', 'B', 'C'),
  ),
  { maxLength: 25 },
)

/** Returns the acts on a new pair of Drafts, each in the service and in a model, and what both say of a side. */
const startPair = async () => {
  const fixture = newFixture()
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  const ids = { en: en.id, fr: fr.id }
  const model = modelPair({ en: en.title, fr: fr.title })
  const put = (parameters: domain.RawParameters) =>
    fixture.act.linkTranslation(manager, read(domain.LinkTranslation, parameters))
  const acts = {
    edit: async (side: 'en' | 'fr', itemTitle: string) => {
      await done(fixture.act.updateLibraryItem(manager, libraryUpdate(ids[side], { itemTitle }), O.none))
      model.edit(side, itemTitle)
    },
    publish: async (side: 'en' | 'fr', text: string) => {
      const [item] = await done(fixture.ports.libraryItems.findAll([ids[side]]))
      const update = libraryUpdate(ids[side], { itemTitle: item?.title, link: `https://example.org/${text}` })
      await done(fixture.act.updateLibraryItem(manager, update, O.none))
    },
    confirm: async (side: 'en' | 'fr') => {
      const answer = await put({ itemId: ids[side], upToDate: 'true' })()
      if (E.isRight(answer) !== model.isLinked()) throw new Error('only a link is confirmed')
      model.confirm()
    },
    link: async (side: 'en' | 'fr') => {
      await done(put({ itemId: ids[side], counterpartId: ids[side === 'en' ? 'fr' : 'en'] }))
      model.link()
    },
    unlink: async (side: 'en' | 'fr') => {
      await fixture.act.unlinkTranslation(manager, { itemId: ids[side] })()
      model.unlink()
    },
  }
  const seen = async (): Promise<unknown> => {
    const query = read(domain.ListLibraryItems, { include: 'older' })
    const items = await collect(await done(fixture.act.listLibraryItems(manager, query)))
    return Object.fromEntries(
      items.map(({ lang, included }) => [lang, O.toNullable(included?.older ?? O.none)]),
    )
  }
  const expected = (): unknown => {
    const of = (side: 'en' | 'fr') => (model.isLinked() ? model.isOlder(side) : null)
    return { fr: of('fr'), en: of('en') }
  }
  return { acts, seen, expected }
}

t.test('J8: edits, confirmations and links in any order do as the ruling says', async (t) => {
  await fc.assert(
    fc.asyncProperty(pairActs, async (chosen) => {
      const { acts, seen, expected } = await startPair()
      for (const [kind, side, text] of chosen) {
        await acts[kind](side, text)
        if (!isDeepStrictEqual(await seen(), expected())) throw new Error(`wrong after ${kind}`)
      }
    }),
    { verbose: true },
  )
  t.pass()
})

t.test('J7, J8: check lists missing, unpublished and older translations', async (t) => {
  const fixture = newFixture()
  t.strictSame(await findings(fixture), new Map())
  const [live, fr, alone] = [
    await libraryLive(fixture),
    await draft(fixture, 'fr'),
    await draft(fixture, 'en'),
  ] as const
  await link(fixture, live, fr)
  fixture.clock.advance(1000)
  t.strictSame(
    await findings(fixture),
    new Map([
      [alone.id, ['no counterpart']],
      [live.id, ['counterpart is not Live']],
    ]),
  )
  const change = (over: domain.RawParameters) =>
    done(fixture.act.updateLibraryItem(manager, libraryUpdate(fr.id, over), O.none))
  await change({ status: 'Archived' })
  t.strictSame((await findings(fixture)).get(live.id), ['counterpart is not Live'])
  await change({ itemTitle: 'Puits' })
  t.strictSame((await findings(fixture)).get(live.id), ['counterpart is not Live', 'counterpart is newer'])
})

t.test('J7: links are for content managers', async (t) => {
  const fixture = newFixture()
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  const pair = { itemId: en.id, counterpartId: fr.id }
  t.equal(await failure(fixture.act.linkTranslation(donor, pair)), 'InsufficientScope')
  t.equal(await failure(fixture.act.unlinkTranslation(donor, pair)), 'InsufficientScope')
  const asked = read(domain.ListOlder, { itemIds: en.id })
  t.equal(await failure(fixture.act.listOlder(donor, asked)), 'InsufficientScope')
  await link(fixture, en, fr)
  t.equal(await done(fixture.act.unlinkTranslation(manager, { itemId: fr.id })), undefined)
})

t.test('J7: the language of a linked item cannot change by an update', async (t) => {
  const fixture = newFixture()
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  await link(fixture, en, fr)
  const update = (lang: string) =>
    fixture.act.updateLibraryItem(manager, libraryUpdate(en.id, { lang }), O.none)
  t.equal(await failure(update('fr')), 'HasCounterpart')
  t.equal((await done(update('en'))).lang, 'en')
})

t.test('J4, A3, C9: a counterpart is shown to callers who may see it', async (t) => {
  const fixture = newFixture({ embargo: true })
  const en = await libraryLive(fixture, { itemPublicationDate: '2025-01-01' })
  const fr = await libraryLive(fixture, { lang: 'fr', itemPublicationDate: '2026-01-02' })
  await link(fixture, fr, en)
  const seen = async (caller: domain.Caller, lang = 'en') => {
    const query = read(domain.ListLibraryItems, { include: 'translation', lang })
    const [item] = await collect(await done(fixture.act.listLibraryItems(caller, query)))
    return O.toUndefined(item?.included?.translation ?? O.none)?.id
  }
  t.equal(await seen(user), undefined)
  t.equal(await seen(manager), fr.id)
  t.equal(await seen(manager, 'fr'), en.id)
  fixture.clock.set(domain.instant(Date.UTC(2026, 0, 2)))
  t.equal(await seen(user), fr.id)
})

t.test('J4: authors are included for content managers only', async (t) => {
  const fixture = newFixture()
  await feedDraft(fixture)
  await done(fixture.act.createFeedItem(amina, read(domain.CreateFeedItem, POST)))
  const list = (caller: domain.Caller) =>
    fixture.act.listFeedItems(caller, read(domain.ListFeedItems, { include: 'author' }))
  t.equal(await failure(list(user)), 'InsufficientScope')
  t.equal(await failure(list(donor)), 'InsufficientScope')
  const authors = (await collect(await done(list(manager)))).map(({ included }) => included?.author)
  t.strictSame(authors, [
    O.some({ clientId: 'app', email: O.some(AMINA) }),
    O.some({ clientId: 'app', email: O.none }),
  ])
})
