import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type PortfolioChanges, portfolioChanges } from '../../portfolio/changes.ts'
import { imageUses } from '../../portfolio/image-uses.ts'
import { type PortfolioContent, withImages } from '../../portfolio/portfolio.ts'
import { type FilePortfolio, readPortfolio } from '../../portfolio/read-portfolio.ts'
import {
  type PortfolioFault,
  type PortfolioFaults,
  type PortfolioRefused,
  type PortfolioSource,
  portfolioRefused,
} from '../../portfolio/source.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { ReadImageFile } from './check-file.ts'
import { checkFiles, type KnownFile, type Report } from './check-files.ts'

/** What a load would do. */
export interface PortfolioPlan {
  /** What there is before the load. */
  readonly before: PortfolioContent
  readonly content: PortfolioContent
  readonly files: ReadonlyArray<KnownFile>
  readonly changes: PortfolioChanges
}

/** A load's material: the rows, and where the images' bytes come from. */
export interface PortfolioMaterial {
  readonly source: PortfolioSource
  readonly read: ReadImageFile
  readonly report: Report
}

/** The portfolio with the names under which its images are stored. */
const stored = (portfolio: FilePortfolio, files: ReadonlyArray<KnownFile>): PortfolioContent => {
  const names = new Map(files.map(({ use: { kind, file }, image }) => [`${kind}/${file}`, image.name]))
  return withImages((kind: string, file: string) => {
    const name = names.get(`${kind}/${file}`)
    if (name === undefined) throw new Error('an image that rows name was not checked')
    return name
  })(portfolio)
}

type Whole = Pick<PortfolioPlan, 'content' | 'files'>

const whole = (
  rows: E.Either<PortfolioFaults, FilePortfolio>,
  files: ReadonlyArray<KnownFile>,
  faults: ReadonlyArray<PortfolioFault>,
): E.Either<PortfolioRefused, Whole> =>
  E.isLeft(rows)
    ? E.left(portfolioRefused(RNEA.concat(faults)(rows.left)))
    : pipe(
        RNEA.fromReadonlyArray(faults),
        O.match(
          () => E.right({ files, content: stored(rows.right, files) }),
          (bad) => E.left(portfolioRefused(bad)),
        ),
      )

/**
 * Checks a portfolio whole, rows and images, and compares it with the one there is. Changes nothing. PortfolioRefused names
 * every bad row at once (H1).
 */
export const makePlanPortfolio =
  (ports: Pick<Ports, 'portfolio' | 'portfolioImageChecker'>) =>
  ({
    source,
    read,
    report,
  }: PortfolioMaterial): TE.TaskEither<PortfolioRefused | Unavailable, PortfolioPlan> => {
    const compared = (after: Whole): TE.TaskEither<Unavailable, PortfolioPlan> =>
      pipe(
        ports.portfolio.content(),
        TE.map((before) => ({ ...after, before, changes: portfolioChanges(before, after.content) })),
      )
    return pipe(
      checkFiles(ports, read, imageUses(source), report),
      TE.flatMapEither(({ files, faults }) => whole(readPortfolio(source), files, faults)),
      TE.flatMap((after): TE.TaskEither<PortfolioRefused | Unavailable, PortfolioPlan> => compared(after)),
    )
  }
