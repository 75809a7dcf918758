import { Readable } from 'node:stream'
import type { Caller } from '@almoner/domain'
import { FINDING } from '@almoner/domain/content'
import type { RawParameters } from '@almoner/domain/values'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import { busy, ProblemError } from '../problems/problem.ts'
import { problemOfStatus } from '../problems/send-problem.ts'
import { BODY_LIMIT } from '../settings.ts'
import type { BodyLimits } from './metered-body.ts'
import { markMultipart } from './multipart-parts.ts'
import { isJsonList, readFormBody, readJsonBody } from './parameters.ts'

const unsupported = (): ProblemError => new ProblemError(problemOfStatus(415))

type Done = (fault: Error | null, body?: unknown) => void

const sizeOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0)

/** Returns whether a request has a body that is read, in another coding than identity (RFC 9110 §8.4.1: case does not matter). */
const isCompressed = (request: FastifyRequest): boolean =>
  (request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity' &&
  request.method !== 'GET' &&
  request.method !== 'HEAD' &&
  (sizeOf(request) > 0 || request.headers['transfer-encoding'] !== undefined)

/**
 * Returns whether a body is announced that has ended already. With `optimizeEmptyRequests` Node ends requests that have neither
 * Content-Length nor Transfer-Encoding, so no body (RFC 9112, 6.3), without any event: a parser would wait for ever.
 */
const isEndedUnread = ({ raw }: FastifyRequest): boolean =>
  raw.readableEnded && raw.headers['content-type'] !== undefined

/** Rejects a body of an unknown type with 415 at its first byte. The type of an empty body does not matter. */
const rejectUnlessEmpty = (request: FastifyRequest, body: Readable, done: Done) => {
  const settle = (error: Error | null) => {
    body.off('end', accept).off('data', reject).off('error', settle)
    if (error === null) done(null, {})
    else done(error)
  }
  const accept = () => settle(null)
  const reject = () => settle(unsupported())
  if (sizeOf(request) > 0) reject()
  // A body may also come too slowly, or find no room (A9, B10).
  else body.once('end', accept).once('data', reject).once('error', settle)
}

/** Returns whether a request has a body that is read. */
const isToBeRead = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['content-type'] !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined)

/**
 * Returns parameters without the content of arrays and objects, except lists of texts. No parameter is one, so the codec rejects them; but they
 * take up to thirty times the memory of their text, while the caller is looked up.
 */
const withoutNested = (body: Record<string, unknown>): Record<string, unknown> => {
  for (const [name, value] of Object.entries(body))
    if (typeof value === 'object' && value !== null && !isJsonList(value)) {
      const emptied = Array.isArray(value) ? value.slice(0, 1).map(() => null) : {}
      Object.defineProperty(body, name, {
        value: emptied,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
  return body
}

/**
 * Adds parsers for the three encodings of B1. All others are 415, compressed bodies too: they may decompress to any size. Multipart bodies
 * are read later, part by part.
 *
 * An application around the API may have `@fastify/multipart` already, with options that make its hooks read whole files. Its parser is
 * replaced, so that these hooks do not take our requests for multipart ones; only its method `parts` is used.
 */
export const addBodyParsers = async (app: FastifyInstance, { meter }: BodyLimits): Promise<void> => {
  app.addHook('preParsing', (request, reply, _body, done) => {
    if (isCompressed(request)) done(unsupported())
    else if (isEndedUnread(request)) done(null, Readable.from([]))
    else if (isToBeRead(request)) done(null, meter(request, reply))
    else done()
  })
  if (!app.hasPlugin('@fastify/multipart')) await app.register(multipart)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (_, body, done) => {
      try {
        done(null, withoutNested(readJsonBody(body as Buffer)))
      } catch (fault) {
        done(fault as Error)
      }
    },
  )
  await app.register(formbody, { parser: readFormBody, bodyLimit: BODY_LIMIT })
  app.addContentTypeParser('multipart/form-data', markMultipart)
  app.addContentTypeParser('*', rejectUnlessEmpty)
}

/** Long reads of one caller at a time, fewer than a store takes of all callers; and how many of its requests may wait. */
const [AT_A_TIME, QUEUE] = [2, 64]

/** Offsets up to this are passed over at once. */
const NEAR = 1000

/** Operations that read whole tables, with any parameters. */
const COUNTING: ReadonlySet<string> = new Set([
  'exportPortfolio',
  'findUsers',
  'listFindings',
  'listTextFindings',
  'showDesk',
  'showFigures',
  'showPublished',
  'showStatistics',
])

const FILTERS = Object.keys(FINDING)

/** Returns whether the work of a request may grow with the tables: it filters, counts, or passes over an offset (I6). */
export const isLongRead = (operation: string, raw: RawParameters): boolean => {
  const isGiven = (name: string) => raw[name] !== undefined && raw[name] !== ''
  return COUNTING.has(operation) || FILTERS.some(isGiven) || Number(raw['offset'] ?? 0) > NEAR
}

/** Waits until a caller may read for long, and resolves to what ends that. Rejects with a ProblemError when too many of its requests wait. */
export type EnterLongRead = (caller: Pick<Caller, 'clientId' | 'email'>) => Promise<() => void>

/** The long reads of a caller: how many run, and what lets each of the others begin. */
interface LongReads {
  running: number
  readonly waiting: Array<() => void>
}

/** Makes the limit of long reads: one caller never takes all that a store reads at a time, so others go on (I6). */
export const limitLongReads = (): EnterLongRead => {
  const callers = new Map<string, LongReads>()
  return async ({ clientId, email }) => {
    const key = JSON.stringify([clientId, O.toNullable(email)])
    const reads = callers.get(key) ?? { running: 0, waiting: [] }
    callers.set(key, reads)
    if (reads.waiting.length >= QUEUE)
      throw new ProblemError(busy(new Error('Too many searches of this caller are waiting.')))
    if (reads.running < AT_A_TIME) reads.running += 1
    else await new Promise<void>((enter) => reads.waiting.push(enter))
    return () => {
      // The next one takes the place.
      const enter = reads.waiting.shift()
      if (enter !== undefined) enter()
      else {
        reads.running -= 1
        if (reads.running === 0) callers.delete(key)
      }
    }
  }
}
