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
contracts.storeContract(runner, store)
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
contracts.ranksContract(runner, async () => {
  const one = memoryStore()
  return { stores: [one, one], close: async () => {} }
})
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
