import { samplePortfolio } from '@almoner/testkit/contracts'
import t from 'tap'
import { done, type Fixture } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { PORTFOLIO_PATHS, read } from '../support/portfolio.ts'
import { seeProblem } from '../support/problems.ts'

// The interface's table *Portfolio*, endpoint by endpoint: fields, wrappers, orders.

const load = ({ ports }: Fixture) => done(ports.portfolio.replace(samplePortfolio()))

const logo = (stem: string) => `/static/portfolio/logo/${stem}.0123456789abcdef.svg`

const sector = (sectorId: string, labels: ReadonlyArray<readonly [string, string]>) => ({
  sector: {
    sectorId,
    labels: labels.map(([lang, sectorName]) => ({ label: { sectorId, sectorName, lang } })),
    logoUri: logo('sector'),
  },
})

const ARTS = sector('arts', [['fr', 'Arts']])
const [HEALTH, WATER] = ['health', 'water'].map((id) =>
  sector(id, [
    ['en', `${id} in English`],
    ['fr', `${id} en français`],
  ]),
)

const ACME = {
  organization: {
    id: 'acme',
    name: 'Organization acme',
    since: 2016,
    founded: 1999,
    website: 'https://example.org/?q=é',
    logoUri: logo('logo'),
    visualUri: '/static/portfolio/visual/visual.0123456789abcdef.svg',
  },
}
const ZENITH = {
  organization: { ...ACME.organization, id: 'zenith', name: 'Organization zenith', since: 2018, website: '' },
}

/** The texts of samples end so. */
const END = '"quoted",\nin two lines 日本語 😀'

onEachStore(
  t,
  'GET /portfolio/: object with key portfolio, name and number of organizations',
  async (t, fixture) => {
    t.strictSame(
      await read(fixture, '/portfolio/'),
      { portfolio: { name: '', organizations: 0 } },
      'before the first load',
    )
    await load(fixture)
    for (const path of ['/portfolio/', '/portfolio'])
      t.strictSame(await read(fixture, path), { portfolio: { name: 'The portfolio', organizations: 2 } })
  },
)

onEachStore(t, 'H3: before the first load every collection is empty', async (t, fixture) => {
  t.strictSame(await read(fixture, '/portfolio/sector'), { sectors: [] })
  t.strictSame(await read(fixture, '/portfolio/organization/'), { organizations: [] })
  t.strictSame(await read(fixture, '/portfolio/organization/acme/datasets'), { datasets: [] })
})

onEachStore(
  t,
  'GET /portfolio/sector and /portfolio/sector/<sectorId>: sectors by id, one name per language',
  async (t, fixture) => {
    await load(fixture)
    t.strictSame(await read(fixture, '/portfolio/sector'), { sectors: [ARTS, HEALTH, WATER] })
    t.strictSame(await read(fixture, '/portfolio/sector/'), { sectors: [ARTS, HEALTH, WATER] })
    for (const path of [
      '/portfolio/sector/health',
      '/portfolio/sector?sectorId=health',
      '/portfolio/sector/health?sectorId=arts',
    ])
      t.strictSame(await read(fixture, path), { sectors: [HEALTH] }, path)
    t.strictSame(
      await read(fixture, '/portfolio/sector?sectorId='),
      { sectors: [ARTS, HEALTH, WATER] },
      'empty is absent',
    )
    t.strictSame(await read(fixture, '/portfolio/sector/unknown'), { sectors: [] })
    t.strictSame(await read(fixture, '/portfolio/sector?sectorId=unknown'), { sectors: [] })
  },
)

onEachStore(
  t,
  'GET /portfolio/organization/: organizations by id; a single one is a collection of one',
  async (t, fixture) => {
    await load(fixture)
    t.strictSame(await read(fixture, '/portfolio/organization/'), { organizations: [ACME, ZENITH] })
    t.strictSame(await read(fixture, '/portfolio/organization'), { organizations: [ACME, ZENITH] })
    for (const path of [
      '/portfolio/organization/zenith',
      '/portfolio/organization/zenith/',
      '/portfolio/organization?id=zenith',
      '/portfolio/organization/zenith?id=acme',
    ])
      t.strictSame(await read(fixture, path), { organizations: [ZENITH] }, path)
    t.strictSame(
      await read(fixture, '/portfolio/organization?id='),
      { organizations: [ACME, ZENITH] },
      'empty is absent',
    )
    t.strictSame(await read(fixture, '/portfolio/organization/unknown'), { organizations: [] })
  },
)

onEachStore(t, 'H2: each added filter narrows the result', async (t, fixture) => {
  await load(fixture)
  const found = async (query: string) => {
    const { organizations } = (await read(fixture, `/portfolio/organization/${query}`)) as {
      organizations: ReadonlyArray<typeof ACME>
    }
    return organizations.map(({ organization: { id } }) => id)
  }
  t.strictSame(await found('?joined=2016'), ['acme'])
  t.strictSame(await found('?joined=2017'), [])
  t.strictSame(await found('?name=ORGANIZATIÓN'), ['acme', 'zenith'])
  t.strictSame(await found('?name=organ+zén'), ['zenith'], 'several words, all required')
  t.strictSame(await found('?name=zenith&joined=2016'), [])
  t.strictSame(await found('?name=zenith&joined=2018'), ['zenith'])
  t.strictSame(await found('zenith?joined=2016'), [])
  t.strictSame(await found('?name=%25'), [], '% is a plain character')
  t.strictSame(await found('?name=_'), [], '_ too')
  t.strictSame(await found('?name='), ['acme', 'zenith'])
  t.strictSame(await found('?name=organ&lim=1&offset=1'), ['zenith'])
})

onEachStore(t, 'GET …/sector: the sectors of an organization, by id', async (t, fixture) => {
  await load(fixture)
  for (const path of PORTFOLIO_PATHS('acme', 'sector'))
    t.strictSame(await read(fixture, path), { sectors: [HEALTH, WATER] }, path)
  for (const id of ['zenith', 'unknown'])
    for (const path of PORTFOLIO_PATHS(id, 'sector'))
      t.strictSame(await read(fixture, path), { sectors: [] }, path)
})

onEachStore(
  t,
  'GET …/introduction and …/summary: by language, then in the order of the file; lang filters',
  async (t, fixture) => {
    await load(fixture)
    const introduction = (lang: string, start: string) => ({
      introduction: { id: 'acme', lang, text: `${start} ${END}` },
    })
    const [first, second, premier] = [
      introduction('en', 'First'),
      introduction('en', 'Second'),
      introduction('fr', 'Premier'),
    ]
    for (const path of PORTFOLIO_PATHS('acme', 'introduction')) {
      t.strictSame(await read(fixture, path), { introductions: [first, second, premier] }, path)
      t.strictSame(await read(fixture, path, { lang: 'FR' }), { introductions: [premier] })
    }
    const summary = (lang: string, rank: number, highlight: string) => ({
      summary: { id: 'acme', lang, text: `Summary ${rank} of acme ${END}`, highlight },
    })
    for (const path of PORTFOLIO_PATHS('acme', 'summary')) {
      const [one, two, three] = [summary('en', 0, 'quoted'), summary('en', 1, ''), summary('fr', 0, 'quoted')]
      t.strictSame(
        await read(fixture, path),
        { summaries: [one, two, three] },
        'an absent highlight is empty',
      )
      t.strictSame(await read(fixture, path, { lang: 'en' }), { summaries: [one, two] })
    }
    t.strictSame(await read(fixture, '/portfolio/organization/unknown/introduction'), { introductions: [] })
    t.strictSame(await read(fixture, '/portfolio/organization/unknown/summary'), { summaries: [] })
  },
)

onEachStore(
  t,
  'GET …/program: wrapper programs; lim applies to all languages together',
  async (t, fixture) => {
    await load(fixture)
    const program = (lang: string, rank: number) => ({
      programs: {
        id: 'acme',
        lang,
        programTitle: `Program ${rank}`,
        programDescription: `Program ${rank} of acme ${END}`,
      },
    })
    const english = [0, 1, 2].map((rank) => program('en', rank))
    const french = [0, 1].map((rank) => program('fr', rank))
    for (const path of PORTFOLIO_PATHS('acme', 'program')) {
      t.strictSame(await read(fixture, path), { programs: [...english, ...french] })
      t.strictSame(await read(fixture, path, { lang: 'fr' }), { programs: french })
      t.strictSame(await read(fixture, path, { lim: '4' }), { programs: [...english, ...french.slice(0, 1)] })
      t.strictSame(await read(fixture, path, { lim: '2', offset: '2' }), {
        programs: [english[2], french[0]],
      })
      t.strictSame(await read(fixture, path, { lim: '2', offset: '9' }), { programs: [] })
      t.strictSame(
        await read(fixture, path, { offset: 'x' }),
        { programs: [...english, ...french] },
        'offset without lim is ignored',
      )
    }
  },
)

onEachStore(
  t,
  'GET …/challenge: ordered by its integer id, which the languages share',
  async (t, fixture) => {
    await load(fixture)
    const challenge = (id: number, lang: string) => ({
      challenge: { id, lang, text: `Challenge ${id} ${END}`, highlight: 'two lines' },
    })
    const all = [challenge(2, 'en'), challenge(2, 'fr'), challenge(10, 'en')]
    for (const path of PORTFOLIO_PATHS('acme', 'challenge')) {
      t.strictSame(await read(fixture, path), { challenges: all })
      t.strictSame(await read(fixture, path, { lang: 'en' }), { challenges: [all[0], all[2]] })
      t.strictSame(await read(fixture, path, { lim: '1', offset: '1' }), { challenges: [all[1]] })
    }
    t.strictSame(await read(fixture, '/portfolio/organization/zenith/challenge'), {
      challenges: [{ challenge: { id: 3, lang: 'fr', text: `Challenge 3 ${END}`, highlight: '' } }],
    })
  },
)

onEachStore(t, 'GET …/datasets: integers as JSON numbers, by year; year filters', async (t, fixture) => {
  await load(fixture)
  const dataset = (year: number, over: object = {}) => ({
    dataset: {
      id: 'acme',
      year,
      beneficiaries: 1200,
      ageFrom: '',
      ageTo: '',
      staffHeadcount: 12,
      budget: Number.MAX_SAFE_INTEGER,
      budgetCurrency: 'EUR',
      vrVideoUrl: '',
      ...over,
    },
  })
  const [first, second] = [
    dataset(2015),
    dataset(2017, { beneficiaries: 0, vrVideoUrl: 'https://example.org/vr' }),
  ]
  for (const path of PORTFOLIO_PATHS('acme', 'datasets')) {
    t.strictSame(await read(fixture, path), { datasets: [first, second] })
    t.strictSame(await read(fixture, path, { year: '2017' }), { datasets: [second] })
    t.strictSame(await read(fixture, path, { year: '2016' }), { datasets: [] })
    t.strictSame(await read(fixture, path, { year: '' }), { datasets: [first, second] })
  }
})

onEachStore(t, 'A7: the portfolio requires a token with the scope user', async (t, fixture) => {
  for (const path of [
    '/portfolio/',
    '/portfolio/sector',
    '/portfolio/organization',
    '/portfolio/organization/acme/program',
  ]) {
    t.equal((await fixture.call('GET', path, { as: 'user' })).status, 200)
    await seeProblem(t, await fixture.call('GET', path), 'invalid_token', path)
  }
})

onEachStore(t, 'The portfolio is read-only', async (t, fixture) => {
  for (const path of ['/portfolio/', '/portfolio/sector/health', '/portfolio/organization/acme'])
    for (const method of ['POST', 'PUT', 'DELETE'])
      await seeProblem(
        t,
        await fixture.call(method, path, { as: 'manager' }),
        'method_not_allowed',
        `${method} ${path}`,
      )
  t.equal((await fixture.call('HEAD', '/portfolio/organization', { as: 'user' })).status, 200)
  await seeProblem(t, await fixture.call('GET', '/portfolio/nothing', { as: 'user' }), 'not_found')
  await seeProblem(
    t,
    await fixture.call('GET', '/portfolio/organization/acme/nothing', { as: 'user' }),
    'not_found',
  )
})
