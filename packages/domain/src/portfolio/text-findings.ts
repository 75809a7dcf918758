import * as O from 'fp-ts/lib/Option.js'
import { LANGUAGES, type Language } from '../values/language.ts'
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

const groupsOf = <K, A>(texts: ReadonlyArray<A>, keyOf: (text: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const text of texts) {
    const group = groups.get(keyOf(text))
    if (group === undefined) groups.set(keyOf(text), [text])
    else group.push(text)
  }
  return groups
}

const ofOrganizations = <A extends { readonly organization: OrganizationId }>(texts: ReadonlyArray<A>) =>
  groupsOf(texts, ({ organization }) => organization)

const inLanguage = (texts: ReadonlyArray<{ readonly lang: Language }>, lang: Language): number =>
  texts.filter((text) => text.lang === lang).length

/** A kind of text of which every organization should have one in each language. */
const missing = (
  about: About,
  { organizations }: PortfolioContent,
  texts: ReadonlyArray<OrganizationText>,
): ReadonlyArray<TextFinding> => {
  const held = ofOrganizations(texts)
  return organizations.flatMap(({ id }) =>
    LANGUAGES.filter((lang) => inLanguage(held.get(id) ?? [], lang) === 0).map((lang) => ({
      about,
      id,
      lang,
      kind: 'missing' as const,
      challenge: O.none,
      message: 'is missing',
    })),
  )
}

const unnamedSectors = ({ sectors }: PortfolioContent): ReadonlyArray<TextFinding> =>
  sectors.flatMap(({ id, names }) =>
    LANGUAGES.filter((lang) => O.isNone(names[lang])).map((lang) => ({
      about: 'sector' as const,
      id,
      lang,
      kind: 'missing' as const,
      challenge: O.none,
      message: 'has no name',
    })),
  )

/** Programs have no number of their own: an organization should have as many in one language as in the other. */
const fewerPrograms = ({ programs }: PortfolioContent): ReadonlyArray<TextFinding> =>
  [...ofOrganizations(programs)].flatMap(([id, held]) => {
    const most = Math.max(...LANGUAGES.map((lang) => inLanguage(held, lang)))
    return LANGUAGES.map((lang) => ({ lang, count: inLanguage(held, lang) }))
      .filter(({ count }) => count < most)
      .map(({ lang, count }) => ({
        about: 'program' as const,
        id,
        lang,
        kind: 'fewer' as const,
        challenge: O.none,
        message: `has ${count} of ${most}`,
      }))
  })

const halfChallenges = ({ challenges }: PortfolioContent): ReadonlyArray<TextFinding> =>
  [...groupsOf(challenges, ({ id }) => id).values()].flatMap((texts) =>
    LANGUAGES.filter((lang) => inLanguage(texts, lang) === 0).flatMap((lang) =>
      texts.slice(0, 1).map(({ id, organization }) => ({
        about: 'challenge' as const,
        id: organization,
        lang,
        kind: 'missing' as const,
        challenge: O.some(id),
        message: `${id} is missing`,
      })),
    ),
  )

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

/** Rows and characters of texts in which highlights are looked for in one piece: some milliseconds. */
const [PIECE_ROWS, PIECE_CHARACTERS] = [1000, 200_000]

const pieces = function* <A extends Pick<Summary, 'text'>>(
  texts: ReadonlyArray<A>,
): Generator<ReadonlyArray<A>> {
  let piece: Array<A> = []
  let characters = 0
  for (const one of texts) {
    piece.push(one)
    characters += one.text.length
    if (piece.length < PIECE_ROWS && characters < PIECE_CHARACTERS) continue
    yield piece
    piece = []
    characters = 0
  }
  yield piece
}

/** As {@link textFindings}, in pieces that each take some milliseconds (I6). */
export const textFindingPieces = function* (
  content: PortfolioContent,
): Generator<ReadonlyArray<TextFinding>> {
  yield unnamedSectors(content)
  yield missing('introduction', content, content.introductions)
  yield missing('summary', content, content.summaries)
  yield fewerPrograms(content)
  yield halfChallenges(content)
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
