import { AS_WRITTEN, type Named } from './connection.ts'

/** A piece of a statement: its text, the name that it is in lower case if it is one, and whether blanks or a comment. */
interface Token {
  readonly text: string
  readonly name: string | undefined
  readonly isBlank: boolean
}

/** A comment or blanks; a text; a quoted name; a word; a number or parameter; any other character. */
const TOKENS =
  /(--[^\n]*|\/\*[\s\S]*?\*\/|\s+)|('(?:[^']|'')*')|"((?:[^"]|"")*)"|([A-Za-z_][A-Za-z0-9_]*)|(\d[\w.]*|[?:@$]\w*)|[\s\S]/g

const tokensOf = (statement: string): ReadonlyArray<Token> =>
  [...statement.matchAll(TOKENS)].map(([text, blank, _string, quoted, word]) => ({
    text,
    name: (quoted ?? word)?.toLowerCase(),
    isBlank: blank !== undefined,
  }))

/** Words that end the list of tables of a clause. */
const CLAUSES: ReadonlySet<string> = new Set([
  ...['where', 'group', 'having', 'order', 'limit', 'union', 'except', 'intersect', 'window', 'returning'],
  ...['set', 'values', 'select', 'do', 'default'],
])

/** Words between the one that announces a name and the name. */
const FILLERS: ReadonlySet<string> = new Set([
  'if',
  'not',
  'exists',
  'or',
  'abort',
  'fail',
  'ignore',
  'replace',
  'rollback',
])

/** Names that are SQLite's: its catalog, and functions that stand for tables. */
const isOfSqlite = (name: string): boolean => /^(?:sqlite_|pragma_|json_|generate_series$)/.test(name)

/** The words of a statement, without blanks, with what stands around each. */
class Words {
  readonly #all: ReadonlyArray<Token>

  constructor(statement: string) {
    this.#all = tokensOf(statement).filter(({ isBlank }) => !isBlank)
  }

  get length(): number {
    return this.#all.length
  }

  /** Returns the token at a place in lower case; empty beyond the ends. */
  text(at: number): string {
    return this.#all[at]?.text.toLowerCase() ?? ''
  }

  /** Returns the name at a place, which a keyword may be too. */
  name(at: number): string | undefined {
    return this.#all[at]?.name
  }

  /** Returns the place behind the parenthesis that opens at a place. */
  behind(at: number): number {
    let depth = 0
    for (let n = at; n < this.length; n += 1) {
      if (this.text(n) === '(') depth += 1
      if (this.text(n) === ')') depth -= 1
      if (depth === 0) return n + 1
    }
    return this.length
  }
}

/** Returns whether a name at a place begins a common table expression: `name (columns) as materialized (`. */
const beginsExpression = (words: Words, at: number): boolean => {
  if (words.name(at) === undefined || !['with', 'recursive', ','].includes(words.text(at - 1))) return false
  let next = words.text(at + 1) === '(' ? words.behind(at + 1) : at + 1
  if (words.text(next) !== 'as') return false
  do next += 1
  while (['not', 'materialized'].includes(words.text(next)))
  return words.text(next) === '('
}

/** Returns whether a word announces a table or an index. */
const announces = (words: Words, at: number): boolean => {
  switch (words.text(at)) {
    case 'from':
      // `a is distinct from b` compares.
      return words.text(at - 1) !== 'distinct'
    case 'update':
      // `on conflict … do update set` names none.
      return words.text(at - 1) !== 'do'
    case 'on':
      // Not of a join, nor of a foreign key.
      return words.text(0) === 'create' && ['unique', 'index', 'trigger'].includes(words.text(1))
    case 'by':
      return words.text(at - 1) === 'indexed'
    case 'to':
      return words.text(at - 1) === 'rename'
    default:
      return ['join', 'into', 'table', 'references', 'index', 'fts5vocab'].includes(words.text(at))
  }
}

/** Returns the place of the name behind a word that announces it; a parenthesis for a query instead. */
const placeBehind = (words: Words, announced: number): number => {
  let at = announced + 1
  while (FILLERS.has(words.text(at)) || words.text(at - 1) + words.text(at) === 'fts5vocab(') at += 1
  return at
}

/** Returns the places of the further names of a list that begins at a place. */
const restOfList = (words: Words, first: number): ReadonlyArray<number> => {
  const places: Array<number> = []
  let at = first
  while (at < words.length && words.text(at) !== ')' && !CLAUSES.has(words.text(at))) {
    if (words.text(at) === ',') places.push(at + 1)
    at = words.text(at) === '(' ? words.behind(at) : at + 1
  }
  return places
}

const placesAfter = (words: Words, announced: number): ReadonlyArray<number> => {
  const first = placeBehind(words, announced)
  return words.text(announced) === 'from' ? [first, ...restOfList(words, first)] : [first]
}

/** Returns the places of all tables and indexes where they are announced. */
const announcedIn = (words: Words, all: ReadonlyArray<number>): ReadonlyArray<number> => {
  const expressions = new Set(all.filter((at) => beginsExpression(words, at)).map((at) => words.name(at)))
  return all
    .filter((at) => announces(words, at))
    .flatMap((at) => placesAfter(words, at))
    .filter((place) => {
      const name = words.name(place)
      return name !== undefined && !isOfSqlite(name) && !expressions.has(name)
    })
}

/** Returns the places of all tables and indexes in a statement. */
const placesIn = (words: Words): ReadonlySet<number> => {
  const all = [...Array(words.length).keys()]
  const places = announcedIn(words, all)
  const tables = new Set(places.map((place) => words.name(place)))
  const aliases = new Set(
    places.filter((place) => words.text(place + 1) === 'as').map((place) => words.name(place + 2)),
  )
  const repeats = all.filter((at) => {
    if (!tables.has(words.name(at)) || words.text(at - 1) === '.') return false
    // A table of FTS5 stands for its text in a search.
    return words.text(at + 1) === 'match' || (words.text(at + 1) === '.' && !aliases.has(words.name(at)))
  })
  return new Set([...places, ...repeats])
}

/**
 * Puts a prefix before the names of all tables and indexes in a statement. It reads the statement rather than a list of names, so that no table
 * can be left out of the list. Names of columns stay, and so do aliases and common table expressions.
 */
export const withPrefix = (prefix: string, statement: string): string => {
  const places = placesIn(new Words(statement))
  let at = -1
  return tokensOf(statement)
    .map(({ text, isBlank }) => {
      if (isBlank) return text
      at += 1
      if (!places.has(at)) return text
      return text.startsWith('"') ? `"${prefix}${text.slice(1)}` : `${prefix}${text}`
    })
    .join('')
}

/** Texts whose names are kept. */
const MOST = 500

/** Returns {@link withPrefix} for one prefix, which reads each statement once. */
export const makePrefixing = (prefix: string): Named => {
  if (prefix === '') return AS_WRITTEN
  const known = new Map<string, string>()
  return (statement) => {
    const found = known.get(statement)
    if (found !== undefined) return found
    if (known.size >= MOST) known.clear()
    const made = withPrefix(prefix, statement)
    known.set(statement, made)
    return made
  }
}

/** Names that no other program uses by chance, and that need no quotes. */
const PREFIX = /^[a-z][a-z0-9_]{0,38}_$/

/** Returns the prefix. @throws TypeError for one that is no beginning of names, or SQLite's */
export const readPrefix = (prefix: string): string => {
  if (prefix !== '' && (!PREFIX.test(prefix) || prefix.startsWith('sqlite_')))
    throw new TypeError(
      'prefix must be 2 to 40 lower-case letters, digits and underscores, begin with a letter and end with an underscore, as almoner_ does',
    )
  return prefix
}
