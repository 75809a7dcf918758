import type { Unavailable } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'
import type Sharp from 'sharp'

/** sharp itself. */
export type Decoder = typeof Sharp

let loaded: Promise<Decoder> | undefined

const load = async (): Promise<Decoder> => {
  const { default: sharp } = await import('sharp')
  // Uploads do not repeat: a cache would only keep their pixels.
  sharp.cache(false)
  // Only the loaders of the types that the service accepts; nothing in a file can make the decoder choose another.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadSvgBuffer'],
  })
  // One thread an image, so that the number of images at once is also the number of cores they take.
  sharp.concurrency(1)
  return sharp
}

/** sharp, loaded with the first image: a process that never sees one does without its memory. Settings are process-wide. */
export const decoder = (): Promise<Decoder> => {
  loaded ??= load()
  return loaded
}

/** Lets a bounded number of tasks run at once and a bounded number wait. */
export type ConcurrencyLimit = <E, A>(task: TE.TaskEither<E, A>) => TE.TaskEither<E | Unavailable, A>

/**
 * A gate that tasks pass in the order in which they come.
 * @param running tasks under way at once
 * @param waiting tasks that may wait for one of them to end; one more is Unavailable, at once
 */
export const concurrencyLimit = (running: number, waiting: number): ConcurrencyLimit => {
  const limit = pLimit(running)
  // Tasks count as pending until their turn has come round, so the two are looked at together.
  const isFull = () => limit.activeCount + limit.pendingCount >= running + waiting
  return (task) => () => (isFull() ? TE.left(unavailable('too many images at once'))() : limit(task))
}
