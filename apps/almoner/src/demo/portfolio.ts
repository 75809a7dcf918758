import { join } from 'node:path'
import { makeLoadPortfolio, type ReadImageFile, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { readFiles } from '../commands/portfolio/read-files.ts'
import { imagesIn } from '../commands/portfolio/read-image.ts'
import { mustSucceed, type Seeding, unlessStopping } from './seeding.ts'

/** Beside the sources, or in the folder that the server is built into. */
const FOLDER = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../demo/portfolio' : 'demo/portfolio',
)

/** The portfolio, as `portfolio load` would load its folder. Twice is the same as once. */
export const seedPortfolio = (seeding: Seeding): TE.TaskEither<Unavailable, unknown> =>
  pipe(
    mustSucceed(readFiles(FOLDER)),
    TE.flatMap(({ source, images }) => {
      const read: ReadImageFile = (kind, file) => unlessStopping(seeding)(imagesIn(images)(kind, file))
      const report = (step: string, done: number, of: number) =>
        seeding.told(`${step} images of the portfolio, ${done} of ${of}`)
      return mustSucceed(makeLoadPortfolio(seeding.ports)({ source, read, report }))
    }),
  )
