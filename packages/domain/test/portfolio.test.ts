import { collect } from '@almoner/domain/values'
import { done, failure, sampleOrganization, samplePortfolio } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { contains } from '../src/portfolio/text-findings.ts'
import { codePoint } from './code-point.ts'
import { badFields, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { type Fixture, newFixture, user, withoutScopes } from './fixtures/fixture.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })

t.test('H2: folding ignores case and accents, and folds letters that do not decompose', async (t) => {
  for (const [one, other] of [
    ['École', 'ecole'],
    ['ŒUVRE', 'oeuvre'],
    ['Ærø', 'aero'],
    ['Łódź', 'lodz'],
    ['Đặng', 'dang'],
    ['STRASSE', 'Straße'],
    ['İstanbul IŞIK', 'istanbul isik'],
    ['Işık', 'isik'],
    ['ΟΔΟΣ', 'οδος'],
    ['L’École', "l'ecole"],
    ['ﬁne', 'fine'],
    ['e\u0301', 'é'],
    ['Ðŋŧħĸ', 'dnthk'],
    ['Þór', 'thor'],
    ['‘a’ ʼb', "'a' 'b"],
  ] as const)
    t.equal(domain.folded(one), domain.folded(other), `${one} and ${other}`)
})

t.test('H2: letters that do not decompose fold to their usual replacement', async (t) => {
  t.equal(domain.folded('Œ Æ Ø Ł Đ Ð Þ ẞ ı Ħ Ŧ Ŋ ĸ ς ’ ‘ ʼ'), "oe ae o l d d th ss i h t n k σ ' ' '")
  t.equal(domain.folded('a×b 日本 1-2'), 'a×b 日本 1-2', 'text without a base letter stays unchanged')
})

t.test('H2: folding twice equals folding once, and case never matters', async () => {
  fc.assert(
    fc.property(text, (given) => {
      const once = domain.folded(given)
      return (
        domain.folded(once) === once &&
        domain.folded(given.normalize('NFC')) === domain.folded(given.normalize('NFD'))
      )
    }),
  )
})

t.test('H2: each part of a name matches it, and all words of a query must match', async (t) => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      (before, part, after) =>
        domain.containsAll(domain.foldedWords(part), `${before}${part}${after}`) ||
        /\p{M}/u.test(`${part}${after}`.normalize('NFKD')),
    ),
  )
  t.ok(domain.containsAll(domain.foldedWords(' nord \t ÉCOLE '), 'École du Nord'))
  t.notOk(domain.containsAll(domain.foldedWords('nord sud'), 'École du Nord'))
  t.strictSame(domain.foldedWords('a  b A'), ['a', 'b'])
  t.strictSame(domain.foldedWords(' \u00A0´ '), [], 'a character that folds to nothing is not a word')
})

t.test('H3: texts are ordered by code points', async (t) => {
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  const any = fc.string({ unit: codePoint, maxLength: 6 })
  fc.assert(fc.property(any, any, (a, b) => Math.sign(domain.compareText(a, b)) === byBytes(a, b)))
  t.strictSame(['😀', '～'].toSorted(domain.compareText), ['～', '😀'])
})

t.test('H1: an organization id fits into a path and is not a word of the interface’s paths', async (t) => {
  for (const id of ['acme', 'Ünï-1_2.3', '日本', "a'b", 'a+b', 'x'.repeat(100), 'Sector', '...'])
    t.ok(domain.NewOrganizationId.is(id), id)
  for (const id of [
    ...domain.RESERVED_IDS,
    '.',
    '..',
    'a/b',
    'a b',
    'a?',
    'a#',
    '50%',
    'a\\b',
    'a;b',
    '',
    ' ',
    'a\u00A0b',
    'a\u200Bb',
    '\uD800',
    'x'.repeat(101),
  ])
    t.notOk(domain.NewOrganizationId.is(id), JSON.stringify(id))
  t.ok(domain.NewSectorId.is('summary'), 'sectors have their own paths')
  const words = ['sector', 'introduction', 'summary', 'program', 'challenge', 'datasets']
  t.strictSame(domain.RESERVED_IDS, words)
})

t.test(
  'H1, H5: file names of stored images differ without case and give the stored names back',
  async (t) => {
    const unit = fc.constantFrom('a', 'A', 'é', '-', '.', '0123456789abcdef', '2', 'con', '_')
    const stem = fc.string({ unit, maxLength: 6 })
    const image = fc.record({
      digest: fc.constantFrom('0123456789abcdef', '0123456789abcde0').map((digest) => digest.repeat(4)),
      type: fc.constantFrom('image/png' as const, 'image/svg+xml' as const),
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(stem, image)), (images) => {
        const names = new Map(images.map(([file, of]) => [domain.portfolioImageName(`${file}.png`, of), of]))
        const files = domain.plainImageNames([...names.keys()])
        const plain = [...files.values()].map((file) => file.toLowerCase())
        t.equal(new Set(plain).size, names.size)
        for (const [name, of] of names) t.equal(domain.portfolioImageName(files.get(name) ?? '', of), name)
        t.notOk(plain.some(domain.isDeviceName), 'H4: an upload takes all of them')
      }),
      { numRuns: 300 },
    )
    const of = { digest: '0123456789abcdef'.repeat(4), type: 'image/png' } as const
    for (const stored of ['con', 'con_', 'LPT1__', 'console', 'a_'].map(
      (stem) => `${stem}.0123456789abcdef.png`,
    )) {
      const name = stored as domain.PortfolioImageName
      const file = domain.plainImageNames([name]).get(name) ?? ''
      t.notOk(domain.isDeviceName(file), file)
      t.equal(domain.portfolioImageName(file, of), name, 'names of earlier versions too')
    }
  },
)

t.test('H1: an image’s name is derived from its file name, content and type', async (t) => {
  const digest = '0123456789abcdef'.repeat(4)
  for (const [file, expected] of [
    ['acme.svg', 'acme.0123456789abcdef.png'],
    ['Été à Łódź.v2.svg', 'Ete-a-odz-v2.0123456789abcdef.png'],
    ['日本.svg', '-.0123456789abcdef.png'],
    [`${'x'.repeat(99)}.png`, `${'x'.repeat(60)}.0123456789abcdef.png`],
  ] as const) {
    const name = domain.portfolioImageName(file, { digest, type: 'image/png' })
    t.equal(name, expected)
    t.ok(domain.isPortfolioImageName(name))
  }
  const hidden = domain.portfolioImageName('.svg', { digest, type: 'image/jpeg' })
  t.equal(hidden, 'image.0123456789abcdef.jpg', 'a file name that is only an extension')
  t.equal(
    domain.portfolioImageName('a-_9', { digest, type: 'image/svg+xml' }),
    'a-_9.0123456789abcdef.svg',
    'a file name without an extension',
  )
  for (const name of [
    'acme.svg',
    `${'x'.repeat(61)}.0123456789abcdef.svg`,
    'a.0123456789abcdef.svgx',
    'a.0123456789abcde.svg',
    'x/a.0123456789abcdef.svg',
    '../a.0123456789abcdef.svg',
    'a.0123456789ABCDEF.svg',
    'a.0123456789abcdef.gif',
    '.0123456789abcdef.svg',
  ])
    t.notOk(domain.isPortfolioImageName(name), name)
})

t.test('C11: a cursor is decoded from its own text, and from no other', async (t) => {
  const place = { lang: 'fr', rank: 12 } as const
  t.strictSame(read(domain.TextCursor, domain.encodeTextCursor(place)), place)
  const challenge = { id: 7 as domain.ChallengeId, lang: 'en' } as const
  t.strictSame(read(domain.ChallengeCursor, domain.encodeChallengeCursor(challenge)), challenge)
  for (const bad of ['', 'fr', 'fr~', '~1', 'FR~1', 'fr~-1', 'fr~1~1', 'de~1'])
    t.ok(E.isLeft(domain.TextCursor.decode(bad)), bad)
  for (const bad of ['7', '7~', 'x~en', '7~de', '7~en~'])
    t.ok(E.isLeft(domain.ChallengeCursor.decode(bad)), bad)
})

t.test('H2: id with lim or offset is rejected and named; offset alone is ignored', async (t) => {
  const fields = (raw: domain.RawParameters) => badFields(domain.ListOrganizations, raw)
  t.strictSame(fields({ id: 'a', lim: '1', offset: '0' }), ['lim', 'offset'])
  t.strictSame(fields({ id: 'a', offset: '0' }), ['offset'])
  t.strictSame(fields({ id: 'a', offset: 'x' }), ['offset'], 'once')
  t.strictSame(fields({ offset: 'x' }), [])
  t.strictSame(fields({ id: '', offset: 'x' }), [], 'an empty id is absent')
})

const loaded = async () => {
  const fixture = newFixture()
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  return fixture
}

t.test('C11: a cursor with the largest numbers is decoded, larger ones are rejected', async (t) => {
  const most = 999_999_999_999_999
  t.strictSame(read(domain.TextCursor, `en~${most}`), { lang: 'en', rank: most })
  t.strictSame(read(domain.ChallengeCursor, `${most}~fr`), { id: most, lang: 'fr' })
  t.strictSame(read(domain.OrganizationCursor, 'not there'), 'not there')
})

t.test('H1: before the first load the portfolio is empty', async (t) => {
  t.strictSame(await done(newFixture().ports.portfolio.content()), {
    name: '',
    sectors: [],
    organizations: [],
    introductions: [],
    summaries: [],
    programs: [],
    challenges: [],
    datasets: [],
  })
})

t.test('H1: an image is served below /static/portfolio/', async (t) => {
  const name = 'acme.0123456789abcdef.svg' as domain.PortfolioImageName
  t.equal(domain.portfolioImagePath({ kind: 'logo', name }), `/static/portfolio/logo/${name}`)
})

t.test('images of the portfolio have the normal sizes of the interface', async (t) => {
  t.strictSame(domain.NORMAL_SIZES, {
    logo: { width: 100, height: 100 },
    visual: { width: 1200, height: 600 },
  })
  t.equal(domain.SVG_LIMIT, 2_097_152)
})

t.test('A7: every operation of the portfolio requires the scope user', async (t) => {
  const { act } = await loaded()
  const one = { id: 'acme' as domain.OrganizationId }
  const asked = (caller: domain.Caller) => [
    act.showPortfolio(caller),
    act.listSectors(caller, {}),
    act.listOrganizations(caller, {}),
    act.listOrganizationSectors(caller, one),
    act.listIntroductions(caller, one),
    act.listSummaries(caller, one),
    act.listPrograms(caller, one),
    act.listChallenges(caller, one),
    act.listDatasets(caller, one),
  ]
  for (const task of asked(withoutScopes)) t.equal(await failure<unknown>(task), 'InsufficientScope')
  for (const task of asked(user)) t.equal(await failure<unknown>(task), 'none')
})

t.test('H2: joined is one of the configured years', async (t) => {
  const { act } = newFixture({ joinedYears: { first: 2017, last: 2018 } })
  const asked = (joined: string) => act.listOrganizations(user, read(domain.ListOrganizations, { joined }))
  for (const joined of ['2017', '2018']) t.equal(await failure(asked(joined)), 'none')
  for (const joined of ['2016', '2019']) {
    const refused = await asked(joined)()
    t.match(refused, {
      left: {
        _tag: 'ValidationFailed',
        errors: [{ field: 'joined', message: 'must be a year from 2017 to 2018' }],
      },
    })
  }
  const further = domain.makeFurtherYearErrors({ joinedYears: { first: 2017, last: 2018 } })
  for (const joined of ['2016', ['2016', '2017'], 'x', undefined])
    t.equal(
      (await done(further(user, { joined }))).length,
      joined === '2016' ? 1 : 0,
      'an error of the codec is not reported twice',
    )
})

const idsIn = async ({ act }: Fixture, raw: domain.RawParameters) =>
  (await collect(await done(act.listOrganizations(user, read(domain.ListOrganizations, raw))))).map(
    ({ id }) => id,
  )

t.test('H2: the list of organizations is filtered, sorted and paged', async () => {
  const names = ['École du Nord', 'ecole sud', '100%', 'Nord', 'Œuvre']
  const drawn = fc.record({
    ids: fc.uniqueArray(fc.constantFrom('a', 'B', 'é', '😀', '～', '10', '9', 'b'), { minLength: 1 }),
    seed: fc.nat(4),
    words: fc.constantFrom('', 'nord', 'ECOLE', 'oeuvre', '%', 'nord ecole'),
    joined: fc.constantFrom('', '2015', '2016'),
    lim: fc.constantFrom(undefined, '1', '2', '3'),
    offset: fc.constantFrom('0', '1', '5'),
  })
  const property = fc.asyncProperty(drawn, async ({ ids, seed, words, joined, lim, offset }) => {
    const fixture = newFixture()
    const organizations = ids.map((id, n) =>
      sampleOrganization(id, { name: names[(n + seed) % 5] as domain.PortfolioName, since: 2015 + (n % 2) }),
    )
    await done(fixture.ports.portfolio.replace({ ...domain.EMPTY_PORTFOLIO, organizations }))
    const expected = organizations
      .filter(
        ({ name, since }) =>
          domain.containsAll(domain.foldedWords(words), name) && (joined === '' || `${since}` === joined),
      )
      .map(({ id }) => id as string)
      .toSorted(domain.compareText)
    const from = lim === undefined ? 0 : Number(offset)
    const cut = expected.slice(from, lim === undefined ? undefined : from + Number(lim))
    const seen = await idsIn(fixture, { name: words, joined, lim, offset })
    return seen.join(' ') === cut.join(' ')
  })
  await fc.assert(property, { numRuns: 100 })
})

t.test('H3: an unknown sector or organization gives an empty list', async (t) => {
  const { act } = await loaded()
  t.strictSame(await collect(await done(act.listSectors(user, { sectorId: 'no' as domain.SectorId }))), [])
  t.strictSame(await collect(await done(act.listPrograms(user, { id: 'no' as domain.OrganizationId }))), [])
  t.strictSame(await done(act.showPortfolio(user)), { name: 'The portfolio', organizations: 2 })
})

t.test(
  'the check finds texts without a language and highlights that do not occur in their text',
  async (t) => {
    const content = samplePortfolio()
    t.strictSame(
      domain
        .textFindings(content)
        .map(({ about, id, lang, message }) => [about, id, lang, message].join(' ')),
      [
        'sector arts en has no name',
        'introduction zenith en is missing',
        'summary zenith en is missing',
        'summary zenith fr is missing',
        'program acme fr has 2 of 3',
        'program zenith fr has 0 of 1',
        'challenge acme fr 10 is missing',
        'challenge zenith en 3 is missing',
      ],
    )
    const lost = O.some('not there' as domain.PortfolioText)
    const [summary] = content.summaries
    const [challenge] = content.challenges
    if (summary === undefined || challenge === undefined) throw new Error('the samples have both')
    const found = domain.textFindings({
      ...domain.EMPTY_PORTFOLIO,
      summaries: [{ ...summary, highlight: lost }],
      challenges: [
        { ...challenge, highlight: lost },
        { ...challenge, lang: 'fr' },
      ],
    })
    t.match(found, [
      { about: 'summary', id: 'acme', lang: 'en', message: 'does not contain its highlight' },
      { about: 'challenge', id: 'acme', lang: 'en', message: '2 does not contain its highlight' },
    ])
  },
)

t.test('H4: a long part is found wherever it is, as by the search of the language', async (t) => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d', 'é'), minLength, maxLength })
  const repeated = fc.tuple(letters(1, 4), fc.nat({ max: 400 })).map(([text, times]) => text.repeat(times))
  const long = fc.oneof(letters(0, 600), repeated)
  const property = fc.property(fc.array(long, { maxLength: 4 }), long, letters(0, 3), (parts, part, end) => {
    for (const text of [parts.join(''), `${parts.join('')}${part}${end}`, `${part.slice(1)}${end}`])
      t.equal(contains(text, part), text.includes(part))
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }))
})
