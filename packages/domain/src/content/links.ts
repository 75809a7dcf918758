import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ContentType } from '../history/model.ts'
import type { ImageRef } from '../media/model.ts'
import { parseUrl, WebUrl } from '../values/addresses.ts'
import type { ItemId } from '../values/ids.ts'
import { addMillis, dayOf, type Instant, isFarAhead, MINUTE, SECOND, type TimeZone } from '../values/time.ts'
import { FEED_FIELDS, type FieldSet, LIBRARY_FIELDS, readerOf } from './fields.ts'
import type { FeedItem, LibraryItem } from './model.ts'

/** Why a link gave no answer. `redirects`: it leads on more than five times, or to no web address. `not-public`: it was not contacted. */
export const LINK_FAULTS = [
  'no-name',
  'unresolved',
  'refused',
  'unreachable',
  'silent',
  'broken',
  'certificate',
  'redirects',
  'not-public',
] as const
/** One of {@link LINK_FAULTS}. */
export type LinkFault = (typeof LINK_FAULTS)[number]

/** What a link answered: a status of HTTP, or why there is none. */
export type LinkAnswer = `${number}` | LinkFault

/** Returns whether a text is what a link can answer. */
export const isLinkAnswer = (text: string): text is LinkAnswer =>
  /^[1-9]\d\d$/.test(text) || LINK_FAULTS.some((fault) => fault === text)

/** The verdict on a link: it leads somewhere, it does not, or nothing is certain. */
export const LINK_VERDICTS = ['alive', 'unknown', 'dead'] as const
/** One of {@link LINK_VERDICTS}. */
export type LinkVerdict = (typeof LINK_VERDICTS)[number]

/** Numbers of links by their verdicts. */
export type LinkCounts = Readonly<Record<LinkVerdict, number>>

/** The answers that make a link dead when they come on two days (C17). */
const GONE: ReadonlyArray<LinkAnswer> = ['404', '410', 'no-name', 'refused']

/** The answers of a host that could not be reached: a round in which most hosts give them says more of us than of them (C17). */
const UNREACHED: ReadonlyArray<LinkAnswer> = ['no-name', 'unresolved', 'refused', 'unreachable']

/** Returns whether an answer came from a host, and not from a name or a connection that failed (C17). */
export const isReached = (answer: LinkAnswer): boolean => !UNREACHED.includes(answer)

/** A link of an item, by the name of the field that holds it. */
export interface ItemLink {
  readonly contentType: ContentType
  readonly itemId: ItemId
  readonly field: string
  readonly url: WebUrl
}

/** An answer that makes a link dead, and when it came for the first time. */
export interface Gone {
  readonly answer: LinkAnswer
  readonly since: Instant
}

/** What a link answered last. */
export interface LinkFinding extends ItemLink {
  readonly answer: LinkAnswer
  readonly at: Instant
  readonly verdict: LinkVerdict
  /** The latest answer that makes a link dead; none once it was alive again. Answers that say nothing leave it. */
  readonly gone: O.Option<Gone>
}

const isAlive = (answer: LinkAnswer): boolean => answer.length === 3 && answer.startsWith('2')

const goneAfter = (before: O.Option<Gone>, answer: LinkAnswer, at: Instant): O.Option<Gone> => {
  if (isAlive(answer)) return O.none
  if (!GONE.includes(answer)) return before
  // What a clock that was ahead noted is no earlier day.
  const isSame = O.isSome(before) && before.value.answer === answer && before.value.since <= at
  return isSame ? before : O.some({ answer, since: at })
}

/**
 * Returns the finding on a link after an answer (C17). It is dead once 404, 410, no such name or a refused connection came on two days of the
 * service's time zone. Only a success makes it alive; everything else is unknown.
 * @param before the finding on the same field of the item; another address there is another link
 */
export const findingAfter = (
  before: LinkFinding | undefined,
  link: ItemLink,
  answer: LinkAnswer,
  { at, timeZone }: { readonly at: Instant; readonly timeZone: TimeZone },
): LinkFinding => {
  const gone = goneAfter(before?.url === link.url ? before.gone : O.none, answer, at)
  const isDead =
    GONE.includes(answer) && O.isSome(gone) && dayOf(gone.value.since, timeZone) < dayOf(at, timeZone)
  const verdict = isDead ? 'dead' : isAlive(answer) ? 'alive' : 'unknown'
  return { ...link, answer, at, verdict, gone }
}

/** How a link is asked: by its head alone, or whole. */
export type LinkMethod = 'HEAD' | 'GET'

/** What came of one request to an address. */
export type Contact =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Where a redirect leads, as an absolute URL; undefined where the header is missing or cannot be read. */
      readonly location?: string | undefined
    }
  | { readonly kind: 'failed'; readonly fault: LinkFault }

/** A link on the way to its answer. */
export interface LinkStep {
  readonly url: WebUrl
  readonly method: LinkMethod
  /** Redirects so far. */
  readonly redirects: number
}

/** Returns the first step of a link. */
export const firstStep = (url: WebUrl): LinkStep => ({ url, method: 'HEAD', redirects: 0 })

/** Redirects that are followed at most (C17). */
export const MOST_REDIRECTS = 5

const REDIRECTS: ReadonlyArray<number> = [301, 302, 303, 307, 308]

/** Returns whether a status may mean that only HEAD is refused. Too many requests is meant for GET as well. */
const mayRefuseHead = (status: number): boolean =>
  (status >= 400 && status < 500 && status !== 429) || status === 501

/** Returns the answer that a contact gives, or the next step: GET where HEAD is refused, or where a redirect leads (C17). */
export const afterContact = (step: LinkStep, contact: Contact): E.Either<LinkAnswer, LinkStep> => {
  if (contact.kind === 'failed') return E.left(contact.fault)
  const { status, location } = contact
  if (REDIRECTS.includes(status)) {
    const url = WebUrl.decode(location)
    if (E.isLeft(url) || step.redirects >= MOST_REDIRECTS) return E.left('redirects')
    return E.right({ ...step, url: url.right, redirects: step.redirects + 1 })
  }
  if (step.method === 'HEAD' && mayRefuseHead(status)) return E.right({ ...step, method: 'GET' })
  return E.left(`${status}` as LinkAnswer)
}

/** Returns the host of a link, by which its pace is kept. */
export const hostOf = (url: WebUrl): string => parseUrl(url).hostname

/** Milliseconds between two requests to a host (C17). */
export const HOST_GAP = SECOND
/** Milliseconds between any two requests: a round takes less than a hundredth of a core (C17). */
export const GAP = SECOND / 4

/** Milliseconds that a link has to answer in, all its requests together (C17). */
export const LINK_LIMIT = 10 * SECOND

/** Milliseconds from the beginning of a round to that of the next. */
const ROUND = 24 * 60 * MINUTE

/**
 * Milliseconds for which a process holds the round without a write: longer than a step can take. Its 75 links, all of one host and each with seven
 * requests a second apart, take 9 minutes; two at a time that need all of {@link LINK_LIMIT} take 6 more.
 */
export const LINK_LEASE = 20 * MINUTE

/** How many hosts a round contacted, and how many of them failed by name or connection. */
export interface RoundHosts {
  readonly hosts: number
  readonly unreached: number
}

/** The end of a round. */
export interface RoundEnd extends RoundHosts {
  readonly at: Instant
}

/** Returns whether a round counts for none: more than half of its hosts failed by name or connection (C17). */
export const isVoid = ({ hosts, unreached }: RoundHosts): boolean => unreached * 2 > hosts

/** The rounds of checks: one row, which only the process that knows its latest state can replace. */
export interface LinkRounds {
  /** Grows with each write. */
  readonly step: number
  /** The number of the latest round; 0 before the first. */
  readonly number: number
  readonly begunAt: O.Option<Instant>
  /** How far the round has come: a text of `checking-links.ts`. None while no round runs. */
  readonly position: O.Option<string>
  /** Until when its process holds the round; none if none does. */
  readonly heldUntil: O.Option<Instant>
  /** The number of the latest round that counted, whose findings are shown; 0 for none. */
  readonly shown: number
  /** The end of the latest round that ended. */
  readonly ended: O.Option<RoundEnd>
}

/** Before the first round. */
export const NO_ROUNDS: LinkRounds = {
  step: 0,
  number: 0,
  begunAt: O.none,
  position: O.none,
  heldUntil: O.none,
  shown: 0,
  ended: O.none,
}

/** Returns whether there is something to check: a round that runs, or one that is due, a day after the beginning of the one before. */
export const isRoundDue = ({ position, begunAt }: LinkRounds, now: Instant): boolean =>
  O.isSome(position) ||
  O.isNone(begunAt) ||
  now >= addMillis(begunAt.value, ROUND) ||
  isFarAhead(begunAt.value, now)

/** Returns the rounds as a process takes them: it goes on with the running one, or begins the next. */
export const roundTaken = (rounds: LinkRounds, now: Instant, first: string): LinkRounds => {
  const taken = { ...rounds, step: rounds.step + 1, heldUntil: O.some(addMillis(now, LINK_LEASE)) }
  return O.isSome(rounds.position)
    ? taken
    : { ...taken, number: rounds.number + 1, begunAt: O.some(now), position: O.some(first) }
}

/** Returns the rounds after the end of the running one. Its findings are shown, unless it counts for none (C17). */
export const roundEnded = (rounds: LinkRounds, ended: RoundEnd): LinkRounds => ({
  ...rounds,
  step: rounds.step + 1,
  position: O.none,
  heldUntil: O.none,
  shown: isVoid(ended) ? rounds.shown : rounds.number,
  ended: O.some(ended),
})

/** Returns the address in the value of a field; undefined for an image of ours. */
const addressOf = (kind: 'url' | 'image', value: unknown): WebUrl | undefined => {
  if (kind === 'url') return value as WebUrl | undefined
  return typeof value === 'object' && (value as ImageRef).kind === 'linked'
    ? (value as ImageRef & { readonly kind: 'linked' }).url
    : undefined
}

const linksIn = (fields: FieldSet, contentType: ContentType) => {
  const held = Object.entries(fields).flatMap(([field, definition]) => {
    const { kind, isDerived } = definition
    return (kind === 'url' || kind === 'image') && isDerived !== true
      ? [{ field, kind, read: readerOf(definition) }]
      : []
  })
  return (item: LibraryItem | FeedItem): ReadonlyArray<ItemLink> =>
    held.flatMap(({ field, kind, read }) => {
      const url = addressOf(kind, read(item))
      return url === undefined ? [] : [{ contentType, itemId: item.id, field, url }]
    })
}

const libraryLinks = linksIn(LIBRARY_FIELDS, 'library')
const feedLinks = linksIn(FEED_FIELDS, 'feed')

/** Returns the links of an item that are checked while it is Live: its links, and addresses of images that are not ours (C17). */
export const webLinksOf = (item: LibraryItem | FeedItem): ReadonlyArray<ItemLink> => {
  if (item.status !== 'Live') return []
  return 'images' in item ? libraryLinks(item) : feedLinks(item)
}

/** The place of a finding: by item, then by field. */
export type LinkPlace = Pick<ItemLink, 'itemId' | 'field'>
