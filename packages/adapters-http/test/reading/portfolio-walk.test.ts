import { EMPTY_PORTFOLIO, type OrganizationId, type PortfolioName } from '@almoner/domain/portfolio'
import { sampleChallenge, sampleOrganization, sampleProgram } from '@almoner/testkit/contracts'
import t from 'tap'
import { BASE_URL, done, type Fixture } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { seeProblem } from '../support/problems.ts'

// C11 and C12, over the collections of the portfolio that take lim.

const IDS = Array.from({ length: 23 }, (_, n) => `o${n.toString().padStart(2, '0')}`)
const LANGS = ['en', 'fr'] as const
const ODD = 'a+b & é'

const load = ({ ports }: Fixture) =>
  done(
    ports.portfolio.replace({
      ...EMPTY_PORTFOLIO,
      name: 'Walk',
      organizations: [...IDS, ODD].map((id, n) =>
        sampleOrganization(id, {
          since: 2015 + (n % 2),
          name: (n % 3 === 0 ? 'Nord' : 'École du nord') as PortfolioName,
        }),
      ),
      programs: LANGS.flatMap((lang) => IDS.map((_, n) => sampleProgram(ODD, lang, n))),
      challenges: IDS.flatMap((_, n) => LANGS.map((lang) => sampleChallenge(ODD, n * 7, lang))),
    }),
  )

type Elements = ReadonlyArray<unknown>

const elementsOf = async (answer: Response): Promise<Elements> => {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  const [elements] = Object.values((await answer.json()) as Record<string, Elements>)
  return elements ?? []
}

/** The address behind a Link, as the service would see it, if it has the form that RFC 8288 gives it. */
const addressIn = (link: string): URL => {
  const address = /^<([^<>]+)>; rel="next"$/.exec(link)?.[1] ?? ''
  if (!address.startsWith(`${BASE_URL}/`)) throw new Error('not a next page of this service', { cause: link })
  return new URL(address)
}

/** Follows Link to the last page; each page but the last must be full. */
const walk = async (fixture: Fixture, path: string, lim: number): Promise<Elements> => {
  const all: Array<unknown> = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await fixture.call('GET', next, { as: 'user' })
    const link = answer.headers.get('link')
    const elements = await elementsOf(answer)
    if (link !== null && elements.length !== lim) throw new Error('a page with a next one must be full')
    all.push(...elements)
    const address = link === null ? undefined : addressIn(link)
    next = address === undefined ? undefined : `${address.pathname}${address.search}`
  }
  return all
}

const PATH = `/portfolio/organization/${encodeURIComponent(ODD)}`

onEachStore(
  t,
  'C11: following Link visits each element once, in the order of the whole collection',
  async (t, fixture) => {
    await load(fixture)
    for (const [path, count] of [
      ['/portfolio/organization/?', 24],
      ['/portfolio/organization?joined=2016&', 12],
      ['/portfolio/organization?name=nord+ecole&', 16],
      [`${PATH}/program?`, 46],
      [`${PATH}/program?lang=fr&`, 23],
      [`/portfolio/organization/program?${new URLSearchParams({ id: ODD })}&`, 46],
      [`${PATH}/challenge?`, 46],
      [`/portfolio/organization/challenge?${new URLSearchParams({ id: ODD, lang: 'EN' })}&`, 23],
    ] as const) {
      const whole = await elementsOf(await fixture.call('GET', path, { as: 'user' }))
      t.equal(whole.length, count, path)
      for (const lim of [1, 5, count - 1, count, count + 1])
        t.strictSame(await walk(fixture, `${path}lim=${lim}`, lim), whole, `${path} by ${lim}`)
      t.strictSame(await walk(fixture, `${path}lim=4&offset=6`, 4), whole.slice(6), `${path} from 6`)
    }
  },
)

onEachStore(
  t,
  'C11, A5: Link has the real path and the other parameters, never the token',
  async (t, fixture) => {
    await load(fixture)
    const token = await fixture.token('user')
    const linkOf = async (path: string, query: Readonly<Record<string, string>>) => {
      const answer = await fixture.call('GET', path, {
        query: { ...query, access_token: token, unknown: 'x' },
      })
      const link = answer.headers.get('link') ?? ''
      t.notMatch(link, token)
      return addressIn(link)
    }
    const organizations = await linkOf('/portfolio/organization', {
      name: 'École nord',
      joined: '2015',
      lim: '2',
      offset: '1',
    })
    t.equal(organizations.pathname, '/portfolio/organization/')
    const { after, ...kept } = Object.fromEntries(organizations.searchParams)
    t.strictSame(kept, { name: 'École nord', joined: '2015', lim: '2' })
    t.ok(after)
    const inPath = await linkOf(`${PATH}/program`, { lang: 'Fr', lim: '3', id: 'other' })
    t.equal(decodeURIComponent(inPath.pathname), `/portfolio/organization/${ODD}/program`)
    t.strictSame(
      [...inPath.searchParams.keys()].sort(),
      ['after', 'lang', 'lim'],
      'parameters of the path are not repeated',
    )
    const asParameter = await linkOf('/portfolio/organization/challenge', { id: ODD, lim: '3' })
    t.equal(asParameter.pathname, '/portfolio/organization/challenge')
    t.strictSame([...asParameter.searchParams.keys()].sort(), ['after', 'id', 'lim'])
    t.equal(asParameter.searchParams.get('id'), ODD)
  },
)

onEachStore(
  t,
  'C11: there is no Link without lim, on the last page, or on collections without paging',
  async (t, fixture) => {
    await load(fixture)
    for (const path of [
      '/portfolio/organization',
      '/portfolio/organization?lim=24',
      '/portfolio/organization?lim=1&offset=23',
      '/portfolio/organization/o01',
      `${PATH}/program`,
      `${PATH}/program?lim=46`,
      '/portfolio/sector?lim=1',
      `${PATH}/summary?lim=1`,
    ])
      t.equal((await fixture.call('GET', path, { as: 'user' })).headers.get('link'), null, path)
  },
)

onEachStore(t, 'C11: a cursor that no Link contained is 400', async (t, fixture) => {
  for (const [path, places] of [
    [`${PATH}/program?lim=1`, ['x', 'en', 'de~1', 'en~x', '~', 'en~1~2', 'EN~1']],
    [`${PATH}/challenge?lim=1`, ['x', '1', '1~de', 'x~en', '1~en~']],
  ] as const)
    for (const after of places)
      await seeProblem(
        t,
        await fixture.call('GET', path, { as: 'user', query: { after } }),
        'invalid_request',
        after,
      )
})

onEachStore(t, 'C12: a collection of thousands is complete, and large pages too', async (t, fixture) => {
  const ids = Array.from({ length: 3000 }, (_, n) => `o${n.toString().padStart(5, '0')}` as OrganizationId)
  const organizations = ids.map((id) => sampleOrganization(id))
  await done(fixture.ports.portfolio.replace({ ...EMPTY_PORTFOLIO, name: 'Many', organizations }))
  const idsIn = (elements: Elements) =>
    elements.map((element) => (element as { organization: { id: string } }).organization.id)
  t.strictSame(
    idsIn(await elementsOf(await fixture.call('GET', '/portfolio/organization', { as: 'user' }))),
    ids,
  )
  t.strictSame(idsIn(await walk(fixture, '/portfolio/organization?lim=1200', 1200)), ids)
})
