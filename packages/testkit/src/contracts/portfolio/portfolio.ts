import { portfolioImagePath } from '@almoner/domain/media'
import {
  EMPTY_PORTFOLIO,
  foldedWords,
  matchesOrganization,
  type OrganizationId,
  type OrganizationQuery,
  type PortfolioContent,
  type PortfolioName,
  type SectorId,
  storedImagesOf,
  type TextQuery,
} from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import {
  collect,
  compareText,
  type PageRequest,
  type ResultSet,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { ContractRunner } from '../runner.ts'
import { done, failure } from '../samples.ts'
import {
  givenPortfolio,
  type PortfolioUnderTest,
  sampleOrganization,
  samplePortfolio,
  sampleSector,
} from './pages.ts'

const ALL: OrganizationQuery = { id: O.none, words: [], joined: O.none }

const of = (organization: string, lang: TextQuery['lang'] = O.none): TextQuery => ({
  organization: organization as OrganizationId,
  lang,
})

const inSector = (organization: O.Option<string>, id: O.Option<string> = O.none) => ({
  id: id as O.Option<SectorId>,
  organization: organization as O.Option<OrganizationId>,
})

const withOrganizations = (organizations: PortfolioContent['organizations']): PortfolioContent => ({
  ...EMPTY_PORTFOLIO,
  name: 'Many',
  organizations,
})

/** Ids whose order by code points differs from their order by letters, by case or by UTF-16 units. */
const IDS = ['10', '9', 'B', 'a', 'b', 'é', '～', '😀', 'Å', 'aa', 'a-b', '日本']

/** Names that differ in accents, case and letters that do not decompose, or contain characters special to LIKE. */
const NAMES = [
  'École du Nord',
  'ecole du sud',
  'L’École, 100% libre',
  '100 pour cent',
  '1000 arbres',
  'snake_case',
  'snakeXcase',
  'Œuvre Łódź',
  'Straße! [a-z]*',
  'back\\slash',
  'İstanbul ışık',
  'ΟΔΟΣ',
  'x',
]

const FRAGMENTS = [
  'ecole',
  'ÉCOLE',
  'École',
  'nord ecole',
  'ecole nord',
  "l'ecole",
  '100%',
  '%',
  '_',
  'snake_',
  'oeuvre lodz',
  'STRASSE',
  '!',
  '[a-z]',
  '*',
  '\\',
  'back\\s',
  'istanbul ISIK',
  'οδος',
  'nothing',
  ' \t ',
  'e',
  'x x',
]

/** Contract tests of the portfolio (H1 to H3). */
export const portfolioContract = (runner: ContractRunner, make: () => Promise<PortfolioUnderTest>): void => {
  const given = givenPortfolio(runner, make)

  const organizationsIn = async (
    portfolio: Portfolio,
    query: Partial<OrganizationQuery> = {},
    window: PageRequest<OrganizationId> = WHOLE_COLLECTION,
  ) => (await collect(await done(portfolio.organizations({ ...ALL, ...query }, window)))).map(({ id }) => id)

  given('H3: before the first load the portfolio is empty', undefined, async (check, portfolio) => {
    check.same(await done(portfolio.head()), { name: '', organizations: 0 })
    check.same(await done(portfolio.content()), EMPTY_PORTFOLIO)
    check.same(await organizationsIn(portfolio), [])
    check.same(await done(portfolio.images()), [])
  })

  given('H1: a load stores all content', samplePortfolio(), async (check, portfolio) => {
    check.same(await done(portfolio.content()), samplePortfolio())
    check.same(await done(portfolio.head()), { name: 'The portfolio', organizations: 2 })
    const paths = (await done(portfolio.images())).map(portfolioImagePath).sort()
    check.same(paths, storedImagesOf(samplePortfolio()).map(portfolioImagePath).sort())
  })

  given('H1: a load replaces everything', samplePortfolio(), async (check, portfolio) => {
    const other = withOrganizations([sampleOrganization('acme')])
    await done(portfolio.replace(other))
    check.same(await done(portfolio.content()), other)
    check.same(await collect(await done(portfolio.programs(of('acme'), WHOLE_COLLECTION))), [])
    check.same(await collect(await done(portfolio.sectors(inSector(O.some('acme')), WHOLE_COLLECTION))), [])
    await done(portfolio.replace(EMPTY_PORTFOLIO))
    check.same(await done(portfolio.head()), { name: '', organizations: 0 })
  })

  given(
    'H3: organizations and sectors are ordered by the code points of their ids',
    {
      ...withOrganizations(IDS.map((id) => sampleOrganization(id))),
      sectors: IDS.map((id) => sampleSector(id)),
    },
    async (check, portfolio) => {
      const ordered = IDS.toSorted(compareText)
      check.same(await organizationsIn(portfolio), ordered)
      const sectors = await collect(await done(portfolio.sectors(inSector(O.none), WHOLE_COLLECTION)))
      check.same(
        sectors.map(({ id }) => id),
        ordered,
      )
      const after = O.some('b' as OrganizationId)
      check.same(await organizationsIn(portfolio, {}, { lim: O.none, offset: 0, after }), [
        ...ordered.slice(ordered.indexOf('b') + 1),
      ])
    },
  )

  given(
    'H3: sectors can be listed by organization, by id, or by both',
    samplePortfolio(),
    async (check, portfolio) => {
      const ids = async (organization: O.Option<string>, id: O.Option<string> = O.none) =>
        (await collect(await done(portfolio.sectors(inSector(organization, id), WHOLE_COLLECTION)))).map(
          (sector) => sector.id,
        )
      check.same(await ids(O.none), ['arts', 'health', 'water'])
      const all = await collect(await done(portfolio.sectors(inSector(O.none), WHOLE_COLLECTION)))
      check.same(all, samplePortfolio().sectors, 'with all their fields')
      check.same(await ids(O.some('acme')), ['health', 'water'])
      check.same(await ids(O.some('zenith')), [])
      check.same(await ids(O.some('unknown')), [])
      check.same(await ids(O.none, O.some('arts')), ['arts'])
      check.same(await ids(O.none, O.some('unknown')), [])
      check.same(await ids(O.some('acme'), O.some('arts')), [])
      check.same(await ids(O.some('acme'), O.some('water')), ['water'])
    },
  )

  given(
    'H2: names match if they contain all words, ignoring case and accents; % and _ have no special meaning',
    withOrganizations(
      NAMES.map((name, n) =>
        sampleOrganization(`o${n}`, { name: name as PortfolioName, since: 2015 + (n % 2) }),
      ),
    ),
    async (check, portfolio) => {
      const named = async (fragment: string) => {
        const ids = await organizationsIn(portfolio, { words: foldedWords(fragment) })
        return ids.map((id) => NAMES[Number(id.slice(1))]).sort()
      }
      check.same(await named('ecole'), ['ecole du sud', 'L’École, 100% libre', 'École du Nord'].sort())
      check.same(await named('100%'), ['L’École, 100% libre'])
      check.same(await named('snake_c'), ['snake_case'])
      const all = await collect(await done(portfolio.organizations(ALL, WHOLE_COLLECTION)))
      for (const joined of [O.none, O.some(2015)])
        for (const fragment of FRAGMENTS) {
          const query = { ...ALL, words: foldedWords(fragment), joined }
          const expected = all.filter(matchesOrganization(query)).map(({ id }) => id)
          check.same(await organizationsIn(portfolio, query), expected, fragment)
        }
    },
  )

  given(
    'H1: of two loads that were reviewed against one portfolio, the second one is refused',
    samplePortfolio(),
    async (check, portfolio) => {
      const before = await done(portfolio.content())
      const content = { ...before, name: 'First' }
      await done(portfolio.replaceReviewed({ before, content }))
      const second = { before, content: { ...before, name: 'Second' } }
      check.same(await failure(portfolio.replaceReviewed(second)), 'PortfolioChanged')
      check.same((await done(portfolio.head())).name, 'First')
      await done(portfolio.replaceReviewed({ ...second, before: content }))
      check.same((await done(portfolio.head())).name, 'Second')
    },
  )

  given('H2: each added filter narrows the result', samplePortfolio(), async (check, portfolio) => {
    const id = O.some('zenith' as OrganizationId)
    const [acme] = await collect(await done(portfolio.organizations(ALL, WHOLE_COLLECTION)))
    check.same({ ...acme, sectors: [] }, sampleOrganization('acme'), 'with all its fields')
    check.same(await organizationsIn(portfolio, { id }), ['zenith'])
    check.same(await organizationsIn(portfolio, { joined: O.some(2018) }), ['zenith'])
    check.same(await organizationsIn(portfolio, { joined: O.some(2018), words: ['acme'] }), [])
    check.same(await organizationsIn(portfolio, { id, joined: O.some(2016) }), [])
    check.same(await organizationsIn(portfolio, { id, words: ['zenith', 'organ'] }), ['zenith'])
    check.same(await organizationsIn(portfolio, { id: O.some('nobody' as OrganizationId) }), [])
  })

  given(
    'H3: texts and datasets are those of one organization, in order',
    samplePortfolio(),
    async (check, portfolio) => {
      const { introductions, summaries, programs, challenges, datasets } = samplePortfolio()
      const read = async <A, P>(listing: Promise<ResultSet<A, P>>) => collect(await listing)
      for (const organization of ['acme', 'zenith', 'unknown'])
        for (const lang of [O.none, O.some('en' as const), O.some('fr' as const)]) {
          const query = of(organization, lang)
          const mine = <A extends { readonly organization: string; readonly lang: string }>(
            all: ReadonlyArray<A>,
          ) =>
            all.filter(
              (one) => one.organization === organization && (O.isNone(lang) || lang.value === one.lang),
            )
          check.same(await read(done(portfolio.introductions(query, WHOLE_COLLECTION))), mine(introductions))
          check.same(await read(done(portfolio.summaries(query, WHOLE_COLLECTION))), mine(summaries))
          check.same(await read(done(portfolio.programs(query, WHOLE_COLLECTION))), mine(programs))
          check.same(await read(done(portfolio.challenges(query, WHOLE_COLLECTION))), mine(challenges))
        }
      const figures = async (organization: string, year: O.Option<number>) =>
        read(
          done(portfolio.datasets({ organization: organization as OrganizationId, year }, WHOLE_COLLECTION)),
        )
      check.same(await figures('acme', O.none), datasets.slice(0, 2))
      check.same(await figures('zenith', O.none), datasets.slice(2))
      check.same(await figures('acme', O.some(2017)), datasets.slice(1, 2))
      check.same(await figures('acme', O.some(2016)), [])
      check.same(await figures('unknown', O.none), [])
    },
  )
}
