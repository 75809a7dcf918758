import type { Store } from '@almoner/adapters-kysely'
import { portfolioImageChecker, sharpImageChecker } from '@almoner/adapters-media'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '@almoner/adapters-node'
import type { Ports } from '@almoner/domain'
import type { Clock, PortfolioImageChecker } from '@almoner/domain/ports'
import type { OpenDatabase } from './database.ts'
import type { Media } from './media.ts'

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
export interface PortParts extends Pick<Ports, 'pushGateway' | 'mediaAddresses' | 'failedAttempts'> {
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
  imageChecker: sharpImageChecker(),
  portfolioImages: media.portfolioImages,
  portfolioImageChecker: checkPortfolioImages(),
})
