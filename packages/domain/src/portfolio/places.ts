import * as E from 'fp-ts/lib/Either.js'
import { compareText } from '../values/code-points.ts'
import { LANGUAGES, type Language } from '../values/language.ts'
import { type Refined, refined } from '../values/refined.ts'
import type { Dataset } from './dataset.ts'
import { type ChallengeId, OrganizationId, type SectorId } from './ids.ts'
import type { Organization } from './organization.ts'
import type { Sector } from './sector.ts'
import type { Challenge, OrganizationText } from './texts.ts'

// The orders of H3. Each is total among what one query gives, so that pages never overlap.

/** Sectors by id. */
export const sectorPlace = ({ id }: Sector<unknown>): SectorId => id

/** Organizations by id. */
export const organizationPlace = ({ id }: Organization<unknown>): OrganizationId => id

/** An organization's texts by language, then as the file has them. */
export interface TextPlace {
  readonly lang: Language
  readonly rank: number
}

/** Where an introduction, a summary or a program stands among those of its organization (H3). */
export const textPlace = ({ lang, rank }: OrganizationText): TextPlace => ({ lang, rank })

/** Negative when `a` stands before `b`. */
export const compareTextPlaces = (a: TextPlace, b: TextPlace): number =>
  compareText(a.lang, b.lang) || a.rank - b.rank

/** An organization's challenges by their number, then by language. */
export interface ChallengePlace {
  readonly id: ChallengeId
  readonly lang: Language
}

/** Where a challenge stands among those of its organization (H3). */
export const challengePlace = ({ id, lang }: Challenge): ChallengePlace => ({ id, lang })

/** Negative when `a` stands before `b`. */
export const compareChallengePlaces = (a: ChallengePlace, b: ChallengePlace): number =>
  a.id - b.id || compareText(a.lang, b.lang)

/** An organization's datasets by year. */
export const datasetPlace = ({ year }: Dataset): number => year

/** Negative when `a` stands before `b`: the lesser first. */
export const compareNumbers = (a: number, b: number): number => a - b

const SEPARATOR = '~'

/** The text form of places, used in `Link` (C11). */
export const textPlaceText = ({ lang, rank }: TextPlace): string => `${lang}${SEPARATOR}${rank}`

/** As {@link textPlaceText}, of a challenge. */
export const challengePlaceText = ({ id, lang }: ChallengePlace): string => `${id}${SEPARATOR}${lang}`

const after = <P>(name: string, read: (left: string, right: string) => P | undefined): Refined<P> =>
  refined(
    name,
    (text) => {
      const [left = '', right = '', ...more] = text.split(SEPARATOR)
      const place = more.length > 0 ? undefined : read(left, right)
      return place === undefined
        ? E.left('must come from the Link header of an earlier answer')
        : E.right(place)
    },
    { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
  )

const isRank = (text: string): boolean => /^\d{1,15}$/.test(text)

const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text)

/** Reads the organization after which a page begins (C11). */
export const AfterOrganization = refined<OrganizationId>(
  'AfterOrganization',
  (text) =>
    OrganizationId.is(text) ? E.right(text) : E.left('must come from the Link header of an earlier answer'),
  { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
)

/** Reads the place after which a page of texts begins, from the text that {@link textPlaceText} made of it (C11). */
export const AfterText = after<TextPlace>('AfterText', (lang, rank) =>
  isLanguage(lang) && isRank(rank) ? { lang, rank: Number(rank) } : undefined,
)

/** Reads the place after which a page of challenges begins, from the text that {@link challengePlaceText} made of it (C11). */
export const AfterChallenge = after<ChallengePlace>('AfterChallenge', (id, lang) =>
  isRank(id) && isLanguage(lang) ? { id: Number(id) as ChallengeId, lang } : undefined,
)
