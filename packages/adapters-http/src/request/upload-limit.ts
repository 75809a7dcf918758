import { networkOf } from '@almoner/domain/access'
import { busy, ProblemError } from '../problems/problem.ts'
import type { BodyWatch } from './metered-body.ts'

/**
 * Waits for room for an upload and resolves with the function that releases it. Rejects with a ProblemError when too many wait, or when it has
 * waited too long; rejects with the reason of the signal once that aborts.
 */
export type AcquireUpload = (signal?: AbortSignal) => Promise<() => void>

/** Limits for uploads in memory: of callers that are known before their body is read, and of all others. */
export interface UploadLimits {
  readonly authenticated: AcquireUpload
  /** Begins an upload from an address; throws a ProblemError if too many of its network are under way. */
  readonly anonymous: (address: string) => () => void
}

/** Seconds for which an upload waits: as long as usual proxies wait for a response. */
const MOST_WAITING = 60

/** Uploads at a time, and how many more may wait. */
interface UploadQueue {
  readonly permits: number
  readonly queue: number
}

/** Limits uploads: a few at a time, of which a bounded number waits for a bounded time. */
export const limitUploads = ({ permits, queue }: UploadQueue, watch: BodyWatch): AcquireUpload => {
  // A Set remembers the order in which its members came.
  const waiting = new Set<() => void>()
  let used = 0
  const permit = (): (() => void) => {
    used += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      used -= 1
      const [next] = waiting
      next?.()
    }
  }
  const wait = (signal: AbortSignal | undefined): Promise<() => void> => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    let seconds = 0
    const second = {
      look: () => {
        seconds += 1
        if (seconds < MOST_WAITING) return
        leave()
        reject(new ProblemError(busy(new Error('An upload has waited for too long.'))))
      },
    }
    const abort = () => {
      leave()
      reject(signal?.reason)
    }
    const proceed = () => {
      leave()
      resolve(permit())
    }
    const leave = () => {
      waiting.delete(proceed)
      watch.delete(second)
      signal?.removeEventListener('abort', abort)
    }
    waiting.add(proceed)
    watch.add(second)
    signal?.addEventListener('abort', abort)
    return promise
  }
  return async (signal) => {
    signal?.throwIfAborted()
    if (used < permits) return permit()
    if (waiting.size >= queue) throw new ProblemError(busy(new Error('Too many uploads are waiting.')))
    return wait(signal)
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
export const makeUploadLimits = (watch: BodyWatch): UploadLimits => ({
  authenticated: limitUploads({ permits: 12, queue: 100 }, watch),
  anonymous: limitByNetwork(32),
})
