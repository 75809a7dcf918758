import { join } from 'node:path'
import { api, discovery, images } from '@almoner/adapters-http'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import {
  folderImageFiles,
  openFolderMediaStore,
  openFolderPortfolioImages,
  portfolioImageChecker,
  sharpImageChecker,
} from '@almoner/adapters-media'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '@almoner/adapters-node'
import { logGateway } from '@almoner/adapters-push'
import { openSqlite } from '@almoner/adapters-sqlite'
import { DEFAULT_POLICY, makeReview, mediaAddressesBelow, type Ports } from '@almoner/domain'
import { memoryFailedAttempts } from '@almoner/domain/memory'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** Where the charity is in the application, and what it keeps below which folder. */
export interface CharityOptions {
  readonly folder: string
  /** The application's address for the world, without a slash at its end. */
  readonly baseUrl: string
  readonly prefix: string
}

/** What must succeed for the application to start. */
const started = async <E extends { readonly _tag: string }, A>(task: TaskEither<E, A>): Promise<A> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  throw new Error(result.left._tag, { cause: result.left })
}

/** Reviews now and every minute, one review at a time (G4). Gives how to stop. */
const reviewEveryMinute = (app: FastifyInstance, ports: Ports) => {
  const review = makeReview(ports, DEFAULT_POLICY)
  const stop = new AbortController()
  let running: Promise<void> | undefined
  const run = async () => {
    const done = await review({ window: 100, signal: stop.signal })()
    if (E.isLeft(done)) app.log.error(done.left.cause, 'no review')
  }
  const tick = () => {
    running ??= run().finally(() => {
      running = undefined
    })
  }
  tick()
  const timer = setInterval(tick, 60_000)
  return async () => {
    stop.abort()
    clearInterval(timer)
    await running
  }
}

/** Adds the charity to an application, and closes what it has opened when the application closes. */
export const addCharity = async (
  app: FastifyInstance,
  { folder, baseUrl, prefix }: CharityOptions,
): Promise<Ports> => {
  const media = join(folder, 'media')
  const database = await started(openSqlite({ file: join(folder, 'charity.db') }))
  await started(makeMigrator(database, systemClock, MIGRATIONS).migrate())
  const imageChecker = sharpImageChecker()
  const ports: Ports = {
    ...makeStore(database),
    clock: systemClock,
    timer: nodeTimer,
    random: nodeRandom,
    ids: uuidIds(),
    secrets: nodeSecrets(),
    failedAttempts: memoryFailedAttempts(),
    mediaAddresses: mediaAddressesBelow(`${baseUrl}${prefix}`),
    mediaStore: await started(openFolderMediaStore({ folder: media, clock: systemClock })),
    imageChecker,
    portfolioImages: await started(
      openFolderPortfolioImages({ folder: join(media, 'portfolio'), clock: systemClock }),
    ),
    portfolioImageChecker: portfolioImageChecker(imageChecker),
    pushGateway: logGateway((line) => app.log.info(line, 'push')),
  }
  await app.register(api({ ports, policy: DEFAULT_POLICY, baseUrl: () => baseUrl }), { prefix })
  await app.register(images({ files: folderImageFiles(media) }), { prefix })
  // At the root, where OAuth clients look for it (RFC 8414).
  await app.register(discovery(() => `${baseUrl}${prefix}`))
  const stopReviews = reviewEveryMinute(app, ports)
  app.addHook('onClose', async () => {
    await stopReviews()
    await database.close()
  })
  return ports
}
