import { join } from 'node:path'
import { makeLoadPortfolio, type ReadImageFile } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { imagesIn, readPortfolio } from '../composition/files.ts'
import { FOLDER } from './files.ts'
import { checkStopping, mustSucceed, type Seeding, untilOutage } from './seeding.ts'

/** Loads the portfolio as `portfolio load` loads its folder. Idempotent. */
export const seedPortfolio = async (seeding: Seeding): Promise<void> => {
  const { source, images } = await readPortfolio(join(FOLDER, 'portfolio'))
  const readImage = imagesIn(images)
  const read: ReadImageFile = (kind, file) =>
    TE.flatMap(() => readImage(kind, file))(untilOutage(async () => checkStopping(seeding)))
  const report = (step: string, done: number, of: number) =>
    seeding.onProgress(`${step} images of the portfolio, ${done} of ${of}`)
  await mustSucceed(makeLoadPortfolio(seeding.ports)({ source, read, report }))
}
