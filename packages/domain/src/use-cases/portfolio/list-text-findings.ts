import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { OrganizationId } from '../../portfolio/ids.ts'
import type { PortfolioContent } from '../../portfolio/portfolio.ts'
import { type TextFinding, textFindings } from '../../portfolio/text-findings.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { LANGUAGES } from '../../values/language.ts'
import { parameters } from '../../values/parameters.ts'

/** Parameters of GET /portfolio/findings. */
export const ListTextFindings = parameters({
  name: 'ListTextFindings',
  required: {},
  optional: { organizationId: OrganizationId },
})
export type ListTextFindings = typeof ListTextFindings._A

/** A finding with the name of its organization, or of its sector in the language that it has one in. */
export interface NamedTextFinding {
  readonly finding: TextFinding
  readonly name: string
}

const nameOfSector = ({ names, id }: PortfolioContent['sectors'][number]): string =>
  LANGUAGES.flatMap((lang) => (O.isSome(names[lang]) ? [names[lang].value] : []))[0] ?? id

/** Returns what the texts of a portfolio lack, with the names that people know. */
export const namedTextFindings = (content: PortfolioContent): ReadonlyArray<NamedTextFinding> => {
  const sectors = new Map(content.sectors.map((sector) => [sector.id as string, nameOfSector(sector)]))
  const organizations = new Map(content.organizations.map(({ id, name }) => [id as string, name]))
  return textFindings(content).map((finding) => {
    const names: ReadonlyMap<string, string> = finding.about === 'sector' ? sectors : organizations
    return { finding, name: names.get(finding.id) ?? finding.id }
  })
}

/** Lists the texts that lack a language or their highlight: of the whole portfolio, or of one organization (H1). */
export const makeListTextFindings =
  (ports: Pick<Ports, 'portfolio'>) =>
  (
    caller: Caller,
    { organizationId }: ListTextFindings,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<NamedTextFinding>> =>
    permitted(
      'listTextFindings',
      caller,
    )(() =>
      pipe(
        ports.portfolio.content(),
        TE.map((content) =>
          namedTextFindings(content).filter(
            ({ finding: { about, id } }) =>
              organizationId === undefined || (about !== 'sector' && id === organizationId),
          ),
        ),
      ),
    )
