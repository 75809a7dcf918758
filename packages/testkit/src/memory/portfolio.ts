import type { TimedAct } from '@almoner/domain/access'
import {
  challengeCursor,
  compareChallengeCursors,
  compareNumbers,
  comparePortfolios,
  compareTextCursors,
  datasetCursor,
  matchesDataset,
  matchesOrganization,
  matchesText,
  organizationCursor,
  PORTFOLIO_CHANGED,
  type PortfolioContent,
  type SectorQuery,
  sectorCursor,
  storedImagesOf,
  textCursor,
} from '@almoner/domain/portfolio'
import type { Portfolio, PortfolioList } from '@almoner/domain/ports'
import { compareText } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { changePortfolio } from './changes.ts'
import { recordAct } from './history.ts'
import type { Tables } from './tables.ts'
import { paginate } from './values.ts'

/** Reads a table of the portfolio: an array that the domain's rules filter and sort. */
interface Listed<A, Query, P> {
  readonly all: (content: PortfolioContent) => ReadonlyArray<A>
  readonly matches: (query: Query, content: PortfolioContent) => (item: A) => boolean
  readonly cursor: (item: A) => P
  readonly compare: (a: P, b: P) => number
}

const lister =
  (tables: Tables) =>
  <A, Query, P>({ all, matches, cursor, compare }: Listed<A, Query, P>): PortfolioList<Query, A, P> =>
  (query, window) =>
    TE.fromIO(() => {
      const ordered = all(tables.portfolio)
        .filter(matches(query, tables.portfolio))
        .toSorted((a, b) => compare(cursor(a), cursor(b)))
      return paginate(ordered, window, cursor, compare)
    })

const matchesSector = ({ id, organization }: SectorQuery, { organizations }: PortfolioContent) => {
  const held = O.isSome(organization)
    ? organizations.find((candidate) => candidate.id === organization.value)?.sectors
    : undefined
  return (sector: PortfolioContent['sectors'][number]): boolean =>
    (O.isNone(id) || id.value === sector.id) && (O.isNone(organization) || held?.includes(sector.id) === true)
}

const byOrganization = <A extends { readonly organization: string }>(
  entries: ReadonlyArray<A>,
  compare: (a: A, b: A) => number,
): ReadonlyArray<A> =>
  entries.toSorted((a, b) => compareText(a.organization, b.organization) || compare(a, b))

/** Sorts the content into the order in which it is returned. */
const inOrder = (content: PortfolioContent): PortfolioContent => ({
  ...content,
  sectors: content.sectors.toSorted((a, b) => compareText(a.id, b.id)),
  organizations: content.organizations
    .map((organization) => ({ ...organization, sectors: organization.sectors.toSorted(compareText) }))
    .toSorted((a, b) => compareText(a.id, b.id)),
  introductions: byOrganization(content.introductions, compareTextCursors),
  summaries: byOrganization(content.summaries, compareTextCursors),
  programs: byOrganization(content.programs, compareTextCursors),
  challenges: byOrganization(content.challenges, compareChallengeCursors),
  datasets: byOrganization(content.datasets, (a, b) => a.year - b.year),
})

/** The portfolio in memory. */
export const memoryPortfolio = (tables: Tables): Portfolio => {
  const list = lister(tables)
  const replace = (content: PortfolioContent, act: TimedAct | undefined): void => {
    const { isSame } = comparePortfolios(tables.portfolio, content)
    tables.portfolio = content
    if (isSame) return
    recordAct(tables, act, { kind: 'portfolio', id: '' })
    changePortfolio(tables)
  }
  const text = { matches: matchesText, cursor: textCursor, compare: compareTextCursors }
  return {
    head: () =>
      TE.fromIO(() => ({
        name: tables.portfolio.name,
        organizations: tables.portfolio.organizations.length,
      })),
    sectors: list({
      all: ({ sectors }) => sectors,
      matches: matchesSector,
      cursor: sectorCursor,
      compare: compareText,
    }),
    organizations: list({
      all: ({ organizations }) => organizations,
      matches: matchesOrganization,
      cursor: organizationCursor,
      compare: compareText,
    }),
    introductions: list({ ...text, all: ({ introductions }) => introductions }),
    summaries: list({ ...text, all: ({ summaries }) => summaries }),
    programs: list({ ...text, all: ({ programs }) => programs }),
    challenges: list({
      all: ({ challenges }) => challenges,
      matches: matchesText,
      cursor: challengeCursor,
      compare: compareChallengeCursors,
    }),
    datasets: list({
      all: ({ datasets }) => datasets,
      matches: matchesDataset,
      cursor: datasetCursor,
      compare: compareNumbers,
    }),
    content: () => TE.fromIO(() => inOrder(tables.portfolio)),
    images: () => TE.fromIO(() => storedImagesOf(tables.portfolio)),
    replace: (content, act) => TE.fromIO(() => replace(content, act)),
    replaceReviewed:
      ({ before, content }, act) =>
      async () =>
        comparePortfolios(tables.portfolio, before).isSame
          ? E.right(replace(content, act))
          : E.left(PORTFOLIO_CHANGED),
  }
}
