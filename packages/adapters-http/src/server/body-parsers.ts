import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { readFormBody } from '../request/form-body.ts'
import { readJsonBody } from '../request/json-body.ts'

/** The three encodings of B1; anything else is 415. Multipart bodies are read later, part by part. */
export const addBodyParsers = async (app: FastifyInstance): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    readJsonBody(body),
  )
  await app.register(formbody, { parser: readFormBody })
  await app.register(multipart, { throwFileSizeLimit: false })
}
