import type { PortfolioImageName } from '@almoner/domain/media'
import {
  type Age,
  type Challenge,
  type ChallengeCursor,
  type ChallengeId,
  type Currency,
  type Dataset,
  EMPTY_PORTFOLIO,
  type OrganizationId,
  type OrganizationInSectors,
  type OrganizationQuery,
  type PortfolioContent,
  type PortfolioName,
  type PortfolioText,
  type Program,
  type Sector,
  type SectorId,
  type Summary,
  type TextCursor,
  type TextQuery,
} from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import {
  collect,
  type Language,
  type PageRequest,
  type ResultSet,
  type WebUrl,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done } from '../samples.ts'

/** A portfolio for one test, with its own data. */
export type PortfolioUnderTest = UnderTest<'portfolio'>

/** Registers a test on a portfolio with this content; none means that nothing was ever loaded. */
export const givenPortfolio =
  (runner: ContractRunner, make: () => Promise<PortfolioUnderTest>) =>
  (
    name: string,
    content: PortfolioContent | undefined,
    body: (check: Check, portfolio: Portfolio) => Promise<void>,
  ): void =>
    onEach(runner, make, async ({ portfolio }) => {
      if (content !== undefined) await done(portfolio.replace(content))
      return portfolio
    })(name, body)

const image = (stem: string): PortfolioImageName => `${stem}.0123456789abcdef.svg` as PortfolioImageName

/** A sector with a name in each language. */
export const sampleSector = (
  id: string,
  over: Partial<Sector<PortfolioImageName>> = {},
): Sector<PortfolioImageName> => ({
  id: id as SectorId,
  names: {
    en: O.some(`${id} in English` as PortfolioName),
    fr: O.some(`${id} en français` as PortfolioName),
  },
  logo: image('sector'),
  ...over,
})

/** An organization in no sector. */
export const sampleOrganization = (
  id: string,
  over: Partial<OrganizationInSectors<PortfolioImageName>> = {},
): OrganizationInSectors<PortfolioImageName> => ({
  id: id as OrganizationId,
  name: `Organization ${id}` as PortfolioName,
  since: 2016,
  founded: 1999,
  website: O.some('https://example.org/?q=é' as WebUrl),
  sectors: [],
  logo: image('logo'),
  visual: image('visual'),
  ...over,
})

const common = (organization: string, lang: Language, rank: number) => ({
  organization: organization as OrganizationId,
  lang,
  rank,
})

const text = (words: string): PortfolioText => `${words} "quoted",\nin two lines 日本語 😀` as PortfolioText

/** The summary at a position; every other one has a highlight. */
export const sampleSummary = (organization: string, lang: Language, rank = 0): Summary => ({
  ...common(organization, lang, rank),
  text: text(`Summary ${rank} of ${organization}`),
  highlight: rank % 2 === 0 ? O.some('quoted' as PortfolioText) : O.none,
})

/** The program at a position. */
export const sampleProgram = (organization: string, lang: Language, rank = 0): Program => ({
  ...common(organization, lang, rank),
  title: `Program ${rank}` as PortfolioName,
  description: text(`Program ${rank} of ${organization}`),
})

/** A challenge in one language; those of even ids have a highlight. */
export const sampleChallenge = (organization: string, id: number, lang: Language): Challenge => ({
  organization: organization as OrganizationId,
  id: id as ChallengeId,
  lang,
  text: text(`Challenge ${id}`),
  highlight: id % 2 === 0 ? O.some('two lines' as PortfolioText) : O.none,
})

/** A dataset of an organization, with the largest budget that a number can represent exactly. */
export const sampleDataset = (organization: string, year: number, over: Partial<Dataset> = {}): Dataset => ({
  organization: organization as OrganizationId,
  year,
  beneficiaries: 1200,
  ageFrom: O.none,
  ageTo: O.none,
  staffHeadcount: 12,
  budget: Number.MAX_SAFE_INTEGER,
  budgetCurrency: 'EUR' as Currency,
  vrVideoUrl: O.none,
  ...over,
})

/** A small portfolio in which every table has rows, in the order in which it is returned. */
export const samplePortfolio = (): PortfolioContent => ({
  name: 'The portfolio',
  sectors: [
    sampleSector('arts', { names: { en: O.none, fr: O.some('Arts' as PortfolioName) } }),
    sampleSector('health'),
    sampleSector('water'),
  ],
  organizations: [
    sampleOrganization('acme', { sectors: ['health' as SectorId, 'water' as SectorId] }),
    sampleOrganization('zenith', { since: 2018, website: O.none }),
  ],
  introductions: [
    { ...common('acme', 'en', 0), text: text('First') },
    { ...common('acme', 'en', 1), text: text('Second') },
    { ...common('acme', 'fr', 0), text: text('Premier') },
    { ...common('zenith', 'fr', 0), text: text('Zénith') },
  ],
  summaries: [sampleSummary('acme', 'en'), sampleSummary('acme', 'en', 1), sampleSummary('acme', 'fr')],
  programs: [
    ...[0, 1, 2].map((rank) => sampleProgram('acme', 'en', rank)),
    ...[0, 1].map((rank) => sampleProgram('acme', 'fr', rank)),
    sampleProgram('zenith', 'en'),
  ],
  challenges: [
    sampleChallenge('acme', 2, 'en'),
    sampleChallenge('acme', 2, 'fr'),
    sampleChallenge('acme', 10, 'en'),
    sampleChallenge('zenith', 3, 'fr'),
  ],
  datasets: [
    sampleDataset('acme', 2015),
    sampleDataset('acme', 2017, { beneficiaries: 0, vrVideoUrl: O.some('https://example.org/vr' as WebUrl) }),
    sampleDataset('zenith', 2016, { ageFrom: O.some('6' as Age), ageTo: O.some('14' as Age) }),
  ],
})

const ALL: OrganizationQuery = { id: O.none, words: [], joined: O.none }

const of = (organization: string, lang: TextQuery['lang'] = O.none): TextQuery => ({
  organization: organization as OrganizationId,
  lang,
})

const withOrganizations = (organizations: PortfolioContent['organizations']): PortfolioContent => ({
  ...EMPTY_PORTFOLIO,
  name: 'Many',
  organizations,
})

/** Contract tests of pages and whole collections of the portfolio (B4, C11, C12). */
export const portfolioPagesContract = (
  runner: ContractRunner,
  make: () => Promise<PortfolioUnderTest>,
): void => {
  const given = givenPortfolio(runner, make)

  given(
    'H1, I6: thousands of rows are replaced whole, and read in their order',
    undefined,
    async (check, portfolio) => {
      const base = withOrganizations([sampleOrganization('acme'), sampleOrganization('zenith')])
      const large = (length: number): PortfolioContent => ({
        ...base,
        challenges: Array.from({ length }, (_, at) => ({
          organization: (at < length / 2 ? 'acme' : 'zenith') as OrganizationId,
          id: at as ChallengeId,
          lang: 'en' as const,
          text: `Challenge ${at}` as PortfolioText,
          highlight: O.none,
        })),
      })
      for (const length of [1300, 1000, 500, 0]) {
        await done(portfolio.replace(large(length)))
        const { challenges } = await done(portfolio.content())
        check.same(challenges, large(length).challenges)
      }
    },
  )

  /** Asserts that every page of a list is a slice, and that following `next` visits each element once, in full pages. */
  const walks = async <A, P>(
    check: Check,
    list: (window: PageRequest<P>) => Promise<ResultSet<A, P>>,
    lims: ReadonlyArray<number>,
  ) => {
    const whole = await collect(await list(WHOLE_COLLECTION))
    for (const lim of lims) {
      const walked: Array<A> = []
      for (let after: O.Option<P> = O.none; ; ) {
        const page = await list({ lim: O.some(lim), offset: 0, after })
        const items = await collect(page)
        walked.push(...items)
        if (O.isNone(page.next)) break
        check.same(items.length, lim, 'a page before the last is full')
        after = page.next
      }
      check.same(walked, whole, `by ${lim}`)
      for (const offset of [0, 1, whole.length - 1, whole.length, whole.length + 7]) {
        const page = await list({ lim: O.some(lim), offset, after: O.none })
        check.same(await collect(page), whole.slice(offset, offset + lim), `${lim} from ${offset}`)
        check.same(O.isSome(page.next), offset + lim < whole.length)
      }
    }
  }

  given(
    'C11: programs and challenges of all languages are paged together',
    undefined,
    async (check, portfolio) => {
      const numbers = Array.from({ length: 12 }, (_, n) => n)
      const langs = ['en', 'fr'] as const
      await done(
        portfolio.replace({
          ...withOrganizations([sampleOrganization('acme'), sampleOrganization('zenith')]),
          programs: langs.flatMap((lang) => numbers.map((n) => sampleProgram('acme', lang, n))),
          challenges: langs.flatMap((lang) => numbers.map((n) => sampleChallenge('acme', n * 3, lang))),
        }),
      )
      const programs = (window: PageRequest<TextCursor>) => done(portfolio.programs(of('acme'), window))
      await walks(check, programs, [1, 5, 12, 24, 25, 1000])
      const french = (window: PageRequest<TextCursor>) =>
        done(portfolio.programs(of('acme', O.some('fr')), window))
      await walks(check, french, [1, 5, 12])
      const challenges = (window: PageRequest<ChallengeCursor>) =>
        done(portfolio.challenges(of('acme'), window))
      await walks(check, challenges, [1, 7, 24, 1000])
    },
  )

  given(
    'B4, C11: sectors, introductions, summaries and datasets are paged',
    samplePortfolio(),
    async (check, portfolio) => {
      const ofAcme = { organization: 'acme' as OrganizationId, year: O.none }
      const everySector = { id: O.none, organization: O.none }
      await walks(
        check,
        (window: PageRequest<SectorId>) => done(portfolio.sectors(everySector, window)),
        [1, 2, 3],
      )
      await walks(
        check,
        (window: PageRequest<TextCursor>) => done(portfolio.introductions(of('acme'), window)),
        [1, 2, 3],
      )
      await walks(
        check,
        (window: PageRequest<TextCursor>) => done(portfolio.summaries(of('acme'), window)),
        [1, 2, 3],
      )
      await walks(check, (window: PageRequest<number>) => done(portfolio.datasets(ofAcme, window)), [1, 2])
    },
  )

  const MANY = Array.from({ length: 1100 }, (_, n) => `o${n}`)

  given(
    'B4, C11: organizations are paged, in small and large pages, with and without filters',
    withOrganizations(
      MANY.map((id, n) =>
        sampleOrganization(id, {
          since: 2015 + (n % 3),
          name: (n % 2 === 0 ? 'Élan' : 'Nord') as PortfolioName,
        }),
      ),
    ),
    async (check, portfolio) => {
      const list = (query: Partial<OrganizationQuery>) => (window: PageRequest<OrganizationId>) =>
        done(portfolio.organizations({ ...ALL, ...query }, window))
      await walks(check, list({}), [100, 600, 1100, 2147483647])
      await walks(check, list({ words: ['elan'], joined: O.some(2016) }), [7, 183, 184])
    },
  )

  given(
    'C12: a whole collection is one snapshot: a concurrent load does not show',
    withOrganizations(MANY.map((id) => sampleOrganization(id))),
    async (check, portfolio) => {
      const idsIn = async () =>
        (await collect(await done(portfolio.organizations(ALL, WHOLE_COLLECTION)))).map(({ id }) => id)
      const before = await idsIn()
      const listing = await done(portfolio.organizations(ALL, WHOLE_COLLECTION))
      const iterator = listing.batches[Symbol.asyncIterator]()
      const first = await iterator.next()
      const seen: Array<string> = first.done === true ? [] : first.value.map(({ id }) => id)
      await done(portfolio.replace(withOrganizations([sampleOrganization('new')])))
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        seen.push(...next.value.map(({ id }) => id))
      check.same(seen, before)
      check.same(await idsIn(), ['new'])
    },
  )
}
