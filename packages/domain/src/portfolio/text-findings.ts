import * as O from 'fp-ts/lib/Option.js'
import { LANGUAGES, type Language } from '../values/text.ts'
import { contains } from './contains.ts'
import type { ChallengeId, OrganizationId, SectorId } from './ids.ts'
import type { PortfolioContent } from './portfolio.ts'
import type { OrganizationText, Summary } from './texts.ts'

/** The kinds of findings: no such text, fewer texts than in the other language, a highlight that does not occur in its text. */
export const FINDING_KINDS = ['missing', 'fewer', 'lost-highlight'] as const
/** One of {@link FINDING_KINDS}. */
export type FindingKind = (typeof FINDING_KINDS)[number]

/** The texts that a finding may concern; of a sector it is the name. */
export const FINDING_SUBJECTS = ['sector', 'introduction', 'summary', 'program', 'challenge'] as const

/** A text that a reader of one language will miss, or a highlight that clients will not find. */
export interface TextFinding {
  readonly about: (typeof FINDING_SUBJECTS)[number]
  /** The sector or organization that it concerns. */
  readonly id: SectorId | OrganizationId
  readonly lang: Language
  readonly kind: FindingKind
  /** The number of the challenge that it concerns. */
  readonly challenge: O.Option<ChallengeId>
  /** A sentence about the text in that language. */
  readonly message: string
}

type About = TextFinding['about']

/** Rows and characters of texts that one piece of the search looks at: some milliseconds. */
const [PIECE_ROWS, PIECE_CHARACTERS] = [1000, 200_000]

const pieces = function* <A extends object>(rows: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  let piece: Array<A> = []
  let characters = 0
  for (const one of rows) {
    piece.push(one)
    if ('text' in one) characters += String(one.text).length
    if (piece.length < PIECE_ROWS && characters < PIECE_CHARACTERS) continue
    yield piece
    piece = []
    characters = 0
  }
  yield piece
}

/** A search: yields findings in pieces, of which many are empty. */
type Search<A = void> = Generator<ReadonlyArray<TextFinding>, A>

/** How many texts something has in each language, and the organization of the first. */
type Tally = Record<Language, number> & { readonly organization: OrganizationId }

/** Counts texts by what they belong to. */
const tallied = function* <K, A extends Pick<OrganizationText, 'organization' | 'lang'>>(
  texts: ReadonlyArray<A>,
  keyOf: (text: A) => K,
): Search<ReadonlyMap<K, Tally>> {
  const tallies = new Map<K, Tally>()
  for (const piece of pieces(texts)) {
    for (const text of piece) {
      const key = keyOf(text)
      const tally = tallies.get(key) ?? { en: 0, fr: 0, organization: text.organization }
      tally[text.lang] += 1
      tallies.set(key, tally)
    }
    yield []
  }
  return tallies
}

const organizationOf = ({ organization }: { readonly organization: OrganizationId }): OrganizationId =>
  organization

const lacking = (tally: Tally | undefined): ReadonlyArray<Language> =>
  LANGUAGES.filter((lang) => (tally?.[lang] ?? 0) === 0)

/** A kind of text of which every organization should have one in each language. */
const missing = function* (
  about: About,
  { organizations }: PortfolioContent,
  texts: ReadonlyArray<OrganizationText>,
): Search {
  const held = yield* tallied(texts, organizationOf)
  for (const piece of pieces(organizations))
    yield piece.flatMap(({ id }) =>
      lacking(held.get(id)).map((lang) => ({
        about,
        id,
        lang,
        kind: 'missing' as const,
        challenge: O.none,
        message: 'is missing',
      })),
    )
}

const unnamedSectors = function* ({ sectors }: PortfolioContent): Search {
  for (const piece of pieces(sectors))
    yield piece.flatMap(({ id, names }) =>
      LANGUAGES.filter((lang) => O.isNone(names[lang])).map((lang) => ({
        about: 'sector' as const,
        id,
        lang,
        kind: 'missing' as const,
        challenge: O.none,
        message: 'has no name',
      })),
    )
}

/** Programs have no number of their own: an organization should have as many in one language as in the other. */
const fewerPrograms = function* ({ programs }: PortfolioContent): Search {
  const held = yield* tallied(programs, organizationOf)
  for (const piece of pieces([...held.values()]))
    yield piece.flatMap(({ organization, en, fr }) =>
      en === fr
        ? []
        : {
            about: 'program' as const,
            id: organization,
            lang: en < fr ? ('en' as const) : ('fr' as const),
            kind: 'fewer' as const,
            challenge: O.none,
            message: `has ${Math.min(en, fr)} of ${Math.max(en, fr)}`,
          },
    )
}

const halfChallenges = function* ({ challenges }: PortfolioContent): Search {
  const held = yield* tallied(challenges, ({ id }) => id)
  for (const piece of pieces([...held]))
    yield piece.flatMap(([id, tally]) =>
      lacking(tally).map((lang) => ({
        about: 'challenge' as const,
        id: tally.organization,
        lang,
        kind: 'missing' as const,
        challenge: O.some(id),
        message: `${id} is missing`,
      })),
    )
}

const isLost = ({ text, highlight }: Pick<Summary, 'text' | 'highlight'>): boolean =>
  O.isSome(highlight) && !contains(text, highlight.value)

const lostInSummaries = (summaries: PortfolioContent['summaries']): ReadonlyArray<TextFinding> =>
  summaries.filter(isLost).map(({ organization, lang }) => ({
    about: 'summary' as const,
    id: organization,
    lang,
    kind: 'lost-highlight' as const,
    challenge: O.none,
    message: 'does not contain its highlight',
  }))

const lostInChallenges = (challenges: PortfolioContent['challenges']): ReadonlyArray<TextFinding> =>
  challenges.filter(isLost).map(({ organization, id, lang }) => ({
    about: 'challenge' as const,
    id: organization,
    lang,
    kind: 'lost-highlight' as const,
    challenge: O.some(id),
    message: `${id} does not contain its highlight`,
  }))

/** As {@link textFindings}, in pieces that each take some milliseconds (I6). */
export const textFindingPieces = function* (content: PortfolioContent): Search {
  yield* unnamedSectors(content)
  yield* missing('introduction', content, content.introductions)
  yield* missing('summary', content, content.summaries)
  yield* fewerPrograms(content)
  yield* halfChallenges(content)
  for (const piece of pieces(content.summaries)) yield lostInSummaries(piece)
  for (const piece of pieces(content.challenges)) yield lostInChallenges(piece)
}

/** Texts that lack a language, and highlights that do not occur in their text. None of it keeps a portfolio from being shown. */
export const textFindings = (content: PortfolioContent): ReadonlyArray<TextFinding> =>
  [...textFindingPieces(content)].flat()

/** A finding with the name of its organization, or of its sector in the language that it has one in. */
export interface NamedTextFinding {
  readonly finding: TextFinding
  readonly name: string
}

const nameOfSector = ({ names, id }: PortfolioContent['sectors'][number]): string =>
  LANGUAGES.flatMap((lang) => (O.isSome(names[lang]) ? [names[lang].value] : []))[0] ?? id

/** Makes the function that gives findings the names that people know. */
export const namingFindings = (
  content: Pick<PortfolioContent, 'sectors' | 'organizations'>,
): ((finding: TextFinding) => NamedTextFinding) => {
  const sectors = new Map(content.sectors.map((sector) => [sector.id as string, nameOfSector(sector)]))
  const organizations = new Map(content.organizations.map(({ id, name }) => [id as string, name]))
  return (finding) => {
    const names: ReadonlyMap<string, string> = finding.about === 'sector' ? sectors : organizations
    return { finding, name: names.get(finding.id) ?? finding.id }
  }
}

/** Returns what the texts of a portfolio lack, with the names that people know. */
export const namedTextFindings = (content: PortfolioContent): ReadonlyArray<NamedTextFinding> =>
  textFindings(content).map(namingFindings(content))
