import { Readable } from 'node:stream'
import type { StoredResponse } from '@almoner/domain/access'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import type { AnyParameters } from '../request/parameters.ts'
import { type BufferedResponse, contextOf, type Look, recordFault } from '../request-context.ts'
import {
  CLOSE,
  type Collection,
  digestTag,
  isNamed,
  JSON_CONTENT,
  type RouteResponse,
  SECURITY_HEADERS,
  TOTAL_COUNT,
} from './headers.ts'

/** A name in a path as Fastify writes it, with the pattern that may follow it. */
const PATH_NAME = /:([A-Za-z]+)(?:\([^)]*\))?/g

/** Parameters that the URL of the next page does not repeat: it has a cursor. */
const NOT_REPEATED = new Set(['offset', 'after'])

/** Returns a route's path with its parameters filled in. */
const pathOf = ({ routeOptions, params }: FastifyRequest): string => {
  if (routeOptions.url?.includes(':') === false) return routeOptions.url
  const values = params as Readonly<Record<string, string>>
  return (routeOptions.url ?? '/').replaceAll(PATH_NAME, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
}

/** Returns a field of a query. A lone surrogate cannot be encoded, and is replaced. */
const fieldOf = (name: string, value: string): string => `${name}=${encodeURIComponent(value.toWellFormed())}`

/** Returns the URL of the next page: the known parameters of this one, so never the token (C11, A5). */
const nextPageUrl = (
  request: FastifyRequest,
  [parameter, cursor]: readonly [parameter: string, cursor: string],
  parameters: AnyParameters,
  baseUrl: string,
): string => {
  const query = request.query as Readonly<Record<string, unknown>>
  const inPath = request.params ?? {}
  let fields = ''
  for (const [name] of parameters.fields) {
    const isReplaced = NOT_REPEATED.has(name) || name === parameter
    const isRepeated = Object.hasOwn(query, name) && !Object.hasOwn(inPath, name) && !isReplaced
    const value = isRepeated ? query[name] : undefined
    if (typeof value === 'string' && value !== '') fields += `${fieldOf(name, value)}&`
  }
  return `${baseUrl}${pathOf(request)}?${fields}${fieldOf(parameter, cursor)}`
}

/** Links to the next page (C11). */
const linkTo = (url: string) => ({ link: `<${url}>; rel="next"` })

const JSON_TYPE = { 'content-type': JSON_CONTENT }

/** Collections up to this many characters or bytes are sent in one piece, with their length. */
const ONE_PIECE = 262_144

/**
 * Milliseconds after which the reader of a streamed collection counts as stalled. Node sees progress only when a third of the kernel's send
 * buffer is free again: a client that took 4 KB/s over loopback was seen to do so after 348 s.
 */
const STALLED = 600_000

/** Returns the stored response to an earlier request (I4). */
const replayed = ({ status, contentType, etag, body }: StoredResponse): BufferedResponse => ({
  status,
  body,
  headers: {
    'idempotency-replayed': 'true',
    ...(O.isSome(contentType) ? { 'content-type': contentType.value } : {}),
    ...(O.isSome(etag) ? { etag: etag.value } : {}),
  },
})

/** Sends a response that is in memory: 200 (C1), or 304 if the caller has it already (C10). */
export const sendBuffered = (
  request: FastifyRequest,
  reply: FastifyReply,
  response: BufferedResponse,
): FastifyReply => {
  contextOf(request).response = response
  const { status, body, headers } = response
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const known = isRead ? request.headers['if-none-match'] : undefined
  if (known !== undefined && isNamed(known, headers['etag'])) {
    // A header field that an application around the API has set to another value stays.
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      if (reply.getHeader(name) === value) reply.removeHeader(name)
    return reply.code(304).header('etag', headers['etag']).send()
  }
  reply.code(status).headers(headers)
  return body.length === 0 ? reply.send() : reply.send(body)
}

async function* pieces({ open, batches }: Collection): AsyncGenerator<string> {
  yield open
  let separator = ''
  for await (const batch of batches()) {
    if (batch.length === 0) continue
    yield `${separator}${batch.join(',')}`
    separator = ','
  }
  yield CLOSE
}

/**
 * Resets the connection of a response that was cut: to a client of HTTP/1.0, or behind a proxy that speaks it, an orderly end would make the
 * part that was sent look whole. Other sockets than TCP can only be destroyed.
 */
const reset = ({ raw: { socket } }: FastifyRequest): void => {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}

/** Sends the beginning of a collection, and then the rest while it is read. */
const stream = async (
  request: FastifyRequest,
  reply: FastifyReply,
  beginning: string,
  rest: AsyncGenerator<string | Uint8Array>,
): Promise<FastifyReply> => {
  reply.raw.setTimeout(STALLED)
  // Releases the snapshot in any case: a stream that is destroyed before its first read never closes its source.
  const release = () => {
    rest.return(undefined).catch(() => undefined)
  }
  reply.raw.once('close', release)
  if (reply.raw.destroyed) release()
  if (request.method === 'HEAD') {
    await rest.return(undefined)
    return reply.send(Readable.from([]))
  }
  const all = async function* () {
    yield beginning
    try {
      yield* rest
    } catch (cause) {
      // The status has been sent: the connection ends before the collection does, and the log has the reason. A thrown error is logged by
      // Fastify in an application with a logger, so it must not repeat values of the request (A5).
      recordFault(request, cause)
      reset(request)
      throw new Error('the response could not be read to its end')
    }
  }
  return reply.send(Readable.from(all(), { objectMode: false }))
}

const passAll: Look = async () => true

/** The parts of {@link sendResponse}. */
interface SendOptions {
  /** For the link to the next page. */
  readonly parameters: AnyParameters
  readonly baseUrl: () => string
  /** Runs once the response is ready, before any of it is sent. It may send a problem instead. */
  readonly beforeSending?: Look
  /** Whether a response without a tag gets a digest as its tag (C14). */
  readonly isTagged?: boolean
}

const isBrokenOff = (cause: unknown): boolean =>
  cause instanceof Error && 'brokeOff' in cause && cause.brokeOff === true

/** Reads as much of a collection as is sent in one piece. Nothing has been sent yet, so that a reading that breaks off begins again, once. */
const beginningOf = async (collection: Collection, isRepeated = false) => {
  const source = pieces(collection)
  let text = ''
  try {
    while (text.length < ONE_PIECE) {
      const next = await source.next()
      if (next.done === true) return { text, source, isWhole: true }
      text += next.value
    }
    return { text, source, isWhole: false }
  } catch (cause) {
    if (isRepeated || !collection.isRepeatable || !isBrokenOff(cause)) throw cause
    return beginningOf(collection, true)
  }
}

const IN_MEMORY = { text: '', source: undefined, isWhole: true }

/** Sends a collection: from memory where it is short or has a tag, else as a stream. */
const sendCollection = async (
  request: FastifyRequest,
  reply: FastifyReply,
  collection: Collection,
  headers: BufferedResponse['headers'],
  { isTagged = false, beforeSending = passAll }: SendOptions,
): Promise<FastifyReply> => {
  const whole = collection.whole?.()
  const kept = whole !== undefined && (isTagged || whole.length <= ONE_PIECE) ? whole : undefined
  const { text, source, isWhole } = kept === undefined ? await beginningOf(collection) : IN_MEMORY
  if (!(await beforeSending(request, reply))) {
    await source?.return(undefined)
    return reply
  }
  if (source !== undefined && !isWhole) return stream(request, reply.headers(headers), text, source)
  const body = kept ?? Buffer.from(text)
  const tagged = isTagged ? { ...headers, etag: digestTag(body, headers) } : headers
  return sendBuffered(request, reply, { status: 200, body, headers: tagged })
}

/** Sends a file while it is made. */
const sendFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, pieces: read }: Extract<RouteResponse, { readonly kind: 'file' }>,
  beforeSending: Look,
): Promise<FastifyReply> =>
  (await beforeSending(request, reply)) ? stream(request, reply.headers(headers), '', read()) : reply

/** Sends the response of a route. */
export const sendResponse = async (
  request: FastifyRequest,
  reply: FastifyReply,
  response: RouteResponse,
  options: SendOptions,
): Promise<FastifyReply> => {
  const { parameters, baseUrl, isTagged = false, beforeSending = passAll } = options
  const sendWhole = async (body: BufferedResponse): Promise<FastifyReply> =>
    (await beforeSending(request, reply)) ? sendBuffered(request, reply, body) : reply
  switch (response.kind) {
    case 'empty':
      return sendWhole({ status: 200, body: '', headers: {} })
    case 'file':
      return sendFile(request, reply, response, beforeSending)
    case 'json': {
      const { text: body } = response
      const etag = response.etag ?? (isTagged ? digestTag(body) : undefined)
      const { next, headers } = response
      const link = next === undefined ? {} : linkTo(nextPageUrl(request, next, parameters, baseUrl()))
      return sendWhole({
        status: 200,
        body,
        headers: { ...JSON_TYPE, ...(etag === undefined ? {} : { etag }), ...link, ...headers },
      })
    }
    case 'stored':
      return sendWhole(replayed(response.response))
    case 'collection': {
      const { next, total } = response.collection
      const link =
        next === undefined ? {} : linkTo(nextPageUrl(request, ['after', next], parameters, baseUrl()))
      const count = total === undefined ? {} : { [TOTAL_COUNT]: String(total) }
      const headers = { ...JSON_TYPE, ...link, ...count }
      return sendCollection(request, reply, response.collection, headers, options)
    }
  }
}
