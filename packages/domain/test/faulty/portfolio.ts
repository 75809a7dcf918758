import type { OrganizationQuery, PortfolioContent } from '@almoner/domain/portfolio'
import type { Portfolio } from '@almoner/domain/ports'
import { collect, listingOf } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

const loading =
  (change: (content: PortfolioContent) => Partial<PortfolioContent>) =>
  ({ replace }: Portfolio): Partial<Portfolio> => ({
    replace: (content, act) => replace({ ...content, ...change(content) }, act),
  })

const querying =
  (change: (query: OrganizationQuery) => Partial<OrganizationQuery>) =>
  ({ organizations }: Portfolio): Partial<Portfolio> => ({
    organizations: (query, window) => organizations({ ...query, ...change(query) }, window),
  })

const byUnits = <A extends { readonly id: string }>(all: ReadonlyArray<A>) =>
  [...all].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Faults of the portfolio. */
export const PORTFOLIO_FAULTS: Faults<'portfolio'> = {
  portfolio: {
    'has a name before the first load': [
      'H3: before the first load the portfolio is empty',
      ({ head }) => ({
        head: returning(head, (found) => ({ ...found, name: found.name || 'Portfolio' })),
      }),
    ],
    'loses the highlights of challenges': [
      'H1: a load stores all content',
      loading(({ challenges }) => ({
        challenges: challenges.map((challenge) => ({ ...challenge, highlight: O.none })),
      })),
    ],
    'rounds budgets': [
      'H1: a load stores all content',
      loading(({ datasets }) => ({
        datasets: datasets.map((dataset) => ({ ...dataset, budget: Math.fround(dataset.budget) })),
      })),
    ],
    'adds to the earlier load': [
      'H1: a load replaces everything',
      ({ content, replace }) => ({
        replace: (next, act) =>
          pipe(
            content(),
            TE.flatMap(({ programs }) =>
              replace({ ...next, programs: [...programs, ...next.programs] }, act),
            ),
          ),
      }),
    ],
    'knows no images': ['H1: a load stores all content', () => ({ images: () => TE.right([]) })],
    'orders organizations by UTF-16 units': [
      'H3: organizations and sectors are ordered by the code points of their ids',
      ({ organizations }) => ({
        organizations: returning(organizations, (page) => listingOf(byUnits(page.loaded ?? []), page.next)),
      }),
    ],
    'lists sectors without their logos': [
      'H3: sectors can be listed by organization, by id, or by both',
      ({ sectors }) => ({
        sectors: returning(sectors, (page) =>
          listingOf(
            (page.loaded ?? []).map((sector) => ({ ...sector, logo: '' as typeof sector.logo })),
            page.next,
          ),
        ),
      }),
    ],
    'lists organizations without their websites': [
      'H2: each added filter narrows the result',
      ({ organizations }) => ({
        organizations: returning(organizations, (page) =>
          listingOf(
            (page.loaded ?? []).map((organization) => ({ ...organization, website: O.none })),
            page.next,
          ),
        ),
      }),
    ],
    'forgets ages in datasets': [
      'H3: texts and datasets are those of one organization',
      ({ datasets }) => ({
        datasets: returning(datasets, (page) =>
          listingOf(
            (page.loaded ?? []).map((dataset) => ({ ...dataset, ageFrom: O.none })),
            page.next,
          ),
        ),
      }),
    ],
    'lists all sectors of an organization': [
      'H3: sectors can be listed by organization, by id, or by both',
      ({ sectors }) => ({ sectors: (query, window) => sectors({ ...query, organization: O.none }, window) }),
    ],
    'needs the first word of a name only': [
      'H2: names match if they contain all words',
      querying(({ words }) => ({ words: words.slice(0, 1) })),
    ],
    'ignores the words': ['H2: names match if they contain all words', querying(() => ({ words: [] }))],
    'ignores the year of joining': [
      'H2: each added filter narrows the result',
      querying(() => ({ joined: O.none })),
    ],
    'ignores the words beside an id': [
      'H2: each added filter narrows the result',
      querying(({ id, joined }) => (O.isSome(id) && O.isSome(joined) ? { joined: O.none } : {})),
    ],
    'accepts a load that was reviewed against another portfolio': [
      'H1: of two loads that were reviewed against one portfolio, the second one is refused',
      ({ replace }) => ({ replaceReviewed: ({ content }, act) => replace(content, act) }),
    ],
    'lists texts of all languages': [
      'H3: texts and datasets are those of one organization, in order',
      ({ programs }) => ({ programs: (query, window) => programs({ ...query, lang: O.none }, window) }),
    ],
    'lists datasets of all years': [
      'H3: texts and datasets are those of one organization',
      ({ datasets }) => ({ datasets: (query, window) => datasets({ ...query, year: O.none }, window) }),
    ],
    'orders challenges by their text': [
      'H1, I6: thousands of rows are replaced whole, and read in their order',
      ({ content }) => ({
        content: returning(content, (found) => ({
          ...found,
          challenges: [...found.challenges].sort((a, b) => (a.text < b.text ? -1 : 1)),
        })),
      }),
    ],
    'continues a page of programs in French': [
      'C11: programs and challenges of all languages are paged together',
      ({ programs }) => ({
        programs: (query, window) =>
          programs(O.isSome(window.after) ? { ...query, lang: O.some('fr') } : query, window),
      }),
    ],
    'ignores the offset among sectors': [
      'B4, C11: sectors, introductions, summaries and datasets are paged',
      ({ sectors }) => ({ sectors: (query, window) => sectors(query, { ...window, offset: 0 }) }),
    ],
    'skips one organization too many': [
      'B4, C11: organizations are paged',
      ({ organizations }) => ({
        organizations: (query, window) =>
          organizations(query, { ...window, offset: window.offset > 0 ? window.offset + 1 : 0 }),
      }),
    ],
    'shows a load in the middle of a collection': [
      'C12: a whole collection is one snapshot: a concurrent load does not show',
      ({ organizations }) => ({
        organizations: (query, window) => {
          const batches = async function* () {
            for (let offset = 0, more = true; more; offset += 100) {
              const page = await organizations(query, { lim: O.some(100), offset, after: window.after })()
              if (E.isLeft(page)) throw new Error('unavailable')
              more = O.isSome(page.right.next)
              yield await collect(page.right)
            }
          }
          return O.isSome(window.lim)
            ? organizations(query, window)
            : TE.right({ batches: batches(), next: O.none })
        },
      }),
    ],
    'leaves no record of a load': [
      'K1: notifications, clients and the portfolio leave records',
      ({ replace }) => ({ replace: (content) => replace(content) }),
    ],
    'records a load that changes nothing': [
      'H1, K1: loading the same portfolio again leaves no record',
      ({ replace }) => ({
        replace: (content, act) =>
          pipe(
            replace({ ...content, name: `${content.name} ` }),
            TE.flatMap(() => replace(content, act)),
          ),
      }),
    ],
  },
}
