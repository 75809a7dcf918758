import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { stateOf } from '../request-context.ts'
import { etagOf, isUnchanged } from './etag.ts'
import type { ReadyAnswer, StreamedAnswer } from './render.ts'
import { SECURITY } from './security-headers.ts'

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Sends what is ready: 200 throughout (C1), but for 304 where the caller has it already (C10). */
export const sendReady = (
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, body, headers, tag }: ReadyAnswer,
): FastifyReply => {
  const known = request.headers['if-none-match']
  if (tag !== undefined && known !== undefined && isRead(request) && isUnchanged(known, tag)) {
    // What a server that the API is mounted in says instead is not ours to take back.
    for (const [name, value] of Object.entries(SECURITY))
      if (reply.getHeader(name) === value) reply.removeHeader(name)
    return reply.code(304).header('etag', etagOf(tag)).send()
  }
  reply.code(status).headers(headers)
  return body.length === 0 ? reply.send() : reply.send(body)
}

/**
 * Milliseconds after which the reader of a streamed collection counts as stalled. Node sees progress only when a third of the kernel's send
 * buffer is free again: one who took 4 KB/s over loopback was seen to do so after 348 s.
 */
const STALLED = 600_000

/** Sends what was read ahead, and then the rest as it comes. */
export const sendStreamed = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { beginning, rest, headers }: StreamedAnswer,
): Promise<FastifyReply> => {
  reply.headers(headers)
  reply.raw.setTimeout(STALLED)
  // Whatever becomes of the answer, the snapshot behind it is let go: a stream that is destroyed before its first read would
  // never tell its source.
  const letGo = () => {
    rest.return(undefined).catch(() => undefined)
  }
  reply.raw.once('close', letGo)
  if (reply.raw.destroyed) letGo()
  if (request.method === 'HEAD') {
    await rest.return(undefined)
    return reply.send(Readable.from([]))
  }
  const all = async function* () {
    yield beginning
    try {
      yield* rest
    } catch (cause) {
      // The status has gone out already: the connection ends short of the collection's end, and the log has the reason.
      stateOf(request).cause = cause
      throw cause
    }
  }
  return reply.send(Readable.from(all(), { objectMode: false }))
}
