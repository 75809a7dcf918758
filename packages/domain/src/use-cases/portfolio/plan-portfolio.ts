import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PlanSummary, PortfolioDraft, UploadRefused } from '../../portfolio/draft.ts'
import type { PortfolioContent } from '../../portfolio/portfolio.ts'
import { type PortfolioRefused, portfolioRefused } from '../../portfolio/source.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { ReadImageFile } from './check-file.ts'
import { type CheckedFiles, checkFiles, type KnownFile, type Report, resultsOf } from './check-files.ts'

/** What a load would do. */
export interface PortfolioPlan extends PlanSummary {
  readonly files: ReadonlyArray<KnownFile>
  /** The portfolio that the files were compared with. */
  readonly before: PortfolioContent
}

/** A load's material: the rows, and where the images' bytes come from. */
export interface PortfolioMaterial {
  readonly draft: PortfolioDraft
  readonly read: ReadImageFile
  readonly report: Report
}

/** Why nothing can be planned. */
export type PlanFailure = PortfolioRefused | UploadRefused | Unavailable

/**
 * Checks a portfolio whole, rows and images, and compares it with the one there is. Changes nothing. PortfolioRefused names
 * every bad row at once (H1), UploadRefused a file beyond the bounds (H4).
 */
export const makePlanPortfolio =
  (ports: Pick<PortfolioPorts, 'portfolio' | 'portfolioImageChecker'>) =>
  ({ draft, read, report }: PortfolioMaterial): TE.TaskEither<PlanFailure, PortfolioPlan> =>
    pipe(
      draft.images(),
      TE.flatMap(
        (images): TE.TaskEither<PlanFailure, CheckedFiles> => checkFiles(ports, read, images, report),
      ),
      TE.bindW('before', () => ports.portfolio.content()),
      TE.tap(({ before, ...checked }) =>
        pipe(
          draft.check(resultsOf(checked), before),
          TE.flatMap(
            ([first, ...others]): TE.TaskEither<PlanFailure, void> =>
              first === undefined ? TE.right(undefined) : TE.left(portfolioRefused([first, ...others])),
          ),
        ),
      ),
      TE.bindW('summary', () => draft.compare()),
      TE.map(({ files, before, summary }) => ({ ...summary, files, before })),
    )
