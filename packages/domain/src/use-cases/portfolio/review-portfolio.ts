import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  confirmRights,
  type InsufficientScope,
  permitted,
  type RightsEnded,
} from '../../access/caller.ts'
import {
  type OrganizationChange,
  organizationChanges,
  type PortfolioChanges,
  portfolioText,
} from '../../portfolio/changes.ts'
import type { Ports } from '../../ports/index.ts'
import { isUnavailable, type Unavailable } from '../../ports/unavailable.ts'
import { parameters } from '../../values/parameters.ts'
import type { Policy } from '../policy.ts'
import { yearsOutside } from './joined-years.ts'
import { type NamedTextFinding, namedTextFindings } from './list-text-findings.ts'
import type { OpenedPortfolio, PortfolioFileFault } from './opened-portfolio.ts'
import { makePlanPortfolio, type PortfolioPlan } from './plan-portfolio.ts'
import { type UnusualImage, unusualImages } from './unusual-images.ts'

/** Parameters of POST /portfolio/review: the files alone. */
export const ReviewPortfolio = parameters({ name: 'ReviewPortfolio', required: {}, optional: {} })
export type ReviewPortfolio = typeof ReviewPortfolio._A

/** What a load of good files would change, and what would be unusual afterwards. */
export interface ReviewedPlan {
  readonly name: string
  readonly changes: PortfolioChanges
  readonly organizations: ReadonlyArray<OrganizationChange>
  /** Differs if the files or the portfolio differ: a load that names it does what was shown, or nothing. */
  readonly fingerprint: string
  readonly findings: ReadonlyArray<NamedTextFinding>
  readonly images: ReadonlyArray<UnusualImage>
  /** Years in which organizations joined and for which `joined` cannot ask (H2). */
  readonly years: ReadonlyArray<number>
}

/** The errors of a portfolio's files, by file and line; without errors what a load would change. */
export interface PortfolioReview {
  readonly faults: ReadonlyArray<PortfolioFileFault>
  readonly plan: O.Option<ReviewedPlan>
}

/** Returns the fingerprint of a plan: a digest of the portfolio before and after it. */
export const fingerprintOf = (
  { secrets }: Pick<Ports, 'secrets'>,
  { before, content }: Pick<PortfolioPlan, 'before' | 'content'>,
): string => secrets.digest(`${portfolioText(before)}${portfolioText(content)}`)

/** The steps of a load are not shown in the console. */
export const unreported = (): void => {}

/**
 * Checks the files of a portfolio whole, rows and images, and compares them with the portfolio (H1). Changes nothing. Errors of the files
 * are part of the result.
 */
export const makeReviewPortfolio = (
  ports: Pick<Ports, 'portfolio' | 'portfolioImageChecker' | 'secrets'>,
  policy: Pick<Policy, 'joinedYears'>,
) => {
  const plan = makePlanPortfolio(ports)
  const reviewed = (planned: PortfolioPlan): ReviewedPlan => ({
    name: planned.content.name,
    changes: planned.changes,
    organizations: organizationChanges(planned.before, planned.content),
    fingerprint: fingerprintOf(ports, planned),
    findings: namedTextFindings(planned.content),
    images: unusualImages(planned.files),
    years: yearsOutside(policy, planned.content.organizations),
  })
  return (
    caller: Caller,
    files: OpenedPortfolio,
  ): TE.TaskEither<InsufficientScope | RightsEnded | Unavailable, PortfolioReview> =>
    permitted(
      'reviewPortfolio',
      caller,
    )(() =>
      pipe(
        plan({ source: files.source, read: files.read, report: unreported }),
        TE.map(
          (planned): PortfolioReview =>
            files.isBroken
              ? { faults: files.faultsWith([]), plan: O.none }
              : { faults: [], plan: O.some(reviewed(planned)) },
        ),
        TE.orElse(
          (failure): TE.TaskEither<Unavailable, PortfolioReview> =>
            isUnavailable(failure)
              ? TE.left(failure)
              : TE.right({ faults: files.faultsWith(failure.faults), plan: O.none }),
        ),
        TE.mapError((failure): RightsEnded | Unavailable => failure),
        TE.tap(() => confirmRights(caller)),
      ),
    )
}
