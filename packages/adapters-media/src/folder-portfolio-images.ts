import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Unavailable } from '@almoner/domain'
import { isPortfolioImageName, PORTFOLIO_IMAGE_KINDS, type PortfolioImage } from '@almoner/domain/media'
import type { Clock, PortfolioImages } from '@almoner/domain/ports'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { writeDurably } from './folder/durable-write.ts'
import { makeFolder } from './folder/flush.ts'
import { listFiles } from './folder/list-files.ts'
import { removeStale } from './folder/temporary-files.ts'

/** Where {@link openFolderPortfolioImages} keeps images of the portfolio. */
export interface PortfolioImagesFolder {
  /** Path of the folder; it and `logo` and `visual` in it are made when missing. Several processes may share it. */
  readonly folder: string
  /** Dates the files. */
  readonly clock: Clock
}

/** The type says it already; a name from elsewhere must still not lead out of the folder. */
const pathIn = ({ kind, name }: PortfolioImage): readonly [kind: string, name: string] => {
  if (isPortfolioImageName(name) && PORTFOLIO_IMAGE_KINDS.includes(kind)) return [kind, name]
  throw new TypeError('not an image of the portfolio')
}

/**
 * Keeps the portfolio's images as files of two folders, `logo` and `visual`, under their own names and readable by all (H1). A
 * file appears whole or not at all. Opening makes the folders and removes temporary files that are older than an hour, left by
 * crashes. Unavailable when a folder cannot be made, read or written.
 */
export const openFolderPortfolioImages = ({
  folder,
  clock,
}: PortfolioImagesFolder): TE.TaskEither<Unavailable, PortfolioImages> =>
  attempt(async () => {
    for (const kind of PORTFOLIO_IMAGE_KINDS) {
      await makeFolder(join(folder, kind))
      await removeStale(join(folder, kind), clock.now())
    }
    return {
      put: (image, bytes) =>
        attempt(async () => {
          const [kind, name] = pathIn(image)
          await writeDurably(join(folder, kind), name, bytes, clock.now())
        }),
      remove: (image) => attempt(async () => rm(join(folder, ...pathIn(image)), { force: true })),
      files: async function* () {
        for (const kind of PORTFOLIO_IMAGE_KINDS)
          for await (const batch of listFiles(join(folder, kind), isPortfolioImageName))
            yield batch.map(({ name, storedAt }) => ({ image: { kind, name }, storedAt }))
      },
    }
  })
