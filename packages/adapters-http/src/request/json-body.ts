import { createScanner } from 'jsonc-parser'
import { badRequest, ProblemError } from '../problems/problem.ts'

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

/** The most parameters that a body may give: many times what any operation has, and few enough to be looked at one by one. */
export const MOST_PARAMETERS = 1000

/** The exception for a body that gives more. */
export const tooMany = (): ProblemError => unreadable('The body has too many parameters.')

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

/**
 * The parameters in a JSON body (B1). No body at all has none.
 * @throws ProblemError
 */
export const readJsonBody = (bytes: Uint8Array): Record<string, unknown> => {
  const text = utf8(bytes)
  if (text.trim() === '') return {}
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw unreadable('The body must be a JSON object.')
  const names = Object.keys(body)
  if (names.length > MOST_PARAMETERS) throw tooMany()
  if (!mayRepeat(text, names)) return body as Record<string, unknown>
  const repeated = repeatedIn(topLevelNames(text))
  return { ...body, ...Object.fromEntries(repeated.map((name) => [name, [name]])) }
}
