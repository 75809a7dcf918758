import { Readable } from 'node:stream'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readFormBody } from './form-body.ts'
import { readJsonBody } from './json-body.ts'

/** A body that is of an unknown type, or not what it says at once. */
class UnsupportedBody extends Error {
  readonly statusCode = 415
  override readonly name = 'UnsupportedBody'
}

type Done = (fault: Error | null, body?: unknown) => void

const sizeOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0)

/** Whether a request has a body that is read, and its coding is another than identity (RFC 9110 §8.4.1: without regard to case). */
const isCompressed = (request: FastifyRequest): boolean =>
  (request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity' &&
  request.method !== 'GET' &&
  request.method !== 'HEAD' &&
  (sizeOf(request) > 0 || request.headers['transfer-encoding'] !== undefined)

/**
 * Whether a body is announced that has ended before anybody read it. So Node leaves requests without Content-Length and Transfer-Encoding,
 * which have none (RFC 9112, 6.3), when it spares itself their events (`optimizeEmptyRequests`): who reads them would wait for ever.
 */
const isEndedUnread = ({ raw }: FastifyRequest): boolean =>
  raw.readableEnded && raw.headers['content-type'] !== undefined

/** Rejects a body of an unknown type with 415 at its first byte. An empty body has no type that matters, and no parameters. */
const rejectUnlessEmpty = (request: FastifyRequest, body: Readable, done: Done) => {
  const accept = () => done(null, {})
  const reject = () => {
    body.off('end', accept)
    done(new UnsupportedBody())
  }
  if (sizeOf(request) > 0) reject()
  else body.once('end', accept).once('data', reject)
}

/**
 * The three encodings of B1; anything else is 415, a compressed body too: it may be of any size. Multipart bodies are read later, part by part.
 */
export const addBodyParsers = async (app: FastifyInstance): Promise<void> => {
  app.addHook('preParsing', (request, _reply, _body, done) => {
    if (isCompressed(request)) done(new UnsupportedBody())
    else if (isEndedUnread(request)) done(null, Readable.from([]))
    else done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, readJsonBody(body as Buffer))
    } catch (fault) {
      done(fault as Error)
    }
  })
  await app.register(formbody, { parser: readFormBody })
  await app.register(multipart, { throwFileSizeLimit: false })
  app.addContentTypeParser('*', rejectUnlessEmpty)
}
