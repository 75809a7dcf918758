import { countsAsAbsent, type Parameters, type RawParameters } from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import { identity } from 'fp-ts/lib/function.js'
import { contextOf } from '../request-context.ts'
import { MOST_PARAMETERS, tooMany } from './json-body.ts'

/** Shapes are read by more than the server; their type parameters matter to none of the readers. */
// biome-ignore lint/suspicious/noExplicitAny: any shape of parameters, as t.Mixed is any codec
export type AnyParameters = Parameters<any, any>

/** Runs of percent-encoded bytes. A percent sign that encodes nothing is itself, as people paste them. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi

/** Replaces bytes that are not UTF-8. No text can hold it, so the codec of the parameter rejects it by name (I1). */
export const UNREADABLE = '\ud800'

/** Decodes percent-encoded text; `otherwise` if it is invalid. */
export const decodeOr = <A>(text: string, otherwise: A): string | A => {
  try {
    return decodeURIComponent(text)
  } catch {
    return otherwise
  }
}

const decoded = (bytes: string): string => decodeOr(bytes, UNREADABLE)

/** The characters that {@link textOf} changes. */
const SPECIAL = /[%+\ufffd]/

/** Decodes a name or value. Node's own decoders mangle text in which a lone percent sign meets a character beyond ASCII. */
const textOf = (sent: string): string =>
  // Bytes that were not UTF-8 before any decoding have become U+FFFD; a U+FFFD that was sent comes encoded.
  sent.includes('\ufffd') ? UNREADABLE : sent.replaceAll('+', ' ').replaceAll(ENCODED, decoded)

/** Returns the parameters of a query. One that comes twice becomes an array, which its codec rejects. */
export const readQuery = (text: string): Record<string, unknown> => {
  const fields: Record<string, Array<string> | string> = Object.create(null)
  const read = SPECIAL.test(text) ? textOf : identity
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const name = read(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : read(pair.slice(equals + 1))
    const earlier = fields[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else fields[name] = earlier === undefined ? value : [earlier, value]
  }
  return fields
}

/**
 * Returns the fields of a form (B1), read like a query.
 * @throws ProblemError when there are too many
 */
export const readFormBody = (text: string): Record<string, unknown> => {
  if (text.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS) throw tooMany()
  return readQuery(text)
}

/** The three places that parameters come from. */
export interface ParameterSources {
  readonly path: RawParameters
  readonly query: RawParameters
  readonly body: RawParameters
}

const own = (raw: RawParameters, key: string): unknown => (Object.hasOwn(raw, key) ? raw[key] : undefined)

/**
 * Merges parameters by name: the path wins over the body, and the body over the query (B2). A name that one source gives twice is
 * passed on as an array, whichever source wins, and rejected by the codec.
 */
export const mergeParameters = (
  parameters: AnyParameters,
  { path, query, body }: ParameterSources,
): RawParameters => {
  const merged: Record<string, unknown> = {}
  for (const [key, codec] of parameters.fields) {
    const given = [own(path, key), own(body, key), own(query, key)]
    merged[key] = given.find(Array.isArray) ?? given.find((candidate) => !countsAsAbsent(candidate, codec))
  }
  return merged
}

/** Returns a part of a request as parameters; none unless it is an object. */
export const rawOf = (source: unknown): RawParameters =>
  typeof source === 'object' && source !== null ? (source as RawParameters) : {}

/** Returns the merged parameters of a request, whose body has been read. */
export const parametersOf = (request: FastifyRequest, parameters: AnyParameters): RawParameters => {
  const context = contextOf(request)
  context.parameters ??= mergeParameters(parameters, {
    path: rawOf(request.params),
    query: rawOf(request.query),
    body: rawOf(request.body),
  })
  return context.parameters
}
