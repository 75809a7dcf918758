import type { Contact } from '@almoner/domain/content'
import { portfolioImagePath } from '@almoner/domain/media'
import { DELIVERED, retry } from '@almoner/domain/notifications'
import type { ImageFiles, ImageRenderer, LinkRequest, Ports } from '@almoner/domain/ports'
import {
  instantTimer,
  type MemoryIdTokens,
  type MemoryMediaStore,
  type MemoryPortfolioImages,
  type MemoryStore,
  memoryIdTokens,
  memoryImageFiles,
  memoryLinkChecker,
  memoryMediaStore,
  memoryPortfolioImages,
  memoryPorts,
  memoryPushGateway,
  memoryStore,
  plainImageRenderer,
  type SetClock,
  setClock,
} from '@almoner/testkit/memory'
import * as contracts from '../../../testkit/src/contracts/index.ts'
import {
  IMAGE_SAMPLES,
  PORTFOLIO_IMAGE_SAMPLES,
  RENDITION_SAMPLES,
  testImageChecker,
  testPortfolioImageChecker,
} from './image-format.ts'

/** Every port that has contract suites. */
export interface TestedPorts extends Ports {
  readonly mediaStore: MemoryMediaStore
  readonly portfolioImages: MemoryPortfolioImages
  readonly imageFiles: ImageFiles
  readonly imageRenderer: ImageRenderer
  readonly idTokens: MemoryIdTokens
}
export type PortName = keyof TestedPorts

/** Adapters of every port, and the clock by which those of files date them. */
export interface Adapters extends TestedPorts {
  readonly clockOfFiles: SetClock
}

/** The origin at which the checker of links finds the server of its contract. */
const LINKS = 'https://links.example'

const answerOf = ({ url, method }: LinkRequest): Contact => {
  if (!url.startsWith(LINKS)) return { kind: 'failed', fault: 'refused' }
  const { location, ...answer } = contracts.sampleAnswer(method, new URL(url).pathname)
  return location === undefined ? answer : { ...answer, location: new URL(location, url).href }
}

/** Makes the memory adapters of one test. @param provider whether the push provider can be reached */
export const memoryAdapters = (provider: 'there' | 'gone' = 'there'): Adapters => {
  const clock = setClock()
  const images = { mediaStore: memoryMediaStore(clock), portfolioImages: memoryPortfolioImages(clock) }
  const ports = memoryPorts({
    clock,
    timer: instantTimer(clock),
    imageChecker: testImageChecker,
    portfolioImageChecker: testPortfolioImageChecker,
    linkChecker: memoryLinkChecker(answerOf),
    pushGateway: memoryPushGateway(() => (provider === 'there' ? DELIVERED : retry())),
  })
  const readers = { imageFiles: memoryImageFiles(images), imageRenderer: plainImageRenderer }
  return { ...ports, ...images, ...readers, idTokens: memoryIdTokens(clock), clockOfFiles: clock }
}

/** The name of each port. */
export const PORT_NAMES = Object.keys(memoryAdapters()).filter(
  (name) => name !== 'clockOfFiles',
) as ReadonlyArray<PortName>

/** Makes the adapters of one test. */
export type MakeAdapters = (provider?: 'there' | 'gone') => Adapters

/** Registers the tests of a suite. */
export type Suite = (runner: contracts.ContractRunner, make: MakeAdapters) => void

const close = async () => {}

/** The ports that a store has. */
const STORE_PORTS = Object.keys(memoryStore()) as ReadonlyArray<keyof MemoryStore>

/** Returns the ports of a store. */
const storeOf = (adapters: Adapters): MemoryStore =>
  Object.fromEntries(STORE_PORTS.map((port) => [port, adapters[port]])) as unknown as MemoryStore

const storeSuites = Object.entries(contracts.STORE_SUITES).map(([name, suite]): readonly [string, Suite] => [
  name,
  (runner, make) => suite(runner, async () => ({ ...storeOf(make()), close })),
])

/** Every contract suite of ports, by its name. */
export const SUITES: Readonly<Record<string, Suite>> = {
  ...Object.fromEntries(storeSuites),
  reviewContract: (runner, make) =>
    contracts.reviewContract(runner, async () => ({ ...storeOf(make()), close })),
  offsetIndexContract: (runner, make) =>
    contracts.offsetIndexContract(runner, async () => {
      const store = make()
      return { stores: [store, store], close }
    }),
  clockContract: (runner, make) => contracts.clockContract(runner, () => make().clock),
  timerContract: (runner, make) => contracts.timerContract(runner, () => make().timer),
  randomContract: (runner, make) => contracts.randomContract(runner, () => make().random),
  idsContract: (runner, make) => contracts.idsContract(runner, () => make().ids),
  secretsContract: (runner, make) => contracts.secretsContract(runner, () => make().secrets),
  failedAttemptsContract: (runner, make) =>
    contracts.failedAttemptsContract(runner, () => make().failedAttempts),
  idTokensContract: (runner, make) =>
    contracts.idTokensContract(runner, async () => {
      const { idTokens, clockOfFiles: clock } = make()
      return { idTokens, provider: idTokens.provider, clock, close }
    }),
  linkCheckerContract: (runner, make) =>
    contracts.linkCheckerContract(runner, async () => {
      const { linkChecker } = make()
      return { linkChecker, origin: LINKS, refusing: 'https://refusing.example', close }
    }),
  mediaAddressesContract: (runner, make) =>
    contracts.mediaAddressesContract(runner, () => make().mediaAddresses),
  imageCheckerContract: (runner, make) =>
    contracts.imageCheckerContract(runner, () => make().imageChecker, IMAGE_SAMPLES),
  portfolioImageCheckerContract: (runner, make) =>
    contracts.portfolioImageCheckerContract(
      runner,
      () => make().portfolioImageChecker,
      PORTFOLIO_IMAGE_SAMPLES,
    ),
  pushGatewayContract: (runner, make) =>
    contracts.pushGatewayContract(runner, async (provider) => ({
      pushGateway: make(provider).pushGateway,
      close,
    })),
  mediaStoreContract: (runner, make) =>
    contracts.mediaStoreContract(runner, async () => {
      const { mediaStore: store, clockOfFiles: clock } = make()
      return {
        ...{ store, clock, close },
        bytesOf: async (name) => store.held().get(name)?.bytes,
        renditionOf: async (name) => store.renditions().get(name)?.bytes,
      }
    }),
  imageRendererContract: (runner, make) =>
    contracts.imageRendererContract(runner, () => make().imageRenderer, RENDITION_SAMPLES),
  renditionClaimsContract: (runner, make) =>
    contracts.renditionClaimsContract(runner, async () => {
      const { mediaStore: store, clockOfFiles: clock } = make()
      return { store, clock, close, renditionOf: async (name) => store.renditions().get(name)?.bytes }
    }),
  portfolioImagesContract: (runner, make) =>
    contracts.portfolioImagesContract(runner, async () => {
      const { portfolioImages: images, clockOfFiles: clock } = make()
      return { images, clock, close, bytesOf: async (image) => images.held().get(portfolioImagePath(image)) }
    }),
  imageFilesContract: (runner, make) =>
    contracts.imageFilesContract(runner, async () => {
      const { imageFiles: files, mediaStore, portfolioImages, clockOfFiles: clock } = make()
      return { files, mediaStore, portfolioImages, clock, close }
    }),
}
