import { EMPTY_PORTFOLIO, type PortfolioName } from '@almoner/domain/portfolio'
import { sampleOrganization, samplePortfolio } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { done, type Fixture } from '../support/fixture.ts'
import { onEachStore, onServer } from '../support/items.ts'
import { PORTFOLIO_PATHS, read } from '../support/portfolio.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// What the parameters of the portfolio refuse (B4, B5, H2, H3, I1).

const PARTS = ['sector', 'introduction', 'summary', 'program', 'challenge', 'datasets']
const TEXTS = ['introduction', 'summary', 'program', 'challenge']
const PAGED = ['program', 'challenge']

/** The fields that a refused request names. */
const refusals =
  (t: Test, fixture: Fixture) =>
  async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const answer = await fixture.call('GET', path, { as: 'user', query })
    return fieldsOf(await seeProblem(t, answer, 'invalid_request', `${path} ${JSON.stringify(query)}`))
  }

onEachStore(t, 'H3: lists by organization need id', async (t, fixture) => {
  const refused = refusals(t, fixture)
  for (const part of PARTS)
    for (const query of [{}, { id: '' }])
      t.strictSame(await refused(`/portfolio/organization/${part}`, query), ['id'], part)
})

onEachStore(t, 'H2: id with lim or offset is 400, in the path too, and names them', async (t, fixture) => {
  const refused = refusals(t, fixture)
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  for (const [path, more] of [
    ['/portfolio/organization/', { id: 'acme' }],
    ['/portfolio/organization/acme', {}],
    ['/portfolio/organization/unknown', {}],
  ] as const) {
    t.strictSame(await refused(path, { ...more, lim: '1' }), ['lim'])
    t.strictSame(await refused(path, { ...more, offset: '0' }), ['offset'], 'without lim too')
    t.strictSame(await refused(path, { ...more, lim: '1', offset: '0' }), ['lim', 'offset'])
    t.strictSame(await refused(path, { ...more, lim: 'x', offset: '-1' }), ['lim', 'offset'], 'each once')
  }
  t.match(await read(fixture, '/portfolio/organization/', { id: '', lim: '1', offset: '1' }), {
    organizations: [{}],
  })
  t.match(
    await read(fixture, '/portfolio/organization/acme', { lim: '', offset: '' }),
    { organizations: [{}] },
    'empty is absent',
  )
})

onEachStore(t, 'B4: lim and offset on every list that accepts them', async (t, fixture) => {
  const refused = refusals(t, fixture)
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  const paths = ['/portfolio/organization/', ...PAGED.flatMap((part) => PORTFOLIO_PATHS('acme', part))]
  for (const path of paths) {
    for (const lim of ['0', '-1', 'x', '1.5', '2147483648', '+1'])
      t.strictSame(await refused(path, { lim }), ['lim'])
    for (const offset of ['-1', 'x', '2147483648'])
      t.strictSame(await refused(path, { lim: '1', offset }), ['offset'])
    for (const query of [{ offset: '-1' }, { lim: '2147483647', offset: '2147483647' }, { lim: '01' }])
      t.equal(
        (await fixture.call('GET', path, { as: 'user', query: query as Record<string, string> })).status,
        200,
      )
  }
})

onEachStore(t, 'B5: lang in any case, en or fr', async (t, fixture) => {
  const refused = refusals(t, fixture)
  for (const path of TEXTS.flatMap((part) => PORTFOLIO_PATHS('acme', part))) {
    for (const lang of ['de', 'english', ' fr']) t.strictSame(await refused(path, { lang }), ['lang'])
    for (const lang of ['EN', 'Fr', ''])
      t.equal((await fixture.call('GET', path, { as: 'user', query: { lang } })).status, 200)
  }
})

onEachStore(t, 'H2: year must be an integer', async (t, fixture) => {
  const refused = refusals(t, fixture)
  for (const path of PORTFOLIO_PATHS('acme', 'datasets')) {
    for (const year of ['x', '2015.5', '-2015', '20150', '0', ' 2015'])
      t.strictSame(await refused(path, { year }), ['year'])
    t.equal((await fixture.call('GET', path, { as: 'user', query: { year: '02015' } })).status, 200)
  }
})

onEachStore(
  t,
  'H2: joined outside 2015 to 2018 is 400, together with every other bad field',
  async (t, fixture) => {
    const refused = refusals(t, fixture)
    for (const joined of ['2014', '2019', 'x', '20155', '-2016', '2016.0'])
      for (const path of ['/portfolio/organization/', '/portfolio/organization/acme'])
        t.strictSame(await refused(path, { joined }), ['joined'])
    for (const joined of ['2015', '2016', '2017', '2018', ''])
      t.equal(
        (await fixture.call('GET', '/portfolio/organization', { as: 'user', query: { joined } })).status,
        200,
      )
    t.strictSame(await refused('/portfolio/organization', { joined: '2014', lim: '0', offset: 'x' }), [
      'joined',
      'lim',
      'offset',
    ])
    const { errors } = await seeProblem(
      t,
      await fixture.call('GET', '/portfolio/organization?joined=2030', { as: 'user' }),
      'invalid_request',
    )
    t.strictSame(errors, [{ field: 'joined', message: 'must be a year from 2015 to 2018' }])
  },
)

onServer(
  t,
  'H2: the years that joined accepts are a setting',
  async (t, fixture) => {
    const refused = refusals(t, fixture)
    t.strictSame(await refused('/portfolio/organization', { joined: '2015' }), ['joined'])
    t.equal((await fixture.call('GET', '/portfolio/organization?joined=2030', { as: 'user' })).status, 200)
  },
  { policy: { joinedYears: { first: 2020, last: 2030 } } },
)

onEachStore(t, 'B2: a repeated parameter is 400', async (t, fixture) => {
  const refused = refusals(t, fixture)
  t.strictSame(await refused('/portfolio/organization?id=a&id=b'), ['id'])
  t.strictSame(await refused('/portfolio/organization?name=a&name=b&joined=1&joined=2'), ['joined', 'name'])
  t.strictSame(await refused('/portfolio/organization/acme/program?lang=en&lang=fr'), ['lang'])
})

onEachStore(
  t,
  'H2: name matches words in any case, with and without accents, and has no wildcards',
  async (t, fixture) => {
    const refused = refusals(t, fixture)
    const names = ['École du Nord', 'L’École 100% libre', 'snake_case', 'Łódź Œuvre', 'plain']
    const organizations = names.map((name, n) => sampleOrganization(`o${n}`, { name: name as PortfolioName }))
    await done(fixture.ports.portfolio.replace({ ...EMPTY_PORTFOLIO, name: 'Names', organizations }))
    const named = async (name: string) => {
      const found = (await read(fixture, '/portfolio/organization', { name })) as {
        organizations: ReadonlyArray<{ organization: { name: string } }>
      }
      return found.organizations.map(({ organization }) => organization.name)
    }
    t.strictSame(await named('ecole'), names.slice(0, 2))
    t.strictSame(await named('  NORD \t école '), names.slice(0, 1))
    t.strictSame(await named('100%'), names.slice(1, 2))
    t.strictSame(await named('e_c'), names.slice(2, 3))
    t.strictSame(await named('lodz oeuvre'), names.slice(3, 4))
    t.strictSame(await named('ecole missing'), [])
    t.strictSame(await named(' '), names)
    t.strictSame(await refused('/portfolio/organization', { name: 'x'.repeat(201) }), ['name'])
    t.strictSame(await refused('/portfolio/organization?name=%00'), ['name'])
    t.strictSame(
      await named(Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' ')),
      [],
    )
  },
)

onEachStore(t, 'H1: ids with characters that need percent-encoding work in a path', async (t, fixture) => {
  const refused = refusals(t, fixture)
  const ids = ['été', '日本', 'a+b', 'a&b=c', 'A.B', '😀', "o'neill"]
  const organizations = ids.map((id) => sampleOrganization(id))
  await done(fixture.ports.portfolio.replace({ ...EMPTY_PORTFOLIO, name: 'Ids', organizations }))
  for (const id of ids) {
    t.match(await read(fixture, `/portfolio/organization/${encodeURIComponent(id)}`), {
      organizations: [{ organization: { id } }],
    })
    t.match(await read(fixture, '/portfolio/organization', { id }), {
      organizations: [{ organization: { id } }],
    })
  }
  t.strictSame(await refused('/portfolio/organization/%00'), ['id'])
})
