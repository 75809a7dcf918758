import { Readable } from 'node:stream'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../problems/problem.ts'
import { problemOfStatus } from '../problems/send-problem.ts'
import { readJsonBody } from './json-body.ts'
import { readFormBody } from './parameters.ts'

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
  const accept = () => done(null, {})
  const reject = () => {
    body.off('end', accept)
    done(unsupported())
  }
  if (sizeOf(request) > 0) reject()
  else body.once('end', accept).once('data', reject)
}

/**
 * Adds parsers for the three encodings of B1. All others are 415, compressed bodies too: they may decompress to any size. Multipart bodies
 * are read later, part by part.
 */
export const addBodyParsers = async (app: FastifyInstance): Promise<void> => {
  app.addHook('preParsing', (request, _reply, _body, done) => {
    if (isCompressed(request)) done(unsupported())
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
