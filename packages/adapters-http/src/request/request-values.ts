import type { FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import { contextOf } from '../request-context.ts'

/** Decodes percent-encoded text; `otherwise` if it is invalid. */
export const decodeOr = <A>(text: string, otherwise: A): string | A => {
  try {
    return decodeURIComponent(text)
  } catch {
    return otherwise
  }
}

/** The maximum depth and number of texts that are read from a body; parameters are never deeper. */
const DEPTH = 6
const MOST = 1000

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  if (typeof value !== 'object' || value === null || depth > DEPTH || Buffer.isBuffer(value)) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name
    yield* textsIn(inner, depth + 1)
  }
}

/** Yields a header field, its words, and the credentials of HTTP Basic. */
function* textsOfHeader(value: string): Generator<string> {
  yield value
  const words = value.split(/[\s,;="]+/)
  yield* words
  if (/^basic /i.test(value))
    yield* Buffer.from(words[1] ?? '', 'base64')
      .toString('utf8')
      .split(':')
}

function* all(request: FastifyRequest): Generator<string> {
  for (const value of Object.values(request.headers).flat())
    if (value !== undefined) yield* textsOfHeader(value)
  for (const part of request.url.split(/[/?&=#]/)) {
    yield part
    yield decodeOr(part, part)
  }
  yield* textsIn(request.query)
  yield* textsIn(request.params)
  const { caller } = contextOf(request)
  if (caller !== undefined && O.isSome(caller.email)) yield caller.email.value
  yield* textsIn(request.body)
}

/** Returns every text in a request, and the email that it is about: no line of the log may repeat them (A5). */
export const valuesOf = (request: FastifyRequest): ReadonlyArray<string> => {
  const texts = new Set<string>()
  for (const text of all(request)) if (texts.add(text).size >= MOST) break
  return [...texts]
}
