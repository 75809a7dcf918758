import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { LANGUAGES, type Language } from '../values/text.ts'
import {
  type ChallengeId,
  OrganizationId,
  type OrganizationText,
  type PortfolioContent,
  type SectorId,
  type Summary,
} from './model.ts'
import type { PortfolioPorts } from './ports.ts'

/** Characters of a part up to which the search of the language itself takes time in proportion to the text. */
const SHORT = 250

/** Returns, for each beginning of a part, the length of the longest shorter one with which it ends. */
const overlapsOf = (part: string): Int32Array => {
  const overlaps = new Int32Array(part.length)
  let length = 0
  for (let at = 1; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = overlaps[length - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1
    overlaps[at] = length
  }
  return overlaps
}

/**
 * Returns whether a text contains a part, in time in proportion to both (Knuth, Morris, Pratt). `includes` of V8 takes their product for some
 * long parts: 0.2 s for 65,536 characters (H4, I6).
 */
export const contains = (text: string, part: string): boolean => {
  if (part.length <= SHORT) return text.includes(part)
  if (part.length > text.length) return false
  const overlaps = overlapsOf(part)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length)) length = overlaps[length - 1] ?? 0
    if (text.charCodeAt(at) === part.charCodeAt(length)) length += 1
    if (length === part.length) return true
  }
  return false
}

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

/** Finds texts that lack a language or whose highlight is not part of the text (H1). For operators: checks no caller. */
export const makeCheckTexts =
  (ports: Pick<PortfolioPorts, 'portfolio'>) => (): TE.TaskEither<Unavailable, ReadonlyArray<TextFinding>> =>
    pipe(ports.portfolio.content(), TE.map(textFindings))

/** Parameters of GET /portfolio/findings. */
export const ListTextFindings = parameters({
  name: 'ListTextFindings',
  required: {},
  optional: { organizationId: OrganizationId },
})
export type ListTextFindings = typeof ListTextFindings._A

/** The findings that a list names at most. */
const MOST = 1000

/** The findings about texts: the first, with the number of all. */
export interface TextFindingList {
  readonly findings: ReadonlyArray<NamedTextFinding>
  readonly count: number
}

/** Returns what concerns an organization. */
const contentOf = (content: PortfolioContent, id: OrganizationId): PortfolioContent => {
  const own = <A extends { readonly organization: OrganizationId }>(rows: ReadonlyArray<A>) =>
    rows.filter(({ organization }) => organization === id)
  return {
    ...content,
    sectors: [],
    organizations: content.organizations.filter((organization) => organization.id === id),
    introductions: own(content.introductions),
    summaries: own(content.summaries),
    programs: own(content.programs),
    challenges: own(content.challenges),
    datasets: [],
  }
}

/** Looks for findings, and lets other work of the process have its turn in between (I6). */
const findingsOf =
  ({ timer }: Pick<PortfolioPorts, 'timer'>, content: PortfolioContent): Task<TextFindingList> =>
  async () => {
    const named = namingFindings(content)
    const findings: Array<NamedTextFinding> = []
    let count = 0
    for (const piece of textFindingPieces(content)) {
      count += piece.length
      findings.push(...piece.slice(0, MOST - findings.length).map(named))
      await timer.wait(0)()
    }
    return { findings, count }
  }

/** Lists the texts that lack a language or their highlight, at most a thousand: of the whole portfolio, or of one organization (H1, H4). */
export const makeListTextFindings =
  (ports: Pick<PortfolioPorts, 'portfolio' | 'timer'>) =>
  (
    caller: Caller,
    { organizationId }: ListTextFindings,
  ): TE.TaskEither<InsufficientScope | Unavailable, TextFindingList> =>
    permitted(
      'listTextFindings',
      caller,
    )(() =>
      pipe(
        ports.portfolio.content(),
        TE.map((content) => (organizationId === undefined ? content : contentOf(content, organizationId))),
        TE.flatMapTask((content) => findingsOf(ports, content)),
      ),
    )
