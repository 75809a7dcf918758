import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { MediaSource } from '@almoner/adapters-http'
import type { Store } from '@almoner/adapters-kysely'
import {
  folderImageFiles,
  type ImageStorage,
  openFolderMediaStore,
  openFolderPortfolioImages,
  portfolioImageChecker,
  probeMediaFolder,
  sharpImageChecker,
  withRenditions,
} from '@almoner/adapters-media'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '@almoner/adapters-node'
import type { Policy, Ports } from '@almoner/domain'
import { NO_ID_TOKENS } from '@almoner/domain/access'
import type { Clock, IdTokens, PortfolioImageChecker, PortfolioImages } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { SETTINGS, type Settings } from '../config/definitions.ts'
import { failed, messageOf, notAvailable, orFail } from '../failure.ts'
import type { OpenDatabase } from './database.ts'

/** The stored images: how they are stored, read and served. */
export interface Media extends ImageStorage {
  readonly portfolioImages: PortfolioImages
  /** How a server serves them. */
  readonly source: MediaSource
  /** Rejects with the reason when images cannot be stored now. */
  readonly check: () => Promise<void>
  /** Stores, reads, lists and deletes a file. Rejects with the reason where that fails (D10). */
  readonly probe: () => Promise<void>
  readonly close: () => void
}

/** The error of settings that serve images in a folder in another way than through the service. */
export const FOLDER_SERVING = `${SETTINGS.mediaServe.name} must be proxy while images are in a folder`

const openFolder = async (path: string): Promise<Media> => {
  const folder = resolve(path)
  const portfolio = join(folder, 'portfolio')
  const toError = notAvailable('the media folder')
  const mediaStore = await orFail(openFolderMediaStore({ folder, clock: systemClock }), toError)
  const storage = withRenditions({ mediaStore, imageFiles: folderImageFiles(folder) }, nodeTimer)
  return {
    ...storage,
    portfolioImages: await orFail(
      openFolderPortfolioImages({ folder: portfolio, clock: systemClock }),
      toError,
    ),
    source: { files: storage.imageFiles, folder, render: storage.render },
    // The dot makes the check fail for a file.
    check: () => access(`${folder}/.`, constants.R_OK | constants.W_OK),
    probe: () => probeFolder(folder),
    close: () => {},
  }
}

/** Does in a folder of images what uploads do. Rejects with the reason where it fails (D10). */
export const probeFolder = (folder: string): Promise<void> =>
  orFail(probeMediaFolder({ folder, clock: systemClock }), ({ cause }) => new Error(messageOf(cause)))

/** Opens the image storage that the settings name, and loads no other. Rejects when it cannot be used. */
export const openMedia = async ({
  media,
  mediaServe,
  proxy,
}: Pick<Settings, 'media' | 'mediaServe' | 'proxy'>): Promise<Media> => {
  if (media.kind === 'folder') {
    if (mediaServe.kind !== 'proxy') throw failed(FOLDER_SERVING)
    return openFolder(media.path)
  }
  const { openBucket } = await import('./bucket.ts')
  return openBucket({ ...media, proxy }, mediaServe)
}

/** Returns the ports that need neither a database nor settings. */
export const nodePorts = (
  clock: Clock = systemClock,
): Pick<Ports, 'clock' | 'ids' | 'secrets' | 'random' | 'timer'> => ({
  clock,
  ids: uuidIds(),
  secrets: nodeSecrets(),
  random: nodeRandom,
  timer: nodeTimer,
})

/** The ports on a database of the current schema. The clock is the database server's, where there is one. */
export type StorePorts = Store & ReturnType<typeof nodePorts>

/** Makes the checker of images of the portfolio. */
export const checkPortfolioImages = (): PortfolioImageChecker => portfolioImageChecker(sharpImageChecker())

/** The parts of which {@link composePorts} makes all ports. */
interface PortParts
  extends Pick<Ports, 'pushGateway' | 'linkChecker' | 'mediaAddresses' | 'failedAttempts' | 'idTokens'> {
  /** Of the current schema. */
  readonly database: OpenDatabase
  readonly media: Media
}

/** Returns all ports of a service. */
export const composePorts = ({ database, media, ...others }: PortParts): Ports => ({
  ...nodePorts(database.clock),
  ...database.store,
  ...others,
  mediaStore: media.mediaStore,
  imageChecker: media.imageChecker,
  portfolioImages: media.portfolioImages,
  portfolioImageChecker: checkPortfolioImages(),
})

/** Makes the verifier of ID tokens (A10). Loads the adapter only where the policy names an issuer. */
export const openIdTokens = async (
  { idTokens }: Pick<Policy, 'idTokens'>,
  clock: Clock,
  proxy: Settings['proxy'],
): Promise<IdTokens> =>
  O.isNone(idTokens)
    ? NO_ID_TOKENS
    : (await import('@almoner/adapters-signin')).makeIdTokens({ issuer: idTokens.value.issuer, proxy }, clock)
