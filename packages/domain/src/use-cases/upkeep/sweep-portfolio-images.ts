import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { portfolioImagePath } from '../../portfolio/image.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { sweep } from './sweep.ts'

/**
 * Deletes the images that the portfolio does not show, left by the one before it or by a load that was cut short (H1). One that a
 * load has stored within the hour stays, for the load may not have come to its rows yet. Told to stop, it ends early. Gives how
 * many went.
 */
export const makeSweepPortfolioImages =
  (ports: Pick<Ports, 'clock' | 'portfolio' | 'portfolioImages'>) =>
  (isStopping: () => boolean = () => false): TE.TaskEither<Unavailable, number> =>
    sweep(
      {
        files: () => ports.portfolioImages.files(),
        orphansAmong: (files) =>
          pipe(
            ports.portfolio.images(),
            TE.map((images) => new Set(images.map(portfolioImagePath))),
            TE.map((shown) => files.filter(({ image }) => !shown.has(portfolioImagePath(image)))),
          ),
        remove: ({ image }) => ports.portfolioImages.remove(image),
      },
      ports.clock.now(),
      isStopping,
    )
