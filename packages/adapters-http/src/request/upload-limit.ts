import pLimit from 'p-limit'
import { busy, ProblemError } from '../problems/problem.ts'

/** Waits for room for an upload and resolves with the function that releases it. Rejects with a ProblemError when too many wait. */
export type AcquireUpload = () => Promise<() => void>

/** Limits uploads in memory to `concurrency`; at most `queue` more may wait. */
export const limitUploads = (concurrency: number, queue: number): AcquireUpload => {
  const limit = pLimit(concurrency)
  return async () => {
    if (limit.activeCount + limit.pendingCount >= concurrency + queue)
      throw new ProblemError(busy(new Error('Too many uploads are waiting.')))
    return new Promise((acquired) => {
      // The limit counts the upload until it is released.
      void limit(() => new Promise<void>((release) => acquired(release)))
    })
  }
}
