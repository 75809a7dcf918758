import fc from 'fast-check'

const [FIRST_SURROGATE, SURROGATES, CODE_POINTS] = [0xd800, 0x800, 0x110000]

/**
 * Makes any Unicode character, as the unit `binary` of `fc.string` does. That unit first makes a table of all 1.1 million, which takes a
 * second of each process.
 */
export const codePoint = fc.integer({ min: 0, max: CODE_POINTS - SURROGATES - 1 }).map(
  (n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? 0) : 0
    if (typeof text !== 'string' || text !== String.fromCodePoint(point))
      throw new TypeError('not one character')
    return point < FIRST_SURROGATE ? point : point - SURROGATES
  },
)
