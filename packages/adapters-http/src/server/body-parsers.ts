import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { readJsonBody, UnreadableBody } from '../request/json-body.ts'

/** Runs of percent-encoded bytes. A percent sign that encodes nothing is itself, as people paste them. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi

const decodes = (bytes: string): boolean => {
  try {
    return decodeURIComponent(bytes) !== ''
  } catch {
    return false
  }
}

/** The fields of a form; one that comes twice becomes an array. Bytes that are no UTF-8 are refused, not replaced. */
const readForm = (text: string): Record<string, unknown> => {
  const runs = text.match(ENCODED) ?? []
  if (text.includes('\ufffd') || !runs.every(decodes))
    throw new UnreadableBody('The form is not valid UTF-8.')
  const fields: Record<string, Array<string> | string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = fields[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else fields[name] = earlier === undefined ? value : [earlier, value]
  }
  return fields
}

/** The three encodings of B1; anything else is 415. Multipart bodies are read later, part by part. */
export const addBodyParsers = async (app: FastifyInstance): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    readJsonBody(body),
  )
  await app.register(formbody, { parser: readForm })
  await app.register(multipart, { throwFileSizeLimit: false })
}
