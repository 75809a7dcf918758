import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { MediaSource } from '@almoner/adapters-http'
import { folderImageFiles, openFolderMediaStore, openFolderPortfolioImages } from '@almoner/adapters-media'
import { systemClock } from '@almoner/adapters-node'
import type { ImageFiles, MediaStore, PortfolioImages } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, notAvailable } from '../cli/failure.ts'
import { SETTINGS, type Settings } from '../config/definitions.ts'

/** The stored images: how they are kept, read and served. */
export interface Media {
  readonly mediaStore: MediaStore
  readonly portfolioImages: PortfolioImages
  readonly imageFiles: ImageFiles
  /** Where a server has them from. */
  readonly source: MediaSource
  /** Rejects with the reason when images cannot be stored now. */
  readonly check: () => Promise<void>
  /** To be called when nothing is asked of them any more. */
  readonly close: () => void
}

/** Why images in a folder cannot be served as the settings want it. */
export const FOLDER_SERVING = `${SETTINGS.mediaServe.name} must be proxy while images are in a folder`

/** The whole path of a folder of images. */
export const mediaFolderAt = (path: string): string => resolve(path)

const openFolder = (path: string): TE.TaskEither<Failure, Media> => {
  const folder = mediaFolderAt(path)
  const files = folderImageFiles(folder)
  return pipe(
    TE.Do,
    TE.bind('mediaStore', () => openFolderMediaStore({ folder, clock: systemClock })),
    TE.bind('portfolioImages', () =>
      openFolderPortfolioImages({ folder: join(folder, 'portfolio'), clock: systemClock }),
    ),
    TE.bimap(notAvailable('the media folder'), (stores) => ({
      ...stores,
      imageFiles: files,
      source: { files },
      // The dot tells a folder from a file in its place.
      check: () => access(`${folder}/.`, constants.R_OK | constants.W_OK),
      close: () => {},
    })),
  )
}

/** Opens what the settings name. Failed when it cannot be used. What they do not name is not loaded. */
export const openMedia = (settings: Settings): TE.TaskEither<Failure, Media> => {
  const { media, mediaServe } = settings
  if (media.kind === 'folder')
    return mediaServe.kind === 'proxy' ? openFolder(media.path) : TE.left(failed(FOLDER_SERVING))
  return async () => {
    const { openBucket } = await import('./bucket.ts')
    return openBucket(media, mediaServe)()
  }
}
