import { collect } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import fc from 'fast-check'
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
  t.strictSame(domain.pairOf(en, fr), domain.pairOf(fr, en))
  t.match(domain.pairOf(en, fr), { right: { en: 'one', fr: 'two' } })
  t.match(domain.pairOf(fr, fr), { left: { errors: [{ field: 'counterpartId' }] } })
})

t.test(
  'J7: of a pair, the side that changed first has the finding; none if both changed at once',
  async (t) => {
    const at = (moment: number) => counterpart({ updatedAt: domain.instant(moment) })
    t.strictSame(domain.translationFindings(at(1), O.some(at(2))), ['counterpart is newer'])
    t.strictSame(domain.translationFindings(at(2), O.some(at(1))), [])
    t.strictSame(domain.translationFindings(at(2), O.some(at(2))), [])
  },
)

t.test(
  'only a translation is outdated: by a later change of the original, which was created first',
  async (t) => {
    const at = (id: string, moment: number) =>
      counterpart({ id: id as domain.ItemId, updatedAt: domain.instant(moment) })
    t.equal(domain.isOutdated(at('b', 1), at('a', 2)), true)
    t.equal(domain.isOutdated(at('b', 2), at('a', 1)), false)
    t.equal(domain.isOutdated(at('a', 1), at('b', 2)), false, 'the original')
  },
)

t.test('a pair has each finding at one of its sides only', async (t) => {
  const sides = fc.record({
    status: fc.constantFrom(...domain.STATUSES),
    updatedAt: fc.nat(2).map(domain.instant),
  })
  fc.assert(
    fc.property(sides, sides, (one, other) => {
      const [en, fr] = [counterpart(one), counterpart({ ...other, id: 'two' as domain.ItemId, lang: 'fr' })]
      const found = [
        ...domain.translationFindings(en, O.some(fr)),
        ...domain.translationFindings(fr, O.some(en)),
      ]
      const expected = [
        ...((one.status === 'Live') !== (other.status === 'Live') ? ['counterpart is not Live'] : []),
        ...(one.updatedAt === other.updatedAt ? [] : ['counterpart is newer']),
      ]
      t.strictSame([...found].sort().reverse(), [...expected].sort().reverse())
    }),
    { verbose: true },
  )
  t.strictSame(domain.translationFindings(counterpart({}), O.none), ['no counterpart'])
})

t.test('J7: check lists missing, unpublished and outdated translations', async (t) => {
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
  await done(fixture.act.updateLibraryItem(manager, libraryUpdate(fr.id, { status: 'Archived' }), O.none))
  t.strictSame((await findings(fixture)).get(live.id), ['counterpart is not Live', 'counterpart is newer'])
})

t.test('J7: links are for content managers', async (t) => {
  const fixture = newFixture()
  const [en, fr] = [await draft(fixture, 'en'), await draft(fixture, 'fr')]
  const pair = { itemId: en.id, counterpartId: fr.id }
  t.equal(await failure(fixture.act.linkTranslation(donor, pair)), 'InsufficientScope')
  t.equal(await failure(fixture.act.unlinkTranslation(donor, pair)), 'InsufficientScope')
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
