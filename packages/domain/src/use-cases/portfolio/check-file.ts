import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { contentFaultText, type FileName, type ImageFault } from '../../media/model.ts'
import {
  type CheckedPortfolioImage,
  type PortfolioImage,
  type PortfolioImageKind,
  portfolioImageName,
} from '../../media/portfolio-images.ts'
import type { ImageUse } from '../../portfolio/image-uses.ts'
import type { PortfolioPorts } from '../../ports/of-portfolio.ts'
import { isUnavailable, type Unavailable } from '../../values/ports.ts'

/** An image's file cannot be taken; the sentence completes "<field> …". */
export interface FileRefused {
  readonly _tag: 'FileRefused'
  readonly message: string
}

/** The refusal of a file; `message` completes "<field> …". */
export const fileRefused = (message: string): FileRefused => ({ _tag: 'FileRefused', message })

/** Gives the bytes of an image's file, bounded; FileRefused when it is not there or too large. */
export type ReadImageFile = (
  kind: PortfolioImageKind,
  file: FileName,
) => TE.TaskEither<FileRefused | Unavailable, Uint8Array>

/** An image of a file, and the name under which it is stored. */
export interface CheckedFile {
  readonly image: PortfolioImage
  readonly checked: CheckedPortfolioImage
}

const sentence = (fault: ImageFault): string => {
  switch (fault._tag) {
    case 'ImageTooLarge':
      return 'has too many bytes'
    case 'WrongImageSize':
      return `is too large: ${fault.width} by ${fault.height} pixels`
    default:
      return contentFaultText(fault)
  }
}

/** Reads and checks an image's file; the same file always gives the same image. */
export const checkFile = (
  ports: Pick<PortfolioPorts, 'portfolioImageChecker'>,
  read: ReadImageFile,
  { kind, file }: Pick<ImageUse, 'kind' | 'file'>,
): TE.TaskEither<FileRefused | Unavailable, CheckedFile> =>
  pipe(
    read(kind, file),
    TE.flatMap((bytes) =>
      pipe(
        ports.portfolioImageChecker.check(bytes),
        TE.mapError((fault) => (isUnavailable(fault) ? fault : fileRefused(sentence(fault)))),
      ),
    ),
    TE.map((checked) => ({ image: { kind, name: portfolioImageName(file, checked) }, checked })),
  )
