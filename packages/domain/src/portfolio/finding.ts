import * as E from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import * as O from 'fp-ts/lib/Option.js'
import { isStorable, NOT_STORABLE, type Refined, refined } from '../values/refined.ts'
import { compareText, folded, LANGUAGES, type Language } from '../values/text.ts'
import {
  type Challenge,
  type ChallengeId,
  type Dataset,
  type Organization,
  OrganizationId,
  type OrganizationText,
  type Sector,
  type SectorId,
} from './model.ts'

/** The folded words of a text, each once. */
export const foldedWords = (text: string): ReadonlyArray<string> => [
  ...new Set(
    folded(text)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
]

/** Whether a name contains all of these folded words (H2). */
export const containsAll = (words: ReadonlyArray<string>, name: string): boolean => {
  const text = folded(name)
  return words.every((word) => text.includes(word))
}

/** As long as a name may be, which bounds the number of words too. */
const MOST = 200

/** `name`: words that must all be contained, ignoring case and accents (H2). Gives them folded. */
export const NameWords = refined<ReadonlyArray<string>>(
  'NameWords',
  (text) => {
    if (!isStorable(text)) return E.left(NOT_STORABLE)
    return [...text].length > MOST
      ? E.left(`must have at most ${MOST} characters`)
      : E.right(foldedWords(text))
  },
  {
    type: 'string',
    description: 'Words that the name must contain, ignoring case and accents.',
    maxLength: MOST,
    example: 'ecole nord',
  },
)

/** The sector of this id, those of this organization, or both. */
export interface SectorQuery {
  readonly id: Option<SectorId>
  readonly organization: Option<OrganizationId>
}

/** Filters combine: each narrows the result. */
export interface OrganizationQuery {
  readonly id: Option<OrganizationId>
  /** Folded words that the name must all contain (H2). */
  readonly words: ReadonlyArray<string>
  /** The year it joined. */
  readonly joined: Option<number>
}

/** The texts of an organization, in one language or in all. */
export interface TextQuery {
  readonly organization: OrganizationId
  readonly lang: Option<Language>
}

/** The figures of an organization, of one year or of all. */
export interface DatasetQuery {
  readonly organization: OrganizationId
  readonly year: Option<number>
}

const allows = <A>(filter: O.Option<A>, value: A): boolean => O.isNone(filter) || filter.value === value

/** Whether an organization belongs to a query (H2). */
export const matchesOrganization =
  ({ id, words, joined }: OrganizationQuery) =>
  (organization: Organization<unknown>): boolean =>
    allows(id, organization.id) && allows(joined, organization.since) && containsAll(words, organization.name)

/** Whether a text belongs to a query. */
export const matchesText =
  ({ organization, lang }: TextQuery) =>
  (text: OrganizationText | Challenge): boolean =>
    text.organization === organization && allows(lang, text.lang)

/** Whether a dataset belongs to a query. */
export const matchesDataset =
  ({ organization, year }: DatasetQuery) =>
  (dataset: Dataset): boolean =>
    dataset.organization === organization && allows(year, dataset.year)

// The orders of H3. Each is total among what one query gives, so that pages never overlap.

/** Sectors by id. */
export const sectorCursor = ({ id }: Sector<unknown>): SectorId => id

/** Organizations by id. */
export const organizationCursor = ({ id }: Organization<unknown>): OrganizationId => id

/** An organization's texts by language, then as the file has them. */
export interface TextCursor {
  readonly lang: Language
  readonly rank: number
}

/** Where an introduction, a summary or a program stands among those of its organization (H3). */
export const textCursor = ({ lang, rank }: OrganizationText): TextCursor => ({ lang, rank })

/** Negative when `a` stands before `b`. */
export const compareTextCursors = (a: TextCursor, b: TextCursor): number =>
  compareText(a.lang, b.lang) || a.rank - b.rank

/** An organization's challenges by their number, then by language. */
export interface ChallengeCursor {
  readonly id: ChallengeId
  readonly lang: Language
}

/** Where a challenge stands among those of its organization (H3). */
export const challengeCursor = ({ id, lang }: Challenge): ChallengeCursor => ({ id, lang })

/** Negative when `a` stands before `b`. */
export const compareChallengeCursors = (a: ChallengeCursor, b: ChallengeCursor): number =>
  a.id - b.id || compareText(a.lang, b.lang)

/** An organization's datasets by year. */
export const datasetCursor = ({ year }: Dataset): number => year

/** Negative when `a` stands before `b`: the lesser first. */
export const compareNumbers = (a: number, b: number): number => a - b

const SEPARATOR = '~'

/** The text form of places, used in `Link` (C11). */
export const encodeTextCursor = ({ lang, rank }: TextCursor): string => `${lang}${SEPARATOR}${rank}`

/** As {@link encodeTextCursor}, of a challenge. */
export const encodeChallengeCursor = ({ id, lang }: ChallengeCursor): string => `${id}${SEPARATOR}${lang}`

const after = <P>(name: string, read: (left: string, right: string) => P | undefined): Refined<P> =>
  refined(
    name,
    (text) => {
      const [left = '', right = '', ...more] = text.split(SEPARATOR)
      const cursor = more.length > 0 ? undefined : read(left, right)
      return cursor === undefined
        ? E.left('must come from the Link header of an earlier answer')
        : E.right(cursor)
    },
    { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
  )

const isRank = (text: string): boolean => /^\d{1,15}$/.test(text)

const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text)

/** Reads the organization after which a page begins (C11). */
export const OrganizationCursor = refined<OrganizationId>(
  'OrganizationCursor',
  (text) =>
    OrganizationId.is(text) ? E.right(text) : E.left('must come from the Link header of an earlier answer'),
  { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
)

/** Reads the place after which a page of texts begins, from the text that {@link encodeTextCursor} made of it (C11). */
export const TextCursor = after<TextCursor>('TextCursor', (lang, rank) =>
  isLanguage(lang) && isRank(rank) ? { lang, rank: Number(rank) } : undefined,
)

/** Reads the place after which a page of challenges begins, from the text that {@link encodeChallengeCursor} made of it (C11). */
export const ChallengeCursor = after<ChallengeCursor>('ChallengeCursor', (id, lang) =>
  isRank(id) && isLanguage(lang) ? { id: Number(id) as ChallengeId, lang } : undefined,
)
