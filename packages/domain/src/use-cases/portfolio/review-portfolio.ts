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
import { MOST_NAMED, type PlanSummary, type UploadRefused } from '../../portfolio/draft.ts'
import type { PortfolioPolicy, PortfolioPorts } from '../../ports/of-portfolio.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { yearsOutside } from './joined-years.ts'
import { fileFaultOf, type OpenedPortfolio, type PortfolioFileFault } from './opened-portfolio.ts'
import { makePlanPortfolio, type PortfolioPlan } from './plan-portfolio.ts'
import { type UnusualImage, unusualImages } from './unusual-images.ts'

/** Parameters of POST /portfolio/review: the files alone. */
export const ReviewPortfolio = parameters({ name: 'ReviewPortfolio', required: {}, optional: {} })
export type ReviewPortfolio = typeof ReviewPortfolio._A

/** What a load of good files would change, and what would be unusual afterwards. Of each list only the first thousand (I6). */
export interface ReviewedPlan extends PlanSummary {
  readonly images: ReadonlyArray<UnusualImage>
  readonly imageCount: number
  /** Years in which organizations joined and for which `joined` cannot ask (H2). */
  readonly years: ReadonlyArray<number>
}

/** The errors of a portfolio's files, by file and line; without errors what a load would change. */
export interface PortfolioReview {
  readonly faults: ReadonlyArray<PortfolioFileFault>
  readonly plan: O.Option<ReviewedPlan>
}

/** The steps of a load are not shown in the console. */
export const unreported = (): void => {}

/**
 * Checks the files of a portfolio whole, rows and images, and compares them with the portfolio (H1). Changes nothing. Errors of the files
 * are part of the result; UploadRefused names a file beyond the bounds (H4).
 */
export const makeReviewPortfolio = (
  ports: Pick<PortfolioPorts, 'portfolio' | 'portfolioImageChecker'>,
  policy: Pick<PortfolioPolicy, 'joinedYears'>,
) => {
  const plan = makePlanPortfolio(ports)
  const reviewed = ({ files, ...planned }: PortfolioPlan): ReviewedPlan => {
    const images = unusualImages(files)
    return {
      ...planned,
      images: images.slice(0, MOST_NAMED),
      imageCount: images.length,
      years: yearsOutside(policy, planned.joined),
    }
  }
  return (
    caller: Caller,
    files: OpenedPortfolio,
  ): TE.TaskEither<InsufficientScope | RightsEnded | UploadRefused | Unavailable, PortfolioReview> =>
    permitted(
      'reviewPortfolio',
      caller,
    )(() =>
      pipe(
        plan({ ...files, report: unreported }),
        TE.map((planned): PortfolioReview => ({ faults: [], plan: O.some(reviewed(planned)) })),
        TE.orElse(
          (failure): TE.TaskEither<UploadRefused | Unavailable, PortfolioReview> =>
            failure._tag === 'PortfolioRefused'
              ? TE.right({ faults: failure.faults.map(fileFaultOf), plan: O.none })
              : TE.left(failure),
        ),
        TE.mapError((failure): RightsEnded | UploadRefused | Unavailable => failure),
        TE.tap(() => confirmRights(caller)),
      ),
    )
}
