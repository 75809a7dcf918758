import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { portfolioImagePath } from '../../media/portfolio-images.ts'
import type { StoredFile, StoredPortfolioImage } from '../../media/ports.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import type { Swept } from './sweep.ts'

/** OperationsPorts that a sweep of images needs. */
export type SweepPorts = Pick<
  OperationsPorts,
  'clock' | 'knownImages' | 'mediaStore' | 'portfolio' | 'portfolioImages' | 'secrets' | 'storageIdentity'
>

/** Images of library and feed; one that no item knows is an orphan, left by a crash or a failed deletion (D5). */
export const sweptUploads = (
  ports: Pick<OperationsPorts, 'knownImages' | 'mediaStore'>,
): Swept<StoredFile> => ({
  files: () => ports.mediaStore.files(),
  orphansAmong: (files) =>
    pipe(
      ports.knownImages.among(files.map(({ name }) => name)),
      TE.map((known) => files.filter(({ name }) => !known.has(name))),
    ),
  remove: ({ name }) => ports.mediaStore.remove(name),
})

/** Images of the portfolio; one that it does not show is an orphan, left by the one before it or by an interrupted load (H1). */
export const sweptPortfolioImages = (
  ports: Pick<OperationsPorts, 'portfolio' | 'portfolioImages'>,
): Swept<StoredPortfolioImage> => ({
  files: () => ports.portfolioImages.files(),
  orphansAmong: (files) =>
    pipe(
      ports.portfolio.images(),
      TE.map((images) => new Set(images.map(portfolioImagePath))),
      TE.map((shown) => files.filter(({ image }) => !shown.has(portfolioImagePath(image)))),
    ),
  remove: ({ image }) => ports.portfolioImages.remove(image),
})
