import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import {
  folderImageFiles,
  openFolderMediaStore,
  openFolderPortfolioImages,
  portfolioImageChecker,
  withRenditions,
} from '@almoner/adapters-media'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '@almoner/adapters-node'
import { logGateway } from '@almoner/adapters-push'
import { openLinkChecker } from '@almoner/adapters-push/links'
import { openSqlite } from '@almoner/adapters-sqlite'
import { type Client, type ClientId, DEFAULT_POLICY, mediaAddressesBelow, type Ports } from '@almoner/domain'
import { memoryFailedAttempts, NO_ID_TOKENS } from '@almoner/domain/access'
import { makeReview } from '@almoner/domain/delivery'
import * as E from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** A client that may do everything, bound to no user. */
export const OFFICE: Client = {
  id: 'office' as ClientId,
  name: 'The office',
  scopes: ['content-manager'],
  roles: [],
  email: none,
  disabled: false,
}

/** What must succeed for the application to start. */
const started = async <E extends { readonly _tag: string }, A>(task: TaskEither<E, A>): Promise<A> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  throw new Error(result.left._tag, { cause: result.left })
}

/** Reviews now and every minute, one review at a time (G4). Returns a function that stops it. */
const reviewEveryMinute = (ports: Ports) => {
  const review = makeReview(ports, DEFAULT_POLICY)
  const stop = new AbortController()
  let running: Promise<void> | undefined
  const run = async () => {
    const done = await review({ window: 100, signal: stop.signal })()
    if (E.isLeft(done)) console.error('no review', done.left.cause)
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

/** Opens a SQLite database and an image folder below `folder`, and reviews notifications until it is closed. */
export const openCharity = async (folder: string, url: string) => {
  const media = join(folder, 'media')
  const database = await started(openSqlite({ file: join(folder, 'charity.db') }))
  await started(makeMigrator(database, systemClock, MIGRATIONS).migrate())
  // Uploads and renditions share their decoders.
  const { mediaStore, imageChecker, imageFiles, render } = withRenditions(
    {
      mediaStore: await started(openFolderMediaStore({ folder: media, clock: systemClock })),
      imageFiles: folderImageFiles(media),
    },
    nodeTimer,
  )
  const ports: Ports = {
    ...makeStore(database),
    clock: systemClock,
    timer: nodeTimer,
    random: nodeRandom,
    ids: uuidIds(),
    secrets: nodeSecrets(),
    failedAttempts: memoryFailedAttempts(),
    // Clients of this service exchange no ID tokens (A10).
    idTokens: NO_ID_TOKENS,
    mediaAddresses: mediaAddressesBelow(url),
    mediaStore,
    imageChecker,
    portfolioImages: await started(
      openFolderPortfolioImages({ folder: join(media, 'portfolio'), clock: systemClock }),
    ),
    portfolioImageChecker: portfolioImageChecker(imageChecker),
    pushGateway: logGateway((line) => console.log('push', line)),
    linkChecker: openLinkChecker({ service: () => url }),
  }
  const stopReviews = reviewEveryMinute(ports)
  return {
    ports,
    policy: DEFAULT_POLICY,
    images: { files: imageFiles, folder: media, render },
    close: async () => {
      await stopReviews()
      await database.close()
    },
  }
}
