import { networkOf } from '@almoner/domain/access'
import type { OpenedPortfolio, OpenPortfolio, UploadedFile } from '@almoner/domain/portfolio'
import type { FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { busy, ProblemError } from '../problems/problem.ts'
import { problemOf } from '../problems/problem-of-failure.ts'
import { contextOf } from '../request-context.ts'
import { BODY_LIMIT } from '../settings.ts'
import type { BodyWatch } from './metered-body.ts'
import { PartTexts } from './multipart-body.ts'
import {
  MOST_TEXTS,
  PartError,
  type PartLimits,
  partsOf,
  problemOfParts,
  undoTransfer,
} from './multipart-parts.ts'
import { unreadable } from './parameters.ts'

/**
 * Waits for room for an upload and resolves with the function that releases it. Rejects with a ProblemError when too many wait, or when it has
 * waited too long; rejects with the reason of the signal once that aborts.
 */
type AcquireUpload = (signal?: AbortSignal) => Promise<() => void>

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

/** Opens the files of a request, does work with them, and closes them. The work gets undefined if the request has no multipart body. */
export type WithFiles = <A>(
  request: FastifyRequest,
  work: (files: OpenedPortfolio | undefined) => Promise<A>,
) => Promise<A>

/** The reader of the files has lower limits, and says which. These keep a body from being read for ever. */
const LIMITS: PartLimits = { fileSize: 513 * 1024 * 1024, texts: MOST_TEXTS, parts: 10_020 }

/** What was read beside the files, and the error that ended the reading. */
interface Reading {
  readonly texts: PartTexts
  failure?: ProblemError
}

/** Reads a content to its end. */
const isEmpty = async (content: AsyncIterable<Uint8Array>): Promise<boolean> => {
  let bytes = 0
  for await (const { byteLength } of content) bytes += byteLength
  return bytes === 0
}

const filesOf = async function* (request: FastifyRequest, reading: Reading): AsyncGenerator<UploadedFile> {
  try {
    for await (const part of partsOf(request, LIMITS)) {
      if (!part.isFile) {
        await reading.texts.add(part, BODY_LIMIT)
        continue
      }
      const content = undoTransfer(part.sent, part.encoding)
      // A form without a chosen file sends an empty part with an empty file name (B10).
      if (part.fileName === '' && (await isEmpty(content))) continue
      yield { path: part.fileName ?? part.name, content }
      for await (const _ of content);
    }
  } catch (error) {
    reading.failure =
      error instanceof PartError ? unreadable(`A file ${error.message}.`) : problemOfParts(error)
    throw reading.failure
  }
}

const read = async (
  request: FastifyRequest,
  open: OpenPortfolio,
  signal: AbortSignal,
): Promise<OpenedPortfolio> => {
  const reading: Reading = { texts: new PartTexts() }
  const opened = await open(filesOf(request, reading), signal)()
  request.body = reading.texts.fields
  if (reading.texts.unreadable.size > 0) contextOf(request).unreadable = reading.texts.unreadable
  if (E.isRight(opened)) return opened.right
  // The rest of the body is skipped, so that the client receives the response.
  contextOf(request).multipart?.destroy()
  if (reading.failure !== undefined) throw reading.failure
  throw new ProblemError(
    opened.left._tag === 'UploadRefused' ? problemOf(opened.left) : busy(opened.left.cause),
  )
}

/** Makes a signal that aborts when the client is gone, and what takes it off the connection. */
const signalOf = ({ raw: { socket } }: FastifyRequest) => {
  const gone = new AbortController()
  const abort = () => gone.abort(unreadable('The client has left.'))
  if (socket.destroyed) abort()
  socket.once('close', abort)
  return { signal: gone.signal, release: () => socket.off('close', abort) }
}

/**
 * Makes the function that opens the files of requests. Four requests at a time send or have sent theirs, and sixteen more may wait; of the four
 * one is read at a time (H4). All work ends when the client goes away.
 */
export const makeWithFiles = (open: OpenPortfolio, watch: BodyWatch): WithFiles => {
  const acquire = limitUploads({ permits: 4, queue: 16 }, watch)
  return async (request, work) => {
    if (contextOf(request).multipart === undefined) return work(undefined)
    const client = signalOf(request)
    let release = () => {}
    try {
      release = await acquire(client.signal)
      const opened = await read(request, open, client.signal)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    } finally {
      client.release()
      release()
    }
  }
}
