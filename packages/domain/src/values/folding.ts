/** Letters, and signs within words, that do not come apart into a base and marks. All are lower case. */
const LETTERS: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
}

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

const withoutMarks = (text: string): string => text.replaceAll(/\p{M}/gu, '')

/** Returns a text without accents, in compatibility forms. Marks go first: putting many in a row into order takes long. */
export const unaccented = (text: string): string => withoutMarks(withoutMarks(text).normalize('NFKD'))

const foldedWhole = (text: string): string =>
  unaccented(text)
    .toLowerCase()
    .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter)

/** The end of the alphabets of Europe. Characters below it are folded once and remembered. */
const REMEMBERED = 0x600
const remembered = new Map<string, string>()

const foldedCharacter = (character: string): string => {
  const known = remembered.get(character)
  if (known !== undefined) return known
  const result = foldedWhole(character)
  if ((character.codePointAt(0) ?? 0) < REMEMBERED) remembered.set(character, result)
  return result
}

const NOT_ASCII = /[\u{80}-\u{10ffff}]/gu

/**
 * Removes case and accents: two texts that a reader would call the same word fold to the same (H2, J2). No character's result depends on its
 * neighbours, so that ASCII needs no normalisation, which would take most of the time.
 */
export const folded = (text: string): string => text.replaceAll(NOT_ASCII, foldedCharacter).toLowerCase()
