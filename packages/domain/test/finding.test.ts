import { sampleLibraryItem } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { codePoint } from './code-point.ts'
import * as domain from './fixtures/domain.ts'

const words = (q: string) => domain.SearchWords.decode(q)

t.test('J2: words are folded as in H2, then split at all but letters and digits', async (t) => {
  t.strictSame(domain.searchWords('L’École, d\u2019\u00e9t\u00e9 — ŒUVRE_n°7'), [
    ...['l', 'ecole', 'd', 'ete', 'oeuvre', 'n', '7'],
  ])
  for (const apostrophe of ["'", '\u2018', '\u2019', '\u02bc', '\u0060', '\u00b4', '\u2032', '\uff07'])
    t.strictSame(domain.searchWords(`l${apostrophe}eau`), ['l', 'eau'], apostrophe)
  t.strictSame(domain.searchWords('Straße STRASSE ØL øl İI ıi ﬁ'), ['strasse', 'ol', 'ii', 'fi'])
  t.strictSame(domain.searchWords('日本語 १२३ 😀 👩‍👩‍👧 m² x'), ['日本語', '१२३', 'm2', 'x'])
  t.strictSame(domain.searchWords('😀 — !'), [])
})

t.test('J2: q has at most 200 characters and 10 words, repeats included', async (t) => {
  t.strictSame(words('Eau eau ÉTÉ'), E.right(['eau', 'ete']))
  t.strictSame(words('e\u0301'.repeat(200)), E.right(['e'.repeat(200)]), 'counted after NFC')
  t.strictSame(words('.'), E.right([]), 'no letter and no digit: no words')
  t.ok(E.isRight(words(Array(10).fill('a').join(' '))))
  for (const bad of ['a'.repeat(201), Array(11).fill('a').join(' '), 'a\u0000', 'a\ud800'])
    t.ok(E.isLeft(words(bad)), JSON.stringify(bad.slice(0, 5)))
})

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...'abÉœ’İßΣς 1-'), codePoint),
  maxLength: 30,
})

t.test('H2, J2: a text folds as its characters do, one by one', async () => {
  fc.assert(
    fc.property(text, (given) => {
      const whole = given.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
      // The letters that do not come apart are listed, and stand for themselves here.
      const known = domain.folded(whole)
      return domain.folded(given) === known && [...given].map(domain.folded).join('') === known
    }),
  )
})

t.test('J2: an item matches when every word begins a word of its title or description', async () => {
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (title, description, asked) => {
      const item = { title: title as never, description: description as never }
      const wanted = asked.flatMap(domain.searchWords)
      const has = [...domain.searchWords(title), ...domain.searchWords(description)]
      const expected = wanted.every((word) => has.some((one) => one.startsWith(word)))
      const filters = {
        words: wanted,
        labelId: O.none,
        status: O.none,
        isDonorRestricted: O.none,
        isScheduled: O.none,
        from: O.none,
        until: O.none,
      }
      const library = { ...sampleLibraryItem(1), ...item }
      return (
        domain.matchesFilters<domain.LocalDate>(filters)(library, library.publicationDate, new Set()) ===
        expected
      )
    }),
  )
})

t.test('J3: a day of the feed lasts from one midnight of its time zone to the next', async (t) => {
  const zone = (name: string) => name as domain.TimeZone
  const day = (text: string) => text as domain.LocalDate
  const at = (text: string) => domain.instant(Date.parse(text))
  t.equal(domain.startOfDay(day('2025-03-30'), zone('Europe/Paris')), at('2025-03-29T23:00:00Z'))
  t.strictSame(
    domain.endOfDay(day('2025-03-30'), zone('Europe/Paris')),
    O.some(at('2025-03-30T21:59:59.999Z')),
  )
  t.equal(domain.startOfDay(day('2025-01-01'), domain.UTC), at('2025-01-01T00:00:00Z'))
  t.equal(
    domain.startOfDay(day('2011-12-30'), zone('Pacific/Apia')),
    at('2011-12-30T10:00:00Z'),
    'a day that the zone left out',
  )
  t.strictSame(domain.endOfDay(day('9999-12-31'), domain.UTC), O.none)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4_102_444_800_000 }),
      fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'),
      (milliseconds, name) => {
        const moment = domain.instant(milliseconds)
        const today = domain.dayOf(moment, zone(name))
        const end = O.toUndefined(domain.endOfDay(today, zone(name))) ?? 0
        return domain.startOfDay(today, zone(name)) <= moment && moment <= end
      },
    ),
  )
})

t.test('J1: an empty isDonorRestricted is no filter, any other value is read as by a write', async (t) => {
  const { shape } = domain.ListLibraryItems
  t.strictSame(E.toUnion(domain.ListLibraryItems.decode({ isDonorRestricted: '', q: ' ' })), { q: [] })
  for (const [sent, meaning] of [
    ['0', false],
    ['FALSE', false],
    ['1', true],
    ['no', true],
  ] as const)
    t.strictSame(shape.optional.isDonorRestricted.decode(sent), E.right(meaning), sent)
})

t.test('J4: each content type has its own members', async (t) => {
  const { library, feed } = {
    library: domain.ListLibraryItems.shape.optional.include,
    feed: domain.ListFeedItems.shape.optional.include,
  }
  t.strictSame(library.decode('translation,labels'), E.right(['labels', 'translation']))
  t.strictSame(feed.decode('author,labels,author'), E.right(['labels', 'author']))
  t.ok(E.isLeft(library.decode('author')) && E.isLeft(feed.decode('translation')))
})

t.test('J4: include is a list of exact names, separated by commas alone', async (t) => {
  const { include } = domain.ListFeedItems.shape.optional
  t.strictSame(include.decode('labels,labels'), E.right(['labels']))
  for (const bad of ['labels ', ',labels', 'labels,,labels', 'Labels', 'authors'])
    t.ok(E.isLeft(include.decode(bad)), bad)
})
