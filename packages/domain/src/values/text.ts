import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import {
  type Branded,
  boundedText,
  clearable,
  isStorable,
  NOT_STORABLE,
  nfcOf,
  type Refined,
  refined,
} from './refined.ts'

export type ItemTitle = Branded<string, 'ItemTitle'>
/** `itemTitle`: 1 to 100 code points after NFC (B6). */
export const ItemTitle = boundedText<ItemTitle>('ItemTitle', 100, {
  description: 'Title of the item.',
  example: 'Our year in figures',
})

export type ItemDescription = Branded<string, 'ItemDescription'>
/** `itemDescription`: 1 to 1000 code points after NFC (B6). */
export const ItemDescription = boundedText<ItemDescription>('ItemDescription', 1000, {
  description: 'Caption or comment.',
  example: 'What we did, and what it changed.',
})

/** A description of an image, for people who do not see it (D9). */
export type ImageAlt = Branded<string, 'ImageAlt'>
const ImageAlt = boundedText<ImageAlt>('ImageAlt', 300, {
  description:
    'Description of the image, for people who do not see it. If omitted, it stays; if empty, it is removed.',
  example: 'A woman fills a bucket at a well.',
})

/** `coverImgAlt`, `notificationImgAlt`, `imgAlt`: at most 300 code points after NFC, or empty to clear it (D9). */
export const ClearableImageAlt: Refined<O.Option<ImageAlt>> = clearable('ClearableImageAlt', ImageAlt, {
  type: 'string',
  description: ImageAlt.facets.description,
  maxLength: 300,
  example: 'A woman fills a bucket at a well.',
})

/** What a content manager writes to the author of a post that is not taken (L3). */
export type Reason = Branded<string, 'Reason'>
const Reason = boundedText<Reason>('Reason', 500, {
  description:
    'Why the post is not taken, for its author. If omitted, it stays; if empty, or when the post becomes Live, it is removed.',
  example: 'The photo shows the face of a child. Please send one without.',
})

/** `reason`: at most 500 code points after NFC, or empty to clear it (L3). */
export const ClearableReason: Refined<O.Option<Reason>> = clearable('ClearableReason', Reason, {
  type: 'string',
  description: Reason.facets.description,
  maxLength: 500,
  example: 'The photo shows the face of a child. Please send one without.',
})

export type LabelName = Branded<string, 'LabelName'>
/** A label's name in one language. */
export const LabelName = boundedText<LabelName>('LabelName', 200, {
  description: 'Name of the label in one language.',
})

/**
 * Compares texts by their code points, as every store orders them; JavaScript's own comparison differs where a text has
 * surrogates. Negative when `a` stands before `b`.
 */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    // Where two texts differ, the code point that begins there or, in the middle of a pair, its second half decides.
    const [left = 0, right = 0] = [a.codePointAt(at), b.codePointAt(at)]
    if (left !== right) return left - right
  }
  return a.length - b.length
}

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

/** The limits of `q`: code points of its text, and words with repeats (J2). */
const [MOST_CHARACTERS, MOST_WORDS] = [200, 10]

/** Separates words: neither a letter nor a decimal digit. An apostrophe separates, as white space does. */
const SEPARATOR = /[^\p{L}\p{M}\p{Nd}]+/u

const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g

/** Text in ASCII, as most folded text is, is split in half the time. */
const wordsOf = (text: string): ReadonlyArray<string> => {
  const plain = folded(text)
  return ASCII.test(plain)
    ? (plain.match(ASCII_WORD) ?? [])
    : plain.split(SEPARATOR).filter((word) => word !== '')
}

/** Returns the folded words of a text, each once. They are made of letters and digits only (J2). */
export const searchWords = (text: string): ReadonlyArray<string> => [...new Set(wordsOf(text))]

/**
 * `q`: words, each of which must begin a word of the text that is searched (J2). Decodes to the folded words, each once; to none where the
 * text has no letter and no digit.
 */
export const SearchWords = refined<ReadonlyArray<string>>(
  'SearchWords',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    if ([...nfcOf(sent)].length > MOST_CHARACTERS)
      return E.left(`must have at most ${MOST_CHARACTERS} characters`)
    const words = wordsOf(sent)
    return words.length > MOST_WORDS
      ? E.left(`must have at most ${MOST_WORDS} words`)
      : E.right([...new Set(words)])
  },
  {
    type: 'string',
    description:
      'Words that must all begin a word of the title, the description or the descriptions of images, ignoring case and accents. At most 10.',
    maxLength: MOST_CHARACTERS,
    example: 'ecole eau',
  },
)

/** The languages of the service. */
export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** `lang`, in any case; held in lower case (B5). */
export const Language = refined<Language>(
  'Language',
  (text) => {
    const found = LANGUAGES.find((language) => language === text.toLowerCase())
    return found === undefined ? E.left('must be en or fr') : E.right(found)
  },
  {
    type: 'string',
    description: 'Language code, in any case.',
    pattern: '^([eE][nN]|[fF][rR])$',
    example: 'en',
  },
)

/** A hex colour of the form `#RRGGBB`, as it was given. */
export type Colour = Branded<string, 'Colour'>

const FORM = /^#[0-9A-Fa-f]{6}$/

/** Reads a colour; anything but `#` and six hex digits is refused. */
export const Colour = refined<Colour>(
  'Colour',
  (text) => (FORM.test(text) ? E.right(text as Colour) : E.left('must be a colour of the form #RRGGBB')),
  { type: 'string', description: 'Hex colour.', pattern: FORM.source, example: '#1F4E79' },
)
