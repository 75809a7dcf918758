import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PortfolioImage } from '../../portfolio/image.ts'
import type { ImageUse } from '../../portfolio/image-uses.ts'
import { type PortfolioFault, rowFault } from '../../portfolio/source.ts'
import type { Ports } from '../../ports/index.ts'
import { isUnavailable, type Unavailable } from '../../ports/unavailable.ts'
import { checkFile, type ReadImageFile } from './check-file.ts'

/** A good image of a file, without its bytes: of all images of a portfolio only one is in memory at a time. */
export interface KnownFile {
  readonly use: ImageUse
  readonly image: PortfolioImage
  readonly width: number
  readonly height: number
}

/** How far a load has come. */
export type Report = (step: 'checking' | 'storing', done: number, of: number) => void

type FileCheck = E.Either<ReadonlyArray<PortfolioFault>, KnownFile>

const check = (
  ports: Pick<Ports, 'portfolioImageChecker'>,
  read: ReadImageFile,
  use: ImageUse,
): TE.TaskEither<Unavailable, FileCheck> =>
  pipe(
    checkFile(ports, read, use),
    TE.map(({ image, checked: { width, height } }): FileCheck => E.right({ use, image, width, height })),
    TE.orElse((failure) =>
      isUnavailable(failure)
        ? TE.left(failure)
        : TE.right(E.left(use.rows.map(({ table, row }) => rowFault(table, row, use.kind, failure.message)))),
    ),
  )

/** Checks every image that rows name, one after the other: the good ones, and a fault for each row that names a bad one (H1). */
export const checkFiles = (
  ports: Pick<Ports, 'portfolioImageChecker'>,
  read: ReadImageFile,
  uses: ReadonlyArray<ImageUse>,
  report: Report,
): TE.TaskEither<
  Unavailable,
  { readonly files: ReadonlyArray<KnownFile>; readonly faults: ReadonlyArray<PortfolioFault> }
> =>
  pipe(
    uses,
    TE.traverseSeqArrayWithIndex((at, use) => {
      report('checking', at, uses.length)
      return check(ports, read, use)
    }),
    TE.map((checked) => ({
      files: checked.flatMap((one) => (E.isRight(one) ? [one.right] : [])),
      faults: checked.flatMap((one) => (E.isLeft(one) ? one.left : [])),
    })),
  )
