import { isUtf8 } from 'node:buffer'
import {
  countsAsAbsent,
  type Parameters,
  type RawParameters,
  REPEATED,
  readsList,
} from '@almoner/domain/values'
import type { FastifyRequest } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import type { Mixed } from 'io-ts'
import { createScanner } from 'jsonc-parser'
import { badRequest, ProblemError } from '../problems/problem.ts'
import { contextOf } from '../request-context.ts'

/** jsonc-parser's token kinds; its own names for them are a const enum, which type stripping cannot read. */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, colon: 6, string: 10, end: 17 }

const DEPTH: Readonly<Record<number, number>> = {
  [TOKEN.openBrace]: 1,
  [TOKEN.openBracket]: 1,
  [TOKEN.closeBrace]: -1,
  [TOKEN.closeBracket]: -1,
}

/** The exception for a body that cannot be read. */
export const unreadable = (detail: string): ProblemError => new ProblemError(badRequest(detail))

/**
 * The names that an object gives at its top level, in order, repeated ones too: `JSON.parse` keeps only the last value of a
 * repeated name, and a parameter given twice is a fault (B2). Walks tokens, so that depth costs no stack.
 */
const topLevelNames = (text: string): ReadonlyArray<string> => {
  const scanner = createScanner(text, true)
  const names: Array<string> = []
  let depth = 0
  let last: string | undefined
  for (let token: number = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    depth += DEPTH[token] ?? 0
    if (token === TOKEN.colon && depth === 1 && last !== undefined) names.push(last)
    last = token === TOKEN.string ? scanner.getTokenValue() : undefined
  }
  return names
}

/** The names that come again, in one pass: a body may hold a hundred thousand of them. */
const repeatedIn = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}

/** Names looked for one by one at most. */
const FEW = 32

/** The most parameters that a body or query may give: many times what any operation has. */
const MOST_PARAMETERS = 1000

/** The exception for a body or query that gives more. */
const tooMany = (): ProblemError => unreadable('The request has too many parameters.')

const comesTwice = (text: string, part: string): boolean =>
  text.includes(part, text.indexOf(part) + part.length)

/**
 * Whether a name may come twice. Without escapes a name stands in the text as it is, in quotes; where no name's quotes are there a
 * second time, none of them repeats. That is looked up much faster than the tokens are walked, and holds for nearly every body.
 */
const mayRepeat = (text: string, names: ReadonlyArray<string>): boolean =>
  names.length > FEW || text.includes('\\') || names.some((name) => comesTwice(text, `"${name}"`))

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // V8's own message quotes the body, which may hold secrets.
    throw unreadable('The body is not valid JSON.')
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true })

/** Decodes bytes as UTF-8, and rejects invalid ones instead of replacing them. */
export const utf8 = (bytes: Uint8Array): string => {
  try {
    return DECODER.decode(bytes)
  } catch {
    throw unreadable('The body is not valid UTF-8.')
  }
}

const LISTS = new WeakSet<object>()

/** Returns whether a value is a list of texts or numbers from a JSON body: one value for a codec of lists, where a form repeats a name. */
export const isJsonList = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && LISTS.has(value)

const markLists = (body: object): void => {
  for (const value of Object.values(body))
    if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
      LISTS.add(value)
}

/**
 * The parameters in a JSON body (B1). No body at all has none, and `null` is no body (B2).
 * @throws ProblemError
 */
export const readJsonBody = (bytes: Uint8Array): Record<string, unknown> => {
  const text = utf8(bytes)
  if (text.trim() === '') return {}
  const body = parse(text)
  if (body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw unreadable('The body must be a JSON object.')
  const names = Object.keys(body)
  if (names.length > MOST_PARAMETERS) throw tooMany()
  markLists(body)
  if (!mayRepeat(text, names)) return body as Record<string, unknown>
  const repeated = repeatedIn(topLevelNames(text))
  return { ...body, ...Object.fromEntries(repeated.map((name) => [name, [name]])) }
}

/** Shapes are read by more than the server; their type parameters matter to none of the readers. */
// biome-ignore lint/suspicious/noExplicitAny: any shape of parameters, as t.Mixed is any codec
export type AnyParameters = Parameters<any, any>

/** Replaces bytes that are not UTF-8. No text can hold it, so the codec of the parameter rejects it by name (I1). */
export const UNREADABLE = '\ud800'

/** The characters that {@link textOf} changes. */
const SPECIAL = /[%+\ufffd]/

const [PERCENT, PLUS, BLANK] = [0x25, 0x2b, 0x20]

/** The values of hexadecimal digits by their bytes; 16 for other bytes. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? 16 : value
})

/** Returns the value of a hexadecimal digit by its byte; 16 if it is none. */
export const digitOf = (byte = 0): number => DIGITS[byte] ?? 16

/** Returns the byte that a percent sign encodes; undefined if it encodes none. */
const encodedAt = (bytes: Uint8Array, at: number): number | undefined => {
  const [high, low] = [digitOf(bytes[at + 1]), digitOf(bytes[at + 2])]
  return high < 16 && low < 16 ? high * 16 + low : undefined
}

/** Returns the bytes that a text encodes. A percent sign that encodes nothing is itself, as people paste them. */
const bytesOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1, length += 1) {
    const byte = bytes[at] ?? 0
    const encoded = byte === PERCENT ? encodedAt(bytes, at) : undefined
    if (encoded !== undefined) at += 2
    bytes[length] = encoded ?? (byte === PLUS ? BLANK : byte)
  }
  return bytes.subarray(0, length)
}

/**
 * Decodes a name or value. Node's own decoders mangle text in which a lone percent sign meets a character beyond ASCII, and throw at bytes
 * that are no text, which takes many times what reading them takes.
 */
const textOf = (sent: string): string => {
  // Bytes that were not UTF-8 before any decoding have become U+FFFD; a U+FFFD that was sent comes encoded.
  if (sent.includes('\ufffd')) return UNREADABLE
  if (!SPECIAL.test(sent)) return sent
  const bytes = bytesOf(sent)
  return isUtf8(bytes) ? bytes.toString() : UNREADABLE
}

/** Marks a query that has more than {@link MOST_PARAMETERS}. */
const IS_TOO_LONG = Symbol('too many parameters')

/** Returns the exception for a query that has too many parameters, which the reader of queries cannot throw; undefined for all others. */
export const faultOfQuery = (query: unknown): ProblemError | undefined =>
  Object.hasOwn(Object(query), IS_TOO_LONG) ? tooMany() : undefined

const addValue = (fields: Record<string, Array<string> | string>, name: string, value: string): void => {
  const earlier = fields[name]
  if (Array.isArray(earlier)) earlier.push(value)
  else fields[name] = earlier === undefined ? value : [earlier, value]
}

/** Pairs that a query may have, repeated ones too: beyond this, reading each costs more than the bytes it takes. */
const MOST_PAIRS = 5000

const TOO_LONG: Record<string, unknown> = { [IS_TOO_LONG]: true }

/** The prototype of what {@link readQuery} returns. */
const FIELDS: object = Object.freeze(Object.create(null))

/** Returns whether a query has been read by {@link readQuery}. */
export const isOwnQuery = (query: unknown): boolean =>
  query === TOO_LONG || Object.getPrototypeOf(Object(query)) === FIELDS

/**
 * Returns the parameters of a query. One that comes twice becomes an array, which its codec rejects. After {@link MOST_PARAMETERS} names it
 * reads no more: objects of many names take long to make.
 */
export const readQuery = (text: string): Record<string, unknown> => {
  const fields: Record<string, Array<string> | string> = Object.create(FIELDS)
  const pairs = text.split('&', MOST_PAIRS + 1)
  if (pairs.length > MOST_PAIRS) return TOO_LONG
  let names = 0
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    const name = textOf(equals < 0 ? pair : pair.slice(0, equals))
    if (fields[name] === undefined) names += 1
    if (names > MOST_PARAMETERS) return TOO_LONG
    addValue(fields, name, equals < 0 ? '' : textOf(pair.slice(equals + 1)))
  }
  return fields
}

/**
 * Returns the fields of a form (B1), read like a query. Line breaks at the end belong to the file or program that the form comes from: in a
 * value they are encoded.
 * @throws ProblemError when there are too many
 */
export const readFormBody = (sent: string): Record<string, unknown> => {
  let end = sent.length
  while (sent[end - 1] === '\n' || sent[end - 1] === '\r') end -= 1
  const text = sent.slice(0, end)
  if (text.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS) throw tooMany()
  return readQuery(text)
}

/** The three places that parameters come from. */
interface ParameterSources {
  readonly path: RawParameters
  readonly query: RawParameters
  readonly body: RawParameters
}

const own = (raw: RawParameters, key: string): unknown => (Object.hasOwn(raw, key) ? raw[key] : undefined)

/** Returns what stands for a value that a source gives more than once; undefined for others. A list of a JSON body is one value (B2). */
const repeatedOf = (given: unknown, codec: Mixed): unknown => {
  if (!Array.isArray(given)) return undefined
  if (!readsList(codec)) return given
  return isJsonList(given) ? undefined : REPEATED
}

const mergedValue = (key: string, codec: Mixed, sources: ReadonlyArray<RawParameters>): unknown => {
  let [value, repeated]: [unknown, unknown] = [undefined, undefined]
  for (const source of sources) {
    const given = own(source, key)
    if (given === undefined) continue
    repeated ??= repeatedOf(given, codec)
    if (value === undefined && !countsAsAbsent(given, codec)) value = given
  }
  return repeated ?? value
}

/**
 * Merges parameters by name: the path wins over the body, and the body over the query (B2). A name that one source gives twice is
 * passed on as an array, whichever source wins, and rejected by the codec.
 */
export const mergeParameters = (
  parameters: AnyParameters,
  { path, query, body }: ParameterSources,
): RawParameters => {
  const sources = [path, body, query]
  const merged: Record<string, unknown> = {}
  for (const [key, codec] of parameters.fields) merged[key] = mergedValue(key, codec, sources)
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

/** Decodes percent-encoded text; `otherwise` if it is invalid. */
export const decodeOr = <A>(text: string, otherwise: A): string | A => {
  try {
    return decodeURIComponent(text)
  } catch {
    return otherwise
  }
}

/** The maximum depth and number of texts that are read from a body; parameters are never deeper. */
const VALUES_DEPTH = 6
const MOST = 1000

function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  if (typeof value !== 'object' || value === null || depth > VALUES_DEPTH || Buffer.isBuffer(value)) return
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
