import { networkOf } from '@almoner/domain/access'
import pLimit from 'p-limit'
import { busy, ProblemError } from '../problems/problem.ts'

/** Waits for room for an upload and resolves with the function that releases it. Rejects with a ProblemError when too many wait. */
export type AcquireUpload = () => Promise<() => void>

/** Limits for uploads in memory: of callers that are known before their body is read, and of all others. */
export interface UploadLimits {
  readonly authenticated: AcquireUpload
  /** Begins an upload from an address; throws a ProblemError if too many of its network are under way. */
  readonly anonymous: (address: string) => () => void
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

/** Limits what each network has under way. */
const limitByNetwork = (most: number): UploadLimits['anonymous'] => {
  const counts = new Map<string, number>()
  return (address) => {
    const network = networkOf(address)
    const count = counts.get(network) ?? 0
    if (count >= most)
      throw new ProblemError(busy(new Error('Too many uploads of unknown callers are under way.')))
    counts.set(network, count + 1)
    return () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    }
  }
}

/**
 * Makes the upload limits of a process, for all its parts together: an upload takes up to 10 MiB of memory. That of anonymous ones, which may
 * turn out to have no valid token, is bounded by their pool (B10); each of them occupies a connection and a parser, however slow it is.
 */
export const makeUploadLimits = (): UploadLimits => ({
  authenticated: limitUploads(12, 100),
  anonymous: limitByNetwork(32),
})
