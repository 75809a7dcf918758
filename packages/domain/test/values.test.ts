import { domainToASCII, domainToUnicode } from 'node:url'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { badFields, faultsIn, read, takenOf } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'

const { LocalDate, CreateLibraryItem, ItemDescription, ItemTitle, Lim, ListFeedItems, ListLibraryItems } =
  domain
const { Offset, UpdateFeedItem, UpdateLibraryItem, WebUrl } = domain

const POST = { itemTitle: 'Title', itemDescription: 'Text', link: 'https://example.org/' }
const LIBRARY = { ...POST, itemPublicationDate: '2026-01-31' }

t.test('B4: lim and offset are decimal integers up to 2147483647, leading zeros are fine', async (t) => {
  const good = ['1', '7', '007', '0000000000000000000001', '2147483647', '0002147483647']
  t.same(takenOf(Lim, good), good)
  t.same(takenOf(Offset, ['0', '000', ...good]), ['0', '000', ...good])
  t.same(read(ListLibraryItems, { lim: '0010', offset: '0003' }), { lim: 10, offset: 3 })
  fc.assert(
    fc.property(fc.nat(2147483646), fc.nat(30), (n, zeros) => {
      const text = `${'0'.repeat(zeros)}${n + 1}`
      return read(Lim, text) === n + 1 && read(Offset, text) === n + 1
    }),
  )
})

t.test('B4: signs, fractions, words and numbers that are too large are rejected', async (t) => {
  const bad = ['-1', '+1', '-0', 'x', '1x', '1.0', '1e3', '0x10', ' 1', '1 ', '1_0', '٣', 'true', 'Infinity']
  t.same(takenOf(Lim, [...bad, '0', '00', '2147483648', '99999999999999999999']), [])
  t.same(takenOf(Offset, [...bad, '2147483648', '99999999999999999999']), [])
  for (const list of [ListLibraryItems, ListFeedItems])
    t.same(badFields(list, { lim: '0', offset: '-1' }), ['lim', 'offset'])
  t.same(badFields(ListLibraryItems, { lim: 1.5, offset: true }), ['lim', 'offset'])
})

t.test('B4: without lim, offset is ignored, even if it is malformed', async (t) => {
  const offsets = ['-1', 'x', '2', '', null, ['1', '2'], { a: 1 }, Number.NaN]
  for (const list of [ListLibraryItems, ListFeedItems])
    for (const lim of [undefined, null, ''])
      t.same(
        offsets.map((offset) => list.decode({ lim, offset })),
        offsets.map(() => E.right({})),
      )
  t.same(badFields(ListLibraryItems, { lim: ['1', '2'], offset: 'x' }), ['lim', 'offset'])
})

t.test(
  'B5: lang is accepted in any case and stored in lower case; other values than en and fr are rejected',
  async (t) => {
    t.same(
      ['en', 'EN', 'eN', 'fr', 'Fr'].map((lang) => read(ListFeedItems, { lang }).lang),
      ['en', 'en', 'en', 'fr', 'fr'],
    )
    t.same(takenOf(domain.Language, ['de', 'en-GB', 'english', ' en', 'f', 'ﬁr', '0']), [])
  },
)

t.test('B6: lengths count code points', async (t) => {
  for (const unit of ['a', 'é', '😀', '日', '\u{10ffff}']) {
    t.same(takenOf(ItemTitle, [unit.repeat(100), unit.repeat(101)]), [unit.repeat(100)])
    t.same(takenOf(ItemDescription, [unit.repeat(1000), unit.repeat(1001)]), [unit.repeat(1000)])
  }
})

t.test('B6: text is normalised to NFC, then counted, and keeps its blanks', async (t) => {
  t.equal(
    read(ItemTitle, 'e\u0301'.repeat(100)),
    'é'.repeat(100),
    'two hundred code points sent, one hundred counted',
  )
  t.same(takenOf(ItemTitle, ['\u0958'.repeat(51)]), [], 'normalising doubles each character')
  t.equal(read(ItemTitle, '  \t padded \u200b\n'), '  \t padded \u200b\n')
  const latin = Array.from({ length: 0x301 }, (_, n) => `x${String.fromCodePoint(n + 1)}`)
  t.same(
    takenOf(ItemTitle, latin),
    latin.map((text) => text.normalize('NFC')),
    'up to the first two that combine',
  )
  const anywhere = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point))
  const telling = fc.constantFrom('e', '\u0301', '\u0958', '\u1100', '\u1161', '😀', '\ud83d', '\ude00', '\0')
  const pieces = fc.array(fc.oneof(anywhere, telling, fc.constant('a')), { minLength: 85, maxLength: 115 })
  fc.assert(
    fc.property(pieces, (sent) => {
      const text = `x${sent.join('')}`
      const decoded = ItemTitle.decode(text)
      const fits = Array.from(text.normalize('NFC')).length <= 100 && !/[\0\p{Cs}]/u.test(text)
      return E.isRight(decoded) ? fits && decoded.right === text.normalize('NFC') : !fits
    }),
  )
})

t.test('B6: blank-only text is empty', async (t) => {
  const spaces = [' ', '\t\r\n', '\u00a0\u2003\u3000', '\u2028']
  const invisible = ['\u200b', '\ufeff', '\u2060\u00ad', '\u200d\ufe0f', '\u3164', '\u034f \u180e']
  const blank = [...spaces, ...invisible]
  t.same(
    blank.map((itemTitle) => faultsIn(CreateLibraryItem, { ...LIBRARY, itemTitle })),
    blank.map(() => [{ field: 'itemTitle', message: 'is required' }]),
  )
})

t.test('B6: U+0000 and lone surrogates are rejected, in identifiers too', async (t) => {
  const bad = ['a\u0000', '\u0000', '\ud800', 'a\udc00b', '\udc00\ud800', 'fine 😀 but \ud83d']
  for (const codec of [ItemTitle, ItemDescription, domain.ItemId, domain.LabelId, domain.Email, WebUrl])
    t.same(takenOf(codec, [...bad, ...bad.map((text) => `https://example.org/${text}`)]), [])
})

t.test('B6: status and itemType are matched exactly', async (t) => {
  const sent = ['Live', 'live', 'LIVE', 'Live ', 'Draft', 'Archived', 'Published']
  t.same(takenOf(domain.Status, sent), ['Live', 'Draft', 'Archived'])
  t.same(takenOf(domain.FeedKind, ['photo', 'Photo', 'link', 'vlink', 'vLink', 'video']), [
    'photo',
    'link',
    'vlink',
  ])
})

t.test('B7: URLs are absolute http or https, stored as sent', async (t) => {
  const good = [
    'http://example.org',
    'HTTPS://Example.ORG:8443/A/../b?q=a@b#c@d',
    'https://example.org/%20é/日本?x=[1]&y={}',
    'https://exämple.org/',
    'http://[::1]:80/',
    'http://127.0.0.1/@user',
  ]
  t.same(
    good.map((url) => read(WebUrl, url)),
    good,
  )
})

t.test('B7: javascript: URLs and everything that is not absolute are rejected', async (t) => {
  const schemes = ['javascript:alert(1)', 'data:text/html,x', 'ftp://example.org/', 'file:///etc', 'blob:x']
  const relative = ['http:example.com', 'http:/example.com', '//example.com', '/a', 'example.com', 'https://']
  const slashes = ['http:///example.com', 'https:////example.com/', 'http://\\example.com', 'http:\\\\a.b']
  const spaces = [' https://a.b', 'https://a.b ', 'https://a b', 'https://a.b/\tc', 'java\nscript:alert(1)']
  const rest = ['https://a.b/<c>', 'https://a.b/"', 'https://a.b:99999', 'https://a.b\\@c.d', 'http://a%40b']
  t.same(takenOf(WebUrl, [...schemes, ...relative, ...slashes, ...spaces, ...rest]), [])
})

t.test('B7: user names and passwords are rejected', async (t) => {
  const bad = ['http://u:p@host/', 'http://u@host', 'http://@host', 'http://:@host', 'https://a@b@host/x']
  t.same(takenOf(WebUrl, [...bad, 'http:///u:p@host', 'https:////u@host/', 'http:u@host']), [])
  const pieces = fc.array(fc.constantFrom('u', ':', '@', '/', '\\', '?', '#', 'a.b', ' '), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = `http://${parts.join('')}`
      if (E.isLeft(WebUrl.decode(text))) return true
      const { username, password, host } = new URL(text)
      return username === '' && password === '' && host !== ''
    }),
    { numRuns: 300 },
  )
})

t.test('B7: at most 2048 characters', async (t) => {
  const long = (length: number) => 'https://example.org/'.padEnd(length, 'x')
  t.same(takenOf(WebUrl, [long(2048), long(2049)]), [long(2048)])
  t.same(badFields(UpdateLibraryItem, { coverImgUrl: long(2049) }).includes('coverImgUrl'), true)
})

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysIn = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0

t.test('B8: dates are real calendar days', async (t) => {
  t.same(takenOf(LocalDate, ['2024-02-29', '2023-02-29', '2000-02-29', '1900-02-29', '2023-02-30']), [
    '2024-02-29',
    '2000-02-29',
  ])
  const forms = [
    '2026-1-1',
    '20260101',
    '2026-01-011',
    '01-02-2026',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '+002026-01-01',
  ]
  t.same(takenOf(LocalDate, [...forms, '2026/01/01', 'today', '٢٠٢٦-٠١-٠١']), [])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32), (year, month, day) => {
      const two = (n: number) => `${n}`.padStart(2, '0')
      const taken = E.isRight(LocalDate.decode(`${`${year}`.padStart(4, '0')}-${two(month)}-${two(day)}`))
      return taken === (day >= 1 && day <= daysIn(year, month))
    }),
    { numRuns: 500 },
  )
})

t.test('B8: today is the day in the time zone', async (t) => {
  const day = (text: string, zone: string) =>
    domain.dayOf(domain.instant(Date.parse(text)), read(domain.TimeZone, zone))
  t.equal(day('2026-01-01T09:59:59.999Z', 'Pacific/Kiritimati'), '2026-01-01')
  t.equal(day('2026-01-01T10:00:00.000Z', 'Pacific/Kiritimati'), '2026-01-02')
  t.equal(day('2026-01-01T04:59:59.999Z', 'America/New_York'), '2025-12-31')
  t.equal(day('2026-01-01T05:00:00.000Z', 'America/New_York'), '2026-01-01')
  t.equal(day('2026-07-01T03:59:59.999Z', 'America/New_York'), '2026-06-30', 'in summer time')
  t.equal(day('2026-07-01T04:00:00.000Z', 'America/New_York'), '2026-07-01')
  t.equal(day('2024-02-29T23:59:59.999Z', 'UTC'), '2024-02-29')
  t.equal(day('2024-03-01T00:00:00.000Z', 'UTC'), '2024-03-01')
  t.same(takenOf(domain.TimeZone, ['UTC', 'Europe/Paris', 'Mars/Olympus', '', 'Paris']), [
    'UTC',
    'Europe/Paris',
  ])
})

t.test(
  'B9: 0 and false in any case mean public, every other value, also an empty one, restricted',
  async (t) => {
    const restricted = (isDonorRestricted: unknown) =>
      read(CreateLibraryItem, { ...LIBRARY, isDonorRestricted }).isDonorRestricted
    const open = ['0', 'false', 'FALSE', 'False', false, 0, -0]
    t.same(
      open.map(restricted),
      open.map(() => false),
    )
    const closed = ['', '1', 'true', 'no', '00', ' 0', 'false ', '0.0', true, 1, 2, 'null']
    t.same(
      closed.map(restricted),
      closed.map(() => true),
    )
    t.same([undefined, null].map(restricted), [undefined, undefined], 'absent means no value')
  },
)

t.test('B2: an empty value or null counts as absent', async (t) => {
  const absent = [undefined, null, '']
  t.same(
    absent.map((itemTitle) => faultsIn(CreateLibraryItem, { ...LIBRARY, itemTitle })),
    absent.map(() => [{ field: 'itemTitle', message: 'is required' }]),
  )
  for (const lang of absent) t.same(read(ListLibraryItems, { lang, itemId: lang }), {})
  const sent = { ...POST, itemId: 'i', status: 'Draft', coverImgUrl: null }
  t.notOk('coverImgUrl' in read(UpdateLibraryItem, sent), 'null is absent where empty has a meaning')
})

t.test('B2: a parameter sent twice is rejected', async (t) => {
  for (const twice of [['en', 'en'], ['en', 'fr'], ['en'], []])
    t.same(faultsIn(ListLibraryItems, { lang: twice }), [{ field: 'lang', message: 'must be given once' }])
  t.same(badFields(CreateLibraryItem, { ...LIBRARY, isDonorRestricted: ['0', '0'], link: {} }), [
    'isDonorRestricted',
    'link',
  ])
})

t.test('B2: unknown parameters are ignored', async (t) => {
  const noise = { itemId: 'x', after: 'x', constructor: 'x', toString: ['x'], ['__proto__']: 'x', '': [] }
  t.same(read(CreateLibraryItem, { ...LIBRARY, ...noise }), LIBRARY)
  t.same(badFields(CreateLibraryItem, Object.create(LIBRARY)), Object.keys(LIBRARY).sort(), 'inherited')
})

t.test('B1: JSON may send booleans and numbers where the interface has strings', async (t) => {
  t.same(read(ListLibraryItems, { lim: 5, offset: 0, itemId: 12 }), { lim: 5, offset: 0, itemId: '12' })
  t.same(read(CreateLibraryItem, { ...LIBRARY, itemTitle: 2026, itemDescription: true }), {
    ...LIBRARY,
    itemTitle: '2026',
    itemDescription: 'true',
  })
})

const BAD = {
  itemTitle: 'x'.repeat(101),
  itemDescription: ' ',
  link: 'javascript:alert(1)',
  status: 'live',
  lang: 'de',
  isDonorRestricted: ['0', '1'],
}

t.test('I1: each bad field is named once, all together', async (t) => {
  const library = { ...BAD, coverImgUrl: 'x', notificationImgUrl: {}, itemPublicationDate: '2023-02-30' }
  t.same(badFields(UpdateLibraryItem, library), [...Object.keys(library), 'itemId'].sort())
  const post = { ...BAD, itemType: 'film', vlink: 'http://u:p@host' }
  t.same(badFields(UpdateFeedItem, post), [...Object.keys(post), 'itemId'].sort())
  const linkless = { itemId: 'i', itemType: 'link', status: 'Live' }
  t.same(badFields(UpdateFeedItem, linkless), ['itemDescription', 'itemTitle', 'link'])
  t.same(badFields(ListFeedItems, { lim: 'x', offset: 'x', lang: 'x', itemType: 'x', after: 'x' }), [
    'after',
    'itemType',
    'lang',
    'lim',
    'offset',
  ])
})

t.test('C6: an empty image is an error with Live and clears the image otherwise', async (t) => {
  const sent = (status: string) => ({
    ...POST,
    itemId: 'i',
    status,
    coverImgUrl: '',
    notificationImgUrl: '',
  })
  t.same(badFields(UpdateLibraryItem, sent('Live')), ['coverImgUrl', 'notificationImgUrl'])
  for (const status of ['Draft', 'Archived'])
    t.same(read(UpdateLibraryItem, sent(status)).coverImgUrl, { _tag: 'None' })
})

t.test('C7: link and vlink must be sent with every post and update of their type', async (t) => {
  for (const codec of [domain.CreateFeedItem, UpdateFeedItem])
    for (const itemType of ['photo', 'link', 'vlink'])
      for (const missing of [undefined, null, '']) {
        const sent = { ...POST, itemId: 'i', status: 'Draft', itemType, link: missing, vlink: missing }
        t.same(badFields(codec, sent), itemType === 'photo' ? [] : [itemType])
      }
})

t.test('a codec recognises what it has decoded, and nothing else', async (t) => {
  t.same([ListLibraryItems.is({ lang: 'fr' }), ListLibraryItems.is({ lang: 'de' })], [true, false])
  t.same([LocalDate.is('2024-02-29'), LocalDate.is('2023-02-29'), Lim.is('0')], [true, false, false])
})

const OPERATIONS = [
  ListLibraryItems,
  CreateLibraryItem,
  UpdateLibraryItem,
  domain.OneLibraryImage,
  ListFeedItems,
  domain.CreateFeedItem,
  UpdateFeedItem,
  domain.OneFeedImage,
  domain.ListLabels,
  domain.ItemAndLabel,
]
const NAMES = [
  ...new Set(OPERATIONS.flatMap(({ shape }) => Object.keys({ ...shape.required, ...shape.optional }))),
]

// Twelve digits of which no message of ours has a part that long.
const secrets = fc.integer({ min: 1e11, max: 1e12 - 1 }).chain((digits) =>
  fc.record({
    digits: fc.constant(`${digits}`),
    raw: fc.dictionary(
      fc.constantFrom(...NAMES),
      fc.constantFrom<unknown>(
        digits,
        `${digits}`,
        `http://u:${digits}@host`,
        `${digits}\u0000`,
        `${digits} `.repeat(100),
        [`${digits}`],
        { [digits]: digits },
      ),
    ),
  }),
)

t.test('I1: an error names a known field and never contains the received value', async () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPERATIONS), secrets, (codec, { digits, raw }) =>
      faultsIn(codec, raw).every(
        ({ field, message }) => NAMES.includes(field) && !message.includes(digits) && message.length < 100,
      ),
    ),
    { numRuns: 300 },
  )
})

/** Letters of scripts whose domain names are in use, some of which IDNA maps. */
const hostLabel = fc
  .array(fc.constantFrom(...'aeiouxyzéüßøñčğžабвгдяλάως한국日本例えעברית'), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join(''))
const internationalHost = fc
  .array(hostLabel, { minLength: 1, maxLength: 3 })
  .map((labels) => [...labels, 'org'].join('.'))
  .filter((host) => domainToASCII(host) !== '')

t.test('F1: all forms of an internationalized host are one address, kept in Unicode', async (t) => {
  fc.assert(
    fc.property(internationalHost, (host) => {
      const [ascii, unicode] = [domainToASCII(host), domainToUnicode(domainToASCII(host))]
      const forms = [host, ascii, ascii.toUpperCase(), unicode, unicode.normalize('NFD')]
      return forms.every((form) => read(domain.Email, `Ada@${form}`) === `ada@${unicode}`)
    }),
    { numRuns: 500 },
  )
  for (const [sent, kept] of [
    ['ada@ｅｘａｍｐｌｅ．org', 'ada@example.org'],
    ['ada@bücher。example', 'ada@bücher.example'],
    ['ada@xn--bcher-kva.EXAMPLE', 'ada@bücher.example'],
    ['ada@mail.xn--bcher-kva.example', 'ada@mail.bücher.example'],
    // Their Unicode form has a joiner that is not seen: kept in ASCII.
    ['ada@XN--mgba3gch31f060k.com', 'ada@xn--mgba3gch31f060k.com'],
    // No valid IDNA names: kept as they are.
    ['ada@xn--99999999999.org', 'ada@xn--99999999999.org'],
    ['ada@xn--a.org', 'ada@xn--a.org'],
    ['ada@1.2.3', 'ada@1.2.3'],
  ] as const)
    t.equal(read(domain.Email, sent), kept, sent)
})

t.test('F1: an address in its one form stays as it is', async () => {
  const letter = fc.constantFrom(...'AJTWaj', '\u030c', '\u0308', '\u030a', 'ü', 'ß', 'İ', 'Σ', 'ǰ', '\u0390')
  const local = fc.string({ unit: letter, minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(local, internationalHost, (name, host) => {
      const address = read(domain.Email, `${name}@${host}`)
      return address === undefined || read(domain.Email, address) === address
    }),
    { numRuns: 500 },
  )
})

t.test('I6: spaces within what is no address cost no more than other letters', async (t) => {
  for (const within of [' ', '\u00a0', '\u200b', '\u{e0001}'])
    for (const codec of [domain.Email, domain.AddressPart])
      t.notOk(takenOf(codec, [`a${within.repeat(1_000_000)}b@example.org`]).length)
})

/** Every character that Unicode calls a space, and invisible ones that are copied along with text. */
const spaces = fc
  .array(
    fc.constantFrom(...' \t\n\u00a0\u1680\u2003\u2007\u2028\u202f\u3000\ufeff\u200b\u2060\u200f\u00ad'),
    {
      maxLength: 4,
    },
  )
  .map((all) => all.join(''))

t.test('F1: spaces of every kind around an address are cut off, and none within it', async () => {
  fc.assert(
    fc.property(spaces, spaces, spaces, (before, within, after) => {
      const address = `ada${within}l@example.org`
      const whole = takenOf(domain.Email, [`${before}${address}${after}`])
      const part = read(domain.AddressPart, `${before}Ada@XN--BCHER-KVA${after}`)
      return (within === '' ? whole.length === 1 : whole.length === 0) && part === 'ada@bücher'
    }),
  )
})

t.test('F1: an email is compared in lower case', async (t) => {
  t.equal(read(domain.Email, 'Amina@Example.ORG'), 'amina@example.org')
  t.equal(read(domain.Email, 'Re\u0301a@Example.ORG'), 'r\u00e9a@example.org', 'NFC, as all text (B6)')
  const malformed = [
    '<a@b.c>',
    'a@b..c',
    'a@b.c.',
    'a@b/c',
    'a;b@c',
    'a,b@c.d',
    'a@-b',
    'a\u200b@b.c',
    '.a@b.c',
    'a..b@c.d',
  ]
  t.same(takenOf(domain.Email, malformed), [])
  const longest = `${'a'.repeat(252)}@b`
  t.same(takenOf(domain.Email, [longest, `a${longest}`, 'amina', 'a@b@c', 'a b@c', '@c', 'a@']), [longest])
})

const FORMS = ['NFC', 'NFKC', 'NFKD'] as const
/** Letters with and without accents, ligatures, Hangul, and marks of several classes. */
const PIECE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('é', 'e', 'ﬁ', '각', '㈱', 'Å', 'ᾳ'),
  fc
    .array(fc.constantFrom('\u0301', '\u0323', '\u0345', '\u3099', '\u{1d165}'), { maxLength: 12 })
    .map((marks) => marks.join('')),
)

t.test('B6: a text of at most 64 marks in a row gets the normal form that JavaScript gives it', async (t) => {
  fc.assert(
    fc.property(fc.array(PIECE, { maxLength: 5 }), fc.constantFrom(...FORMS), (pieces, form) => {
      const text = pieces.join('')
      return domain.normalized(form, text) === text.normalize(form)
    }),
    { numRuns: 2000 },
  )
  const [most, more] = [64, 65].map(
    (count) => `e${'\u0323\u0301'.repeat(count / 2)}${count % 2 ? '\u0301' : ''}`,
  )
  t.equal(domain.normalized('NFC', most ?? ''), most?.normalize('NFC'))
  t.equal(domain.normalized('NFC', more ?? ''), more)
})

t.test('I6: no value takes time that grows with the square of its marks or spaces', async (t) => {
  const codecs = Object.values<unknown>(domain).filter((value) => value instanceof domain.Refined)
  t.ok(codecs.length > 50)
  const length = 100_000
  // With a square, each of these takes many seconds.
  const texts = ['\u0323\u0301', '\u0301', 'e\u0301', '\u3000', '\u00a0x', '\u200b'].map((part) =>
    part.repeat(length / part.length),
  )
  for (const codec of codecs)
    for (const text of texts)
      for (const whole of [text, `a${text}b`, `${text}@example.org`]) codec.decode(whole)
  for (const text of texts) domain.unaccented(text)
  t.pass(`${codecs.length} codecs`)
})
