// The parts of messages about files: each names the column, its value, and what would be right.

/** Characters of a value that a message repeats. */
const LONGEST_VALUE = 40

/** Code units that are looked at: enough for the longest value that is shown. */
const LOOKED_AT = 4 * LONGEST_VALUE

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? '' : JSON.stringify(value.slice(0, LONGEST_VALUE))
  return typeof value === 'object' && value !== null ? '' : String(value ?? '')
}

/** Returns a value of a file as a message repeats it: cut at 40 characters, on one line; undefined if there is nothing to repeat. */
export const shownValue = (value: unknown): string | undefined => {
  const letters = [
    ...textOf(value)
      .slice(0, LOOKED_AT)
      .replaceAll(/\p{Cc}/gu, ' '),
  ]
  if (letters.length === 0) return undefined
  return letters.length > LONGEST_VALUE
    ? `${letters.slice(0, LONGEST_VALUE).join('')}…`
    : letters.join('').toWellFormed()
}

/** Returns a sentence about a cell: its column, its value where there is one, and the message. */
export const cellSentence = (column: string, value: string | undefined, message: string): string =>
  [column, ...(value === undefined ? [] : [`"${value}"`]), message].filter((part) => part !== '').join(' ')

/** Returns how many letters have to change to make one word of another (Levenshtein). */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= other.length; to += 1)
      next.push(
        Math.min(
          (next[to - 1] ?? 0) + 1,
          (row[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + (other[to - 1] === letter ? 0 : 1),
        ),
      )
    row = next
  }
  return row[other.length] ?? 0
}

/** The distance of a name to a known name that holds it, as `id` is part of `sectorId`. */
const PART = 1

/** Returns the known name that is most like a name. Case does not count, and only the first letters of long names do. */
export const nearestOf = (name: string, known: ReadonlyArray<string>): string => {
  const given = name.slice(0, LONGEST_VALUE).toLowerCase()
  let [nearest = '', least] = [known[0], Number.POSITIVE_INFINITY]
  for (const candidate of known) {
    const lower = candidate.toLowerCase()
    const isPart = given !== '' && lower.includes(given)
    const far = Math.min(distance(given, lower), isPart ? PART : Number.POSITIVE_INFINITY)
    if (far < least) [nearest, least] = [candidate, far]
  }
  return nearest
}

/** Returns the sentence about a column that a table does not have. */
export const noColumn = (name: string, table: string, columns: ReadonlyArray<string>): string =>
  `is no column of ${table}: the nearest known name is ${nearestOf(name, columns)}`
