import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { PortfolioImage } from '../../media/portfolio-images.ts'
import type { ImageResult, NamedImage } from '../../portfolio/draft.ts'
import { PORTFOLIO_LIMITS } from '../../portfolio/source.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import { isUnavailable, type Unavailable } from '../../values/ports.ts'
import { checkFile, type ReadImageFile } from './check-file.ts'

/** A good image of a file, without its bytes: of all images of a portfolio only one is in memory at a time. */
export interface KnownFile {
  readonly use: NamedImage
  readonly image: PortfolioImage
  readonly width: number
  readonly height: number
}

/** How far a load has come. */
export type Report = (step: 'checking' | 'storing', done: number, of: number) => void

/** The good images, and why the others cannot be taken. */
export interface CheckedFiles {
  readonly files: ReadonlyArray<KnownFile>
  readonly refusals: ReadonlyArray<ImageResult>
}

/** Checks every image that rows name, one after the other, until there are too many bad ones to name all (H1, H4). */
export const checkFiles =
  (
    ports: Pick<PortfolioPorts, 'portfolioImageChecker'>,
    read: ReadImageFile,
    images: ReadonlyArray<NamedImage>,
    report: Report,
  ): TE.TaskEither<Unavailable, CheckedFiles> =>
  async () => {
    const files: Array<KnownFile> = []
    const refusals: Array<ImageResult> = []
    for (const [at, use] of images.entries()) {
      if (refusals.length >= PORTFOLIO_LIMITS.faults) break
      report('checking', at, images.length)
      const { kind, file } = use
      const result = await checkFile(ports, read, use)()
      if (E.isRight(result)) {
        const { image, checked } = result.right
        files.push({ use, image, width: checked.width, height: checked.height })
      } else if (isUnavailable(result.left)) return E.left(result.left)
      else refusals.push({ kind, file, refusal: result.left.message })
    }
    return E.right({ files, refusals })
  }

/** Returns what was found about each image that was checked. */
export const resultsOf = ({ files, refusals }: CheckedFiles): ReadonlyArray<ImageResult> => [
  ...refusals,
  ...files.map(({ use: { kind, file }, image: { name } }) => ({ kind, file, name })),
]
