import { memoryFailedAttempts } from '@almoner/domain/access'
import { mediaAddressesBelow } from '@almoner/domain/media'
import type { Ports } from '@almoner/domain/ports'
import { countingIds } from './ids.ts'
import { plainImageChecker } from './image-checker.ts'
import { memoryMediaStore } from './media-store.ts'
import { plainPortfolioImageChecker } from './portfolio-image-checker.ts'
import { memoryPortfolioImages } from './portfolio-images.ts'
import { memoryPushGateway } from './push-gateway.ts'
import { evenRandom } from './random.ts'
import { runningClock } from './running-clock.ts'
import { plainSecrets } from './secrets.ts'
import { memoryStore } from './store.ts'
import { waitingTimer } from './waiting-timer.ts'

/**
 * Returns all ports, in memory and on the system's clock, so that a service runs before it has a database. Secrets can be guessed, images
 * are not decoded, and pushes go nowhere. Replace these before users call the service:
 * `memoryPorts({ secrets: nodeSecrets(), imageChecker: sharpImageChecker() })`.
 * @param replaced adapters to use instead, such as a clock that a test sets
 */
export const memoryPorts = (replaced: Partial<Ports> = {}): Ports => {
  const { clock = runningClock } = replaced
  return {
    ...memoryStore(),
    clock,
    timer: waitingTimer,
    ids: countingIds(),
    secrets: plainSecrets(),
    failedAttempts: memoryFailedAttempts(),
    mediaStore: memoryMediaStore(clock),
    mediaAddresses: mediaAddressesBelow('http://localhost'),
    imageChecker: plainImageChecker,
    pushGateway: memoryPushGateway(),
    random: evenRandom,
    portfolioImages: memoryPortfolioImages(clock),
    portfolioImageChecker: plainPortfolioImageChecker,
    ...replaced,
  }
}
