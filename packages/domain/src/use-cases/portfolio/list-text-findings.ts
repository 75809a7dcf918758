import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import type { PortfolioContent } from '../../portfolio/portfolio.ts'
import { type NamedTextFinding, namingFindings, textFindingPieces } from '../../portfolio/text-findings.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of GET /portfolio/findings. */
export const ListTextFindings = parameters({
  name: 'ListTextFindings',
  required: {},
  optional: { organizationId: OrganizationId },
})
export type ListTextFindings = typeof ListTextFindings._A

/** The findings that a list names at most. */
const MOST = 1000

/** The findings about texts: the first, with the number of all. */
export interface TextFindingList {
  readonly findings: ReadonlyArray<NamedTextFinding>
  readonly count: number
}

/** Returns what concerns an organization. */
const contentOf = (content: PortfolioContent, id: OrganizationId): PortfolioContent => {
  const own = <A extends { readonly organization: OrganizationId }>(rows: ReadonlyArray<A>) =>
    rows.filter(({ organization }) => organization === id)
  return {
    ...content,
    sectors: [],
    organizations: content.organizations.filter((organization) => organization.id === id),
    introductions: own(content.introductions),
    summaries: own(content.summaries),
    programs: own(content.programs),
    challenges: own(content.challenges),
    datasets: [],
  }
}

/** Looks for findings, and lets other work of the process have its turn in between (I6). */
const findingsOf =
  ({ timer }: Pick<PortfolioPorts, 'timer'>, content: PortfolioContent): Task<TextFindingList> =>
  async () => {
    const named = namingFindings(content)
    const findings: Array<NamedTextFinding> = []
    let count = 0
    for (const piece of textFindingPieces(content)) {
      count += piece.length
      findings.push(...piece.slice(0, MOST - findings.length).map(named))
      await timer.wait(0)()
    }
    return { findings, count }
  }

/** Lists the texts that lack a language or their highlight, at most a thousand: of the whole portfolio, or of one organization (H1, H4). */
export const makeListTextFindings =
  (ports: Pick<PortfolioPorts, 'portfolio' | 'timer'>) =>
  (
    caller: Caller,
    { organizationId }: ListTextFindings,
  ): TE.TaskEither<InsufficientScope | Unavailable, TextFindingList> =>
    permitted(
      'listTextFindings',
      caller,
    )(() =>
      pipe(
        ports.portfolio.content(),
        TE.map((content) => (organizationId === undefined ? content : contentOf(content, organizationId))),
        TE.flatMapTask((content) => findingsOf(ports, content)),
      ),
    )
