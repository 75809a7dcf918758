import * as E from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { PortfolioImage, PortfolioImageKind, PortfolioImageName } from '../media/portfolio-images.ts'
import type { WebUrl } from '../values/addresses.ts'
import {
  type Branded,
  boundedText,
  integer,
  isStorable,
  NOT_STORABLE,
  nfcOf,
  type Refined,
  refined,
} from '../values/refined.ts'
import type { Language } from '../values/text.ts'

/** The identifier of a sector, from the files (H1). */
export type SectorId = Branded<string, 'SectorId'>

/** The identifier of an organization, from the files; never a word of the paths (H1). */
export type OrganizationId = Branded<string, 'OrganizationId'>

/** The number of a challenge, the same in both languages (H1). */
export type ChallengeId = Branded<number, 'ChallengeId'>

/** In a request an identifier is opaque: one that nothing has is simply unknown (H3). All are NFC (H5). */
const asked = <A extends string>(name: string, description: string, example: string): Refined<A> =>
  refined(name, (text) => (isStorable(text) ? E.right(nfcOf(text) as A) : E.left(NOT_STORABLE)), {
    type: 'string',
    description,
    example,
  })

/** `id` of a sector in a request: any storable text, as one that nothing has is simply unknown (H3). */
export const SectorId = asked<SectorId>('SectorId', 'Identifier of the sector.', 'education')

/** `id` of an organization in a request: any storable text, as one that nothing has is simply unknown (H3). */
export const OrganizationId = asked<OrganizationId>(
  'OrganizationId',
  'Identifier of the organization.',
  'hilltop-school',
)

/** White space would part a list of ids; the rest would be lost or changed on the way through a URL's path. */
const FORM = /^[^\s\p{Cc}\p{Cf}\p{Cn}\p{Co}/\\?#%;]{1,100}$/u
const DOTS: ReadonlyArray<string> = ['.', '..']

/** What follows `/portfolio/organization/` in the interface's own paths (H1). */
export const RESERVED_IDS: ReadonlyArray<string> = [
  'sector',
  'introduction',
  'summary',
  'program',
  'challenge',
  'datasets',
]

const fresh = <A extends string>(name: string, reserved: ReadonlyArray<string>): Refined<A> =>
  refined(
    name,
    (given) => {
      const text = nfcOf(given)
      if (!isStorable(text) || !FORM.test(text) || DOTS.includes(text))
        return E.left(
          'must be 1 to 100 characters that a path can hold: no white space, none of / \\ ? # % ;',
        )
      return reserved.includes(text)
        ? E.left(`must not be ${text}, which is part of a path`)
        : E.right(text as A)
    },
    { type: 'string', description: 'Identifier.' },
  )

/** A sector's identifier as a file may give it. */
export const NewSectorId = fresh<SectorId>('NewSectorId', [])

/** An organization's identifier as a file may give it: it survives a path and is no part of the interface's paths (H1). */
export const NewOrganizationId = fresh<OrganizationId>('NewOrganizationId', RESERVED_IDS)

/** The number of a challenge in a row: whole, from 0 (H1). */
export const ChallengeId = integer<ChallengeId>(
  'ChallengeId',
  0,
  Number.MAX_SAFE_INTEGER,
  'Identifier of the challenge.',
)

/** A year of the calendar. */
export const Year = integer('Year', 1, 9999, 'Year.')

const Whole = integer('Amount', 0, Number.MAX_SAFE_INTEGER, 'Amount.')

/** A number as spreadsheets show it in French and other languages: groups of three digits with spaces between them. */
const GROUPED = /^\d{1,3}(?:[ \u00a0\u202f]\d{3})+$/u

/** How many, or how much. Takes spaces between groups of three digits too. */
export const Amount = refined<number>(
  'Amount',
  (text) =>
    E.mapLeft(([error]: t.Errors) => error?.message ?? 'must be a whole number')(
      Whole.decode(GROUPED.test(text) ? text.replaceAll(/\s/gu, '') : text),
    ),
  Whole.facets,
)

export type Currency = Branded<string, 'Currency'>

const CURRENCY = /^[A-Z]{3}$/

/** A currency code as ISO 4217 writes them. */
export const Currency = refined<Currency>(
  'Currency',
  (text) => (CURRENCY.test(text) ? E.right(text as Currency) : E.left('must be three capital letters')),
  { type: 'string', description: 'Currency code.', pattern: CURRENCY.source, example: 'EUR' },
)

/** The name of the portfolio, an organization, a program, or a sector in one language: 1 to 200 characters. */
export type PortfolioName = Branded<string, 'PortfolioName'>

/** Reads a name from a row: NFC, 1 to 200 characters, not blank (B6). */
export const PortfolioName = boundedText<PortfolioName>('PortfolioName', 200, {
  description: 'Name.',
  example: 'Hilltop School',
})

/** A text about an organization: 1 to 10,000 characters. */
export type PortfolioText = Branded<string, 'PortfolioText'>

/** Reads a text from a row: NFC, 1 to 10,000 characters, not blank (B6). */
export const PortfolioText = boundedText<PortfolioText>('PortfolioText', 10_000, {
  description: 'Text.',
  example: 'The school teaches 120 children above the valley.',
})

/** An end of a range of ages, as people write it: 1 to 50 characters. */
export type Age = Branded<string, 'Age'>

/** Reads an age from a row: NFC, 1 to 50 characters, not blank (B6). */
export const Age = boundedText<Age>('Age', 50, { description: 'Age.', example: '6' })

/** What every text of an organization has. */
export interface OrganizationText {
  readonly organization: OrganizationId
  readonly lang: Language
  /** Its place among those of its organization and language, as the file has them, from 0 (H3). */
  readonly rank: number
}

/** What an organization says of itself. */
export interface Introduction extends OrganizationText {
  readonly text: PortfolioText
}

/** Usually one sentence. The highlight is the most important chunk of it, which clients look for in the text. */
export interface Summary extends OrganizationText {
  readonly text: PortfolioText
  readonly highlight: Option<PortfolioText>
}

/** One of the things that an organization does. */
export interface Program extends OrganizationText {
  readonly title: PortfolioName
  readonly description: PortfolioText
}

/** A challenge in one language; the same challenge in the other shares its id, which belongs to one organization (H1). */
export interface Challenge extends Omit<OrganizationText, 'rank'> {
  readonly id: ChallengeId
  readonly text: PortfolioText
  readonly highlight: Option<PortfolioText>
}

/** A field that organizations work in, named in at least one language. `Image` is what it knows of its logo. */
export interface Sector<Image> {
  readonly id: SectorId
  readonly names: Readonly<Record<Language, Option<PortfolioName>>>
  readonly logo: Image
}

/** A member of the portfolio. `Image` is what it knows of its logo and visual. */
export interface Organization<Image> {
  readonly id: OrganizationId
  readonly name: PortfolioName
  /** Year in which it joined the portfolio. */
  readonly since: number
  /** Year of its foundation. */
  readonly founded: number
  readonly website: Option<WebUrl>
  readonly logo: Image
  readonly visual: Image
}

/** An organization and the sectors it works in, each once. */
export interface OrganizationInSectors<Image> extends Organization<Image> {
  readonly sectors: ReadonlyArray<SectorId>
}

/** An organization's figures of one year. */
export interface Dataset {
  readonly organization: OrganizationId
  readonly year: number
  readonly beneficiaries: number
  readonly ageFrom: Option<Age>
  readonly ageTo: Option<Age>
  readonly staffHeadcount: number
  /** In whole units of the currency. */
  readonly budget: number
  readonly budgetCurrency: Currency
  readonly vrVideoUrl: Option<WebUrl>
}

/** A whole portfolio. `Image` is a stored image's name, or a file's name before it is stored. */
export interface PortfolioOf<Image> {
  readonly name: string
  readonly sectors: ReadonlyArray<Sector<Image>>
  readonly organizations: ReadonlyArray<OrganizationInSectors<Image>>
  readonly introductions: ReadonlyArray<Introduction>
  readonly summaries: ReadonlyArray<Summary>
  readonly programs: ReadonlyArray<Program>
  readonly challenges: ReadonlyArray<Challenge>
  readonly datasets: ReadonlyArray<Dataset>
}

/** A portfolio whose images are stored. */
export type PortfolioContent = PortfolioOf<PortfolioImageName>

/** What there is before anything is loaded. */
export const EMPTY_PORTFOLIO: PortfolioContent = {
  name: '',
  sectors: [],
  organizations: [],
  introductions: [],
  summaries: [],
  programs: [],
  challenges: [],
  datasets: [],
}

/** The portfolio itself, as the interface's resource. */
export interface PortfolioHead {
  readonly name: string
  /** How many organizations it has. */
  readonly organizations: number
}

/** A portfolio's images, one each. */
const imagesOf = <Image>({
  sectors,
  organizations,
}: Pick<PortfolioOf<Image>, 'sectors' | 'organizations'>): Readonly<
  Record<PortfolioImageKind, ReadonlySet<Image>>
> => ({
  logo: new Set([...sectors, ...organizations].map(({ logo }) => logo)),
  visual: new Set(organizations.map(({ visual }) => visual)),
})

/** The stored images that a portfolio shows. */
export const storedImagesOf = (
  portfolio: Pick<PortfolioContent, 'sectors' | 'organizations'>,
): ReadonlyArray<PortfolioImage> => {
  const { logo, visual } = imagesOf(portfolio)
  return [
    ...[...logo].map((name): PortfolioImage => ({ kind: 'logo', name })),
    ...[...visual].map((name): PortfolioImage => ({ kind: 'visual', name })),
  ]
}

/** Returns a portfolio with replaced images. */
export const withImages =
  <A, B>(imageOf: (kind: PortfolioImageKind, image: A) => B) =>
  (portfolio: PortfolioOf<A>): PortfolioOf<B> => ({
    ...portfolio,
    sectors: portfolio.sectors.map((sector) => ({ ...sector, logo: imageOf('logo', sector.logo) })),
    organizations: portfolio.organizations.map((organization) => ({
      ...organization,
      logo: imageOf('logo', organization.logo),
      visual: imageOf('visual', organization.visual),
    })),
  })
