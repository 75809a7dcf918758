import { Readable } from 'node:stream'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readFormBody } from '../request/form-body.ts'
import { readJsonBody } from '../request/json-body.ts'

/** A body that is not what it says at once. */
class CompressedBody extends Error {
  readonly statusCode = 415
  override readonly name = 'CompressedBody'
}

const isCompressed = (coding = 'identity'): boolean => coding !== 'identity'

/**
 * Whether a body is announced that has ended before anybody read it. So Node leaves requests without Content-Length and Transfer-Encoding,
 * which have none (RFC 9112, 6.3), when it spares itself their events (`optimizeEmptyRequests`): who reads them would wait for ever.
 */
const isEndedUnread = ({ raw }: FastifyRequest): boolean =>
  raw.readableEnded && raw.headers['content-type'] !== undefined

/**
 * The three encodings of B1; anything else is 415, a compressed body too: it may be of any size. Multipart bodies are read later, part by part.
 */
export const addBodyParsers = async (app: FastifyInstance): Promise<void> => {
  app.addHook('preParsing', (request, _reply, _body, done) => {
    if (isCompressed(request.headers['content-encoding'])) done(new CompressedBody())
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
}
