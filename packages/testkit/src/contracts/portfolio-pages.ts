import {
  type ChallengeCursor,
  type ChallengeId,
  EMPTY_PORTFOLIO,
  type OrganizationId,
  type OrganizationQuery,
  type PortfolioContent,
  type PortfolioName,
  type PortfolioText,
  type SectorId,
  type TextCursor,
  type TextQuery,
} from '@almoner/domain/portfolio'
import { type PageRequest, type ResultSet, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { collect } from './item-store.ts'
import { givenPortfolio, type PortfolioUnderTest } from './portfolio-given.ts'
import { sampleChallenge, sampleOrganization, samplePortfolio, sampleProgram } from './portfolio-samples.ts'
import type { Check, ContractRunner } from './runner.ts'
import { done } from './samples.ts'

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
