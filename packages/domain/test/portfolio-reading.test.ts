import { createHash } from 'node:crypto'
import { done, failure, samplePortfolio } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { faultsIn } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { newFixture } from './fixtures/fixture.ts'

const SECTOR = { sectorId: 'water', en: 'Water', fr: 'Eau', logo: 'water.png' }
const ORGANIZATION = {
  id: 'acme',
  name: 'Acme',
  since: 2016,
  founded: '1999',
  website: 'https://acme.example.org',
  sectors: ' water \n health ',
  logo: 'acme.png',
  visual: 'acme-wide.png',
}
const DATASET = {
  id: 'acme',
  year: 2016,
  beneficiaries: 1200,
  ageFrom: '6 months',
  ageTo: '12',
  staffHeadcount: 12,
  budget: 50_000,
  budgetCurrency: 'EUR',
  vrVideoUrl: 'https://acme.example.org/vr',
}

/** Every table with a row of all columns and one of the required columns. */
const TABLES: domain.PortfolioSource['tables'] = {
  sectors: [SECTOR, { sectorId: 'health', fr: 'Santé', logo: 'health.png' }],
  organizations: [
    ORGANIZATION,
    { id: 'bare', name: 'Bare', since: 2017, founded: 2001, logo: 'acme.png', visual: 'acme.png' },
  ],
  introductions: [
    { id: 'acme', lang: 'EN', text: 'We are Acme' },
    { id: 'bare', lang: 'en', text: 'Nothing to say' },
    { id: 'acme', lang: 'en', text: 'And more' },
  ],
  summaries: [
    { id: 'acme', lang: 'fr', text: 'De l’eau pour tous', highlight: 'pour tous' },
    { id: 'acme', lang: 'fr', text: 'Rien' },
  ],
  programs: [{ id: 'acme', lang: 'en', programTitle: 'Wells', programDescription: 'We dig' }],
  challenges: [
    { organization: 'acme', id: '7', lang: 'en', text: 'Deep ground', highlight: 'Deep' },
    { organization: 'acme', id: 7, lang: 'fr', text: 'Un sol profond' },
  ],
  datasets: [
    DATASET,
    { id: 'bare', year: 2016, beneficiaries: 0, staffHeadcount: 0, budget: 0, budgetCurrency: 'CHF' },
  ],
}

const source = (tables: domain.PortfolioSource['tables'] = TABLES): domain.PortfolioSource => ({
  name: 'The portfolio',
  tables,
  unread: [],
})

/** Files whose bytes are their names. */
const read: domain.ReadImageFile = (kind, file) => TE.right(new TextEncoder().encode(`${kind}/${file}`))

const draft = (tables?: domain.PortfolioSource['tables']) => domain.draftOf(source(tables), (text) => text)

const material = (over: Partial<domain.PortfolioMaterial> = {}): domain.PortfolioMaterial => ({
  draft: draft(),
  read,
  report: () => undefined,
  ...over,
})

const ACME = { organization: 'acme', lang: 'en', rank: 0 }

t.test('H1: the portfolio has exactly the content of the rows', async (t) => {
  const files = material()
  await done(newFixture().act.planPortfolio(files))
  const content = await done(files.draft.content())
  const [water, health] = content.sectors
  const [acme, bare] = content.organizations
  t.strictSame(content, {
    name: 'The portfolio',
    sectors: [
      { id: 'water', names: { en: O.some('Water'), fr: O.some('Eau') }, logo: water?.logo },
      { id: 'health', names: { en: O.none, fr: O.some('Santé') }, logo: health?.logo },
    ],
    organizations: [
      {
        id: 'acme',
        name: 'Acme',
        since: 2016,
        founded: 1999,
        website: O.some('https://acme.example.org'),
        sectors: ['water', 'health'],
        logo: acme?.logo,
        visual: acme?.visual,
      },
      {
        id: 'bare',
        name: 'Bare',
        since: 2017,
        founded: 2001,
        website: O.none,
        sectors: [],
        logo: acme?.logo,
        visual: bare?.visual,
      },
    ],
    introductions: [
      { ...ACME, text: 'We are Acme' },
      { ...ACME, organization: 'bare', text: 'Nothing to say' },
      { ...ACME, rank: 1, text: 'And more' },
    ],
    summaries: [
      { ...ACME, lang: 'fr', text: 'De l’eau pour tous', highlight: O.some('pour tous') },
      { ...ACME, lang: 'fr', rank: 1, text: 'Rien', highlight: O.none },
    ],
    programs: [{ ...ACME, title: 'Wells', description: 'We dig' }],
    challenges: [
      { organization: 'acme', id: 7, lang: 'en', text: 'Deep ground', highlight: O.some('Deep') },
      { organization: 'acme', id: 7, lang: 'fr', text: 'Un sol profond', highlight: O.none },
    ],
    datasets: [
      {
        organization: 'acme',
        year: 2016,
        beneficiaries: 1200,
        ageFrom: O.some('6 months'),
        ageTo: O.some('12'),
        staffHeadcount: 12,
        budget: 50_000,
        budgetCurrency: 'EUR',
        vrVideoUrl: O.some('https://acme.example.org/vr'),
      },
      {
        organization: 'bare',
        year: 2016,
        beneficiaries: 0,
        ageFrom: O.none,
        ageTo: O.none,
        staffHeadcount: 0,
        budget: 0,
        budgetCurrency: 'CHF',
        vrVideoUrl: O.none,
      },
    ],
  })
  t.match(water?.logo, /^water\.[0-9a-f]{16}\.png$/)
  t.not(acme?.logo, bare?.visual, 'the same file name in logo/ and visual/ means two files')
})

t.test('H1: each row without a required value is named, and each missing column', async (t) => {
  const optional = {
    sectors: ['en', 'fr'],
    organizations: ['website', 'sectors'],
    introductions: [],
    summaries: ['highlight'],
    programs: [],
    challenges: ['highlight'],
    datasets: ['ageFrom', 'ageTo', 'vrVideoUrl'],
  }
  for (const [table, codec] of Object.entries(domain.ROWS)) {
    const name = table as domain.PortfolioTable
    const missing = faultsIn(codec, {}).map(({ field, message }) => `${field} ${message}`)
    const required = domain.columnsOf(name).filter((column) => !optional[name].includes(column as never))
    const also = name === 'sectors' ? ['en is required where fr is missing'] : []
    t.same(missing.sort(), [...required.map((column) => `${column} is required`), ...also].sort(), table)
    t.match(codec.name, /^[A-Z][a-z]+Row$/, 'its name in type errors')
  }
  const lost = [
    { ...SECTOR, colour: 'blue', size: '' },
    { ...SECTOR, sectorId: 'health' },
  ]
  const refused = await newFixture().act.planPortfolio(
    material({ draft: draft({ ...TABLES, sectors: lost }) }),
  )()
  t.match(refused, {
    left: {
      faults: [
        { table: 'sectors', row: 0, field: 'colour', message: /^is no column of sectors: / },
        { table: 'sectors', row: 0, field: 'size', message: /^is no column of sectors: / },
      ],
    },
  })
})

t.test(
  'H1: references to an organization are checked in every table and reported with their row',
  async (t) => {
    const unexpected = {
      introductions: { id: 'no', lang: 'en', text: 'x' },
      summaries: { id: 'no', lang: 'en', text: 'x' },
      programs: { id: 'no', lang: 'en', programTitle: 'x', programDescription: 'x' },
      challenges: { organization: 'no', id: 9, lang: 'en', text: 'x' },
      datasets: { ...DATASET, id: 'no' },
    }
    for (const [table, row] of Object.entries(unexpected)) {
      const given = TABLES[table as domain.PortfolioTable] ?? []
      const refused = await newFixture().act.planPortfolio(
        material({ draft: draft({ ...TABLES, [table]: [...given, row] }) }),
      )()
      t.match(refused, {
        left: {
          _tag: 'PortfolioRefused',
          faults: [
            {
              table,
              row: given.length,
              field: table === 'challenges' ? 'organization' : 'id',
              message: /^is no organization of this portfolio: /,
            },
          ],
        },
      })
    }
  },
)

t.test('H1: changes are counted by table: another field is a change, another key a new row', async (t) => {
  const before = samplePortfolio()
  const still = domain.comparePortfolios(before, structuredClone(before)).changes
  for (const table of domain.PORTFOLIO_TABLES) {
    const rows = before[table]
    const none = { added: 0, changed: 0, removed: 0, kept: rows.length }
    t.strictSame(still[table], none, table)
    const reversed = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()))
    const told = (now: ReadonlyArray<object>) =>
      domain.comparePortfolios(before, { ...before, [table]: now } as domain.PortfolioContent).changes[table]
    t.strictSame(told(reversed), none, `${table}: fields in another order`)
    t.strictSame(told(rows.slice(1)), { ...none, removed: 1, kept: rows.length - 1 }, table)
    t.strictSame(
      domain.comparePortfolios({ ...before, [table]: rows.slice(1) }, before).changes[table],
      { ...none, added: 1, kept: rows.length - 1 },
      table,
    )
    const keys = { challenges: ['organization', 'id', 'lang'], datasets: ['organization', 'year'] }
    const keysOf = (name: domain.PortfolioTable): ReadonlyArray<string> => {
      if (name === 'sectors' || name === 'organizations') return ['id']
      return name === 'challenges' || name === 'datasets' ? keys[name] : ['organization', 'lang', 'rank']
    }
    for (const field of Object.keys(rows[0] ?? {})) {
      const other = rows.map((row, at) => (at === 0 ? { ...row, [field]: ['another'] } : row))
      t.strictSame(
        told(other),
        keysOf(table).includes(field)
          ? { added: 1, changed: 0, removed: 1, kept: rows.length - 1 }
          : { added: 0, changed: 1, removed: 0, kept: rows.length - 1 },
        `${table}: another ${field}`,
      )
    }
  }
  const organizations = before.organizations.map((one) => ({ ...one, sectors: one.sectors.toReversed() }))
  t.equal(domain.comparePortfolios(before, { ...before, organizations }).changes.organizations.changed, 0)
})

t.test(
  'H1: the reason why an image is rejected is reported in words, with each row that names it',
  async (t) => {
    const rule = domain.LIBRARY_IMAGE
    const refusals: ReadonlyArray<readonly [domain.ImageFault, string]> = [
      [{ _tag: 'ImageTooLarge' }, 'has too many bytes'],
      [{ _tag: 'UnsupportedImage', reason: 'is animated' }, 'is animated'],
      [{ _tag: 'BrokenImage' }, 'does not decode whole'],
      [{ _tag: 'BrokenImage', reason: 'line 3 is no XML' }, 'does not decode whole: line 3 is no XML'],
      [{ _tag: 'AnimatedImage' }, 'must not be animated'],
      [{ _tag: 'WrongImageSize', rule, width: 5000, height: 20 }, 'is too large: 5000 by 20 pixels'],
    ]
    for (const [fault, message] of refusals) {
      const fixture = newFixture({}, ({ portfolioImageChecker: { check } }) => ({
        portfolioImageChecker: {
          check: (bytes) =>
            new TextDecoder().decode(bytes) === 'logo/acme.png' ? TE.left(fault) : check(bytes),
        },
      }))
      t.same(await fixture.act.planPortfolio(material())(), {
        _tag: 'Left',
        left: {
          _tag: 'PortfolioRefused',
          faults: [0, 1].map((row) => ({
            ...{ table: 'organizations', row, field: 'logo', message, value: 'acme.png' },
          })),
        },
      })
    }
    const down = newFixture({}, () => ({
      portfolioImageChecker: { check: () => TE.left(domain.unavailable('no memory')) },
    }))
    t.equal(await failure(down.act.planPortfolio(material())), 'Unavailable', 'not an error of the file')
  },
)

t.test('H1: the progress of a load is reported per image, and each image is checked once', async (t) => {
  const steps: Array<string> = []
  const report: domain.Report = (...step) => steps.push(step.join(' '))
  const plan = await done(newFixture().act.planPortfolio(material({ report })))
  t.strictSame(
    plan.files.map(({ use: { kind, file, use }, image, width, height }) => [
      `${kind}/${file} ${use.table} ${use.row}`,
      image.kind,
      width,
      height,
    ]),
    [
      ['logo/water.png sectors 0', 'logo', 100, 100],
      ['logo/health.png sectors 1', 'logo', 100, 100],
      ['logo/acme.png organizations 0', 'logo', 100, 100],
      ['visual/acme-wide.png organizations 0', 'visual', 100, 100],
      ['visual/acme.png organizations 1', 'visual', 100, 100],
    ],
  )
  t.strictSame(
    steps.splice(0),
    ['0', '1', '2', '3', '4'].map((at) => `checking ${at} 5`),
  )
  await done(newFixture().act.loadPortfolio(material({ report })))
  t.strictSame(
    steps.slice(5),
    ['0', '1', '2', '3', '4'].map((at) => `storing ${at} 5`),
  )
})

t.test('H1: changes are named by organization, with the tables of its changed rows', async (t) => {
  const before = samplePortfolio()
  t.strictSame(domain.comparePortfolios(before, structuredClone(before)).organizations, [])
  const [acme, zenith] = before.organizations
  if (acme === undefined || zenith === undefined) throw new TypeError('the sample has two organizations')
  const after: domain.PortfolioContent = {
    ...before,
    organizations: [acme, { ...zenith, id: 'apex' as domain.OrganizationId }],
    introductions: before.introductions.filter(({ organization }) => organization === 'acme'),
    datasets: before.datasets.map((one) => (one.year === 2017 ? { ...one, beneficiaries: 7 } : one)),
  }
  t.match(domain.comparePortfolios(before, after).organizations, [
    { id: 'acme', kind: 'changed', tables: [{ table: 'datasets', added: 0, changed: 1, removed: 0 }] },
    { id: 'apex', kind: 'added', tables: [{ table: 'organizations', added: 1, changed: 0, removed: 0 }] },
    {
      id: 'zenith',
      kind: 'removed',
      tables: [
        { table: 'organizations', added: 0, changed: 0, removed: 1 },
        { table: 'introductions', removed: 1 },
      ],
    },
  ])
})

t.test('H1: the rows of a load are named with each cell that differs, before and after', async (t) => {
  const before = samplePortfolio()
  const named = (after: domain.PortfolioContent) => {
    const { organizations, changes } = domain.comparePortfolios(before, after)
    const rows = [...domain.rowChanges(before, after, organizations)]
    for (const table of domain.PORTFOLIO_TABLES)
      for (const kind of ['added', 'changed', 'removed'] as const)
        t.equal(rows.filter((row) => row.table === table && row.kind === kind).length, changes[table][kind])
    return rows
  }
  t.strictSame(named(structuredClone(before)), [])
  t.strictSame(
    named({
      ...before,
      datasets: before.datasets.map((one) => (one.year === 2017 ? { ...one, beneficiaries: 7 } : one)),
    }).map(({ number, ...row }) => ({ ...row, number: O.toNullable(number) })),
    before.datasets
      .filter(({ year }) => year === 2017)
      .map(({ organization, beneficiaries }) => ({
        ...{ table: 'datasets', kind: 'changed', id: organization, lang: O.none, number: 2017 },
        cells: [{ column: 'beneficiaries', before: String(beneficiaries), after: '7' }],
      })),
  )
  t.match(named({ ...before, sectors: before.sectors.slice(1) })[0], {
    ...{ table: 'sectors', kind: 'removed', id: before.sectors[0]?.id },
    cells: [{ column: 'fr', before: 'Arts', after: undefined }, { column: 'logo' }],
  })
  t.ok(named(domain.EMPTY_PORTFOLIO).length > 0)
  t.ok(
    named({
      ...before,
      introductions: before.introductions.toReversed(),
      programs: [],
      challenges: before.challenges.slice(1),
    }).length > 1,
  )
})

t.test('H4: rows are named as far as their texts are not too long', async (t) => {
  const texts = Array.from({ length: 400 }, (_, at) => ({
    id: 'acme',
    lang: 'en',
    text: `${at}`.padEnd(9999, 'x'),
  }))
  const plan = await done(
    newFixture().act.planPortfolio(material({ draft: draft({ ...TABLES, introductions: texts }) })),
  )
  t.equal(plan.changes.introductions.added, 400)
  t.ok(plan.rows.length > 90 && plan.rows.length < 120, `${plan.rows.length}`)
})

t.test(
  'H1: the fingerprint of a load is the same in whichever order rows are, and for no other load',
  async (t) => {
    const before = samplePortfolio()
    const turned = {
      ...before,
      organizations: before.organizations.toReversed(),
      datasets: before.datasets.toReversed(),
    }
    const none = domain.EMPTY_PORTFOLIO
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    const fingerprint = (from: domain.PortfolioContent, to: domain.PortfolioContent) =>
      domain.comparePortfolios(from, to, digest).fingerprint
    t.equal(fingerprint(none, turned), fingerprint(none, before))
    t.equal(fingerprint(turned, none), fingerprint(before, none))
    const prints = [
      fingerprint(none, before),
      fingerprint(before, none),
      fingerprint(before, before),
      fingerprint(none, { ...before, name: 'Other' }),
      fingerprint(none, { ...before, datasets: [] }),
    ]
    t.equal(new Set(prints).size, prints.length)
  },
)

t.test(
  'H5: the nearest known name is one that holds the given one, else the one with the fewest other letters',
  async (t) => {
    const columns = ['sectorId', 'name', 'since', 'programTitle', 'logo']
    for (const [given, nearest] of [
      ['id', 'sectorId'],
      ['ID', 'sectorId'],
      ['Title', 'programTitle'],
      ['nme', 'name'],
      ['names', 'name'],
      ['sinc', 'since'],
      ['Logos', 'logo'],
      ['sectorid', 'sectorId'],
    ] as const)
      t.equal(domain.nearestOf(given, columns), nearest, given)
  },
)
