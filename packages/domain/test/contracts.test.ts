import t from 'tap'
import * as contracts from '../contracts/index.ts'
import {
  countingIds,
  evenRandom,
  instantTimer,
  memoryFailedAttempts,
  memoryImageFiles,
  memoryMediaStore,
  memoryPortfolioImages,
  memoryPushGateway,
  memoryStore,
  plainSecrets,
  runningClock,
  setClock,
  waitingTimer,
} from '../memory/index.ts'
import { DELIVERED, type PortfolioImage, portfolioImagePath, retry } from '../src/all.ts'

// The in-memory adapters pass the contract suites of the ports.
const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}
const store = async () => ({ ...memoryStore(), close: async () => {} })

contracts.clockContract(runner, () => runningClock)
contracts.timerContract(runner, () => waitingTimer)
contracts.libraryItemsContract(runner, store)
contracts.feedItemsContract(runner, store)
contracts.feedAuthorsContract(runner, store)
contracts.historyContract(runner, store)
contracts.labelsContract(runner, store)
contracts.translationsContract(runner, store)
contracts.findingContract(runner, store)
contracts.clientsContract(runner, store)
contracts.accessTokensContract(runner, store)
contracts.managersContract(runner, store)
contracts.passkeysContract(runner, store)
contracts.identitiesContract(runner, store)
contracts.passwordsContract(runner, store)
contracts.sessionsContract(runner, store)
contracts.oneTimeSecretsContract(runner, store)
contracts.workingCopiesContract(runner, store)
contracts.idempotencyKeysContract(runner, store)
contracts.knownImagesContract(runner, store)
contracts.storageIdentityContract(runner, store)
contracts.usersContract(runner, store)
contracts.devicesContract(runner, store)
contracts.notificationsContract(runner, store)
contracts.deliveriesContract(runner, store)
contracts.providersContract(runner, store)
contracts.deadDevicesContract(runner, store)
contracts.personalDataContract(runner, store)
contracts.retentionContract(runner, store)
contracts.nodesContract(runner, store)
contracts.statisticsContract(runner, store)
contracts.randomContract(runner, () => evenRandom)
contracts.timerContract(runner, () => instantTimer(setClock()))
contracts.pushGatewayContract(runner, async (provider) => ({
  pushGateway: memoryPushGateway(() => (provider === 'there' ? DELIVERED : retry())),
  close: async () => {},
}))
contracts.failedAttemptsContract(runner, () => memoryFailedAttempts())
contracts.clockContract(runner, setClock)
contracts.idsContract(runner, countingIds)
contracts.secretsContract(runner, plainSecrets)
contracts.portfolioContract(runner, store)
contracts.ranksContract(runner, async () => {
  const one = memoryStore()
  return { stores: [one, one], close: async () => {} }
})
contracts.portfolioPagesContract(runner, store)
contracts.portfolioImagesContract(runner, async () => {
  const clock = setClock()
  const images = memoryPortfolioImages(clock)
  const bytesOf = async (image: PortfolioImage) => images.held().get(portfolioImagePath(image))
  return { images, clock, bytesOf, close: async () => {} }
})
contracts.mediaStoreContract(runner, async () => {
  const clock = setClock()
  const store = memoryMediaStore(clock)
  return { store, clock, bytesOf: async (name) => store.held().get(name)?.bytes, close: async () => {} }
})
contracts.imageFilesContract(runner, async () => {
  const clock = setClock()
  const stores = { mediaStore: memoryMediaStore(clock), portfolioImages: memoryPortfolioImages(clock) }
  return { ...stores, files: memoryImageFiles(stores), clock, close: async () => {} }
})
