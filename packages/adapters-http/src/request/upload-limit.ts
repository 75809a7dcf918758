import pLimit from 'p-limit'
import { busy, ProblemError } from '../problems/problem.ts'

/** Waits for room for an upload and resolves with the function that releases it. Rejects with a ProblemError when too many wait. */
export type AcquireUpload = () => Promise<() => void>

/** Limits for uploads in memory: of callers that are known before their body is read, and of all others. */
export interface UploadLimits {
  readonly authenticated: AcquireUpload
  readonly anonymous: AcquireUpload
}

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

/**
 * Makes the upload limits of a process, for all its parts together: an upload takes up to 10 MiB of memory. Anonymous ones may turn out to
 * have no valid token: they can only hold up each other.
 */
export const makeUploadLimits = (): UploadLimits => ({
  authenticated: limitUploads(12, 100),
  anonymous: limitUploads(4, 30),
})
