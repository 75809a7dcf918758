import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { collect, type ResultSet } from '../values/page.ts'
import {
  attempt,
  type Clock,
  type CommonPolicy,
  elapsed,
  NEVER_STOPPED,
  type StopSignal,
  type Timer,
  type Unavailable,
  watchHold,
} from '../values/ports.ts'
import { addMillis } from '../values/time.ts'
import { type Cursor, encodeCursor, FeedCursor, LibraryCursor } from './finding.ts'
import {
  afterContact,
  findingAfter,
  firstStep,
  GAP,
  HOST_GAP,
  hostOf,
  type ItemLink,
  isRoundDue,
  LINK_LEASE,
  LINK_LIMIT,
  type LinkAnswer,
  type LinkFinding,
  type LinkRounds,
  type LinkStep,
  type LinkVerdict,
  roundEnded,
  roundTaken,
  webLinksOf,
} from './links.ts'
import type { FeedItem, LibraryItem } from './model.ts'
import type { ContentPorts } from './ports.ts'
import type { Visibility } from './rules.ts'

/** What a run of the checks needs. */
type CheckPorts = Pick<
  ContentPorts,
  'libraryItems' | 'feedItems' | 'linkFindings' | 'linkChecker' | 'clock' | 'timer'
>

/** Waits for the turn of a host. */
type Pace = (host: string) => Promise<void>

/** Hosts whose last turn is remembered; older ones are free again. */
const MOST_HOSTS = 1000

/** Makes a pace of one request a second to a host, and of four to all (C17). */
const makePace = (clock: Clock, timer: Timer): Pace => {
  const free = new Map<string, number>()
  let nextOfAll = 0
  const take = (host: string): number => {
    const now = elapsed(clock)
    const wait = Math.max(free.get(host) ?? 0, nextOfAll) - now
    if (wait > 0) return wait
    free.delete(host)
    free.set(host, now + HOST_GAP)
    const [oldest = host] = free.keys()
    if (free.size > MOST_HOSTS) free.delete(oldest)
    nextOfAll = now + GAP
    return 0
  }
  return async (host) => {
    // Another one may have taken the turn meanwhile.
    for (let wait = take(host); wait > 0; wait = take(host)) await timer.wait(wait)()
  }
}

/** Asks for a link, step by step, at the pace of its hosts, which does not count. Returns undefined if it was stopped. */
const makeAsk = (
  { linkChecker, clock }: Pick<CheckPorts, 'linkChecker' | 'clock'>,
  pace: Pace,
  signal: StopSignal,
) => {
  const ask = async (step: LinkStep, within: number): Promise<LinkAnswer | undefined> => {
    await pace(hostOf(step.url))
    if (signal.aborted) return undefined
    const begun = elapsed(clock)
    const contact = await linkChecker.contact({ ...step, within, signal })()
    if (signal.aborted) return undefined
    const next = afterContact(step, contact)
    if (E.isLeft(next)) return next.left
    const left = within - (elapsed(clock) - begun)
    return left > 0 ? ask(next.right, left) : 'silent'
  }
  return (url: ItemLink['url']) => ask(firstStep(url), LINK_LIMIT)
}

/** Requests at a time (C17). */
const AT_ONCE = 2

/** Orders links so that the first ones of all hosts come first: two at a time then seldom wait for one host. */
const spread = (urls: ReadonlyArray<ItemLink['url']>): Array<ItemLink['url']> => {
  const seen = new Map<string, number>()
  const ranked = urls.map((url) => {
    const host = hostOf(url)
    const rank = seen.get(host) ?? 0
    seen.set(host, rank + 1)
    return { url, rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ url }) => url)
}

/** Addresses whose answers a run remembers: many items share a link. */
const MOST_ANSWERS = 10_000

/** Makes a function that asks for links, each address once a run, and returns their answers; undefined if it was stopped before it had them all. */
const makeAskAll = (ask: (url: ItemLink['url']) => Promise<LinkAnswer | undefined>, signal: StopSignal) => {
  const known = new Map<ItemLink['url'], LinkAnswer>()
  return async (links: ReadonlyArray<ItemLink>) => {
    if (known.size > MOST_ANSWERS) known.clear()
    const waiting = spread([...new Set(links.map(({ url }) => url))].filter((url) => !known.has(url)))
    const work = async (): Promise<void> => {
      for (let url = waiting.shift(); url !== undefined && !signal.aborted; url = waiting.shift()) {
        const answer = await ask(url)
        if (answer !== undefined) known.set(url, answer)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (links.some(({ url }) => !known.has(url))) return undefined
    return ({ url }: ItemLink): LinkAnswer => known.get(url) as LinkAnswer
  }
}

/** Items whose links are checked between two writes. */
const ITEMS = 25

/** Selects the Live items, an embargo or not. */
const LIVE: Visibility = { kind: 'published', restricted: true, until: O.none }

/** Items whose links are checked together, and the position behind them. */
interface Stretch {
  readonly items: ReadonlyArray<LibraryItem | FeedItem>
  readonly next: string
}

/** Where a round begins, where it comes to the posts, and where only its end is left. A position may have the cursor of an item behind it. */
const [PUBLICATIONS, POSTS, END] = ['library', 'feed', 'end'] as const

/** Reads the items at a position. */
const readStretch = (
  { libraryItems, feedItems }: Pick<CheckPorts, 'libraryItems' | 'feedItems'>,
  position: string,
): TE.TaskEither<Unavailable, Stretch> => {
  const [part, place] = position.split(' ')
  const query = { visibility: LIVE, lang: O.none }
  const window = { lim: O.some(ITEMS), offset: 0 }
  const stretchOf =
    <Item extends LibraryItem | FeedItem>(otherwise: string) =>
    (found: ResultSet<Item, Cursor<string | number>>): TE.TaskEither<Unavailable, Stretch> =>
      attempt(async () => ({
        items: await collect(found),
        next: O.isSome(found.next) ? `${part} ${encodeCursor(found.next.value)}` : otherwise,
      }))
  return part === PUBLICATIONS
    ? pipe(
        libraryItems.list(query, { ...window, after: O.fromEither(LibraryCursor.decode(place)) }),
        TE.flatMap(stretchOf(POSTS)),
      )
    : pipe(
        feedItems.list(
          { ...query, kind: O.none },
          { ...window, after: O.fromEither(FeedCursor.decode(place)) },
        ),
        TE.flatMap(stretchOf(END)),
      )
}

/** What a run of the checks did, in numbers. */
export interface LinksChecked {
  readonly links: number
  readonly dead: number
  readonly unknown: number
  /** Rounds that counted for none. */
  readonly discarded: number
}

const NOTHING: LinksChecked = { links: 0, dead: 0, unknown: 0, discarded: 0 }

const addFindings = (before: LinksChecked, found: ReadonlyArray<LinkFinding>): LinksChecked => {
  const count = (wanted: LinkVerdict) => found.filter(({ verdict }) => verdict === wanted).length
  return {
    ...before,
    links: before.links + found.length,
    dead: before.dead + count('dead'),
    unknown: before.unknown + count('unknown'),
  }
}

/** Rounds after a write, and what was found. */
interface Advanced {
  readonly rounds: LinkRounds
  readonly found: ReadonlyArray<LinkFinding>
}

/**
 * Makes a run of the checks of links (C17). It begins a round a day after the one before, or goes on with one that was interrupted, and ends with
 * the round or when it is stopped. One process at a time runs a round: the others return at once. Findings are shown when the round has ended, if
 * it counts. It changes no item.
 */
export const makeCheckLinks = (ports: CheckPorts, { timeZone }: Pick<CommonPolicy, 'timeZone'>) => {
  const { linkFindings, clock, timer } = ports
  const isFree = watchHold(clock, LINK_LEASE)
  const pace = makePace(clock, timer)

  /** Returns the findings of items; undefined if it was stopped before it had them all. */
  const check = (
    items: Stretch['items'],
    askAll: ReturnType<typeof makeAskAll>,
  ): TE.TaskEither<Unavailable, ReadonlyArray<LinkFinding> | undefined> => {
    const links = items.flatMap(webLinksOf)
    return pipe(
      TE.Do,
      TE.bind('answerOf', () => TE.fromTask(() => askAll(links))),
      TE.bind('before', () => linkFindings.ofItems(items.map(({ id }) => id))),
      TE.map(({ answerOf, before }) => {
        const at = clock.now()
        const knownOf = (link: ItemLink) =>
          before.find(({ itemId, field }) => itemId === link.itemId && field === link.field)
        return (
          answerOf && links.map((link) => findingAfter(knownOf(link), link, answerOf(link), { at, timeZone }))
        )
      }),
    )
  }

  /** Ends a round of which every item was looked at. */
  const end = (rounds: LinkRounds): TE.TaskEither<Unavailable, LinkRounds> =>
    pipe(
      linkFindings.hosts(rounds.number),
      TE.map((hosts) => roundEnded(rounds, { ...hosts, at: clock.now() })),
      TE.tap((ended) => linkFindings.advance(ended, [])),
    )

  /** Checks the items at a position, and stores what was found. None: it was stopped, or another process has taken the round over. */
  const advance = (
    rounds: LinkRounds,
    position: string,
    askAll: ReturnType<typeof makeAskAll>,
  ): TE.TaskEither<Unavailable, O.Option<Advanced>> =>
    pipe(
      TE.Do,
      TE.bind('read', () => readStretch(ports, position)),
      TE.bind('found', ({ read }) => check(read.items, askAll)),
      TE.flatMap(({ read, found }) => {
        const step = rounds.step + 1
        const next: LinkRounds =
          found === undefined
            ? { ...rounds, step, heldUntil: O.none }
            : {
                ...rounds,
                step,
                position: O.some(read.next),
                heldUntil: O.some(addMillis(clock.now(), LINK_LEASE)),
              }
        return pipe(
          linkFindings.advance(next, found ?? []),
          TE.map((isStored) => (isStored && found !== undefined ? O.some({ rounds: next, found }) : O.none)),
        )
      }),
    )

  /** Goes on with a round that this process holds. */
  const goOn = async (
    taken: LinkRounds,
    signal: StopSignal,
  ): Promise<E.Either<Unavailable, LinksChecked>> => {
    const askAll = makeAskAll(makeAsk(ports, pace, signal), signal)
    let rounds = taken
    let done = NOTHING
    for (;;) {
      const position = O.toUndefined(rounds.position)
      if (position === undefined || position === END) break
      const advanced = await advance(rounds, position, askAll)()
      if (E.isLeft(advanced)) return advanced
      if (O.isNone(advanced.right)) return E.right(done)
      rounds = advanced.right.value.rounds
      done = addFindings(done, advanced.right.value.found)
    }
    return pipe(
      end(rounds),
      TE.map(({ shown }) => ({ ...done, discarded: shown === rounds.number ? 0 : 1 })),
    )()
  }

  /** Deletes what earlier rounds and discarded ones have found. */
  const purge = async (signal: StopSignal): Promise<E.Either<Unavailable, void>> => {
    for (;;) {
      const purged = await linkFindings.purge()()
      if (E.isLeft(purged)) return purged
      if (purged.right === 0 || signal.aborted) return E.right(undefined)
    }
  }

  const run = async (signal: StopSignal): Promise<E.Either<Unavailable, LinksChecked>> => {
    const found = await linkFindings.rounds()()
    if (E.isLeft(found)) return found
    const now = clock.now()
    if (!isFree(found.right, now) || !isRoundDue(found.right, now)) return E.right(NOTHING)
    const taken = roundTaken(found.right, now, PUBLICATIONS)
    const isTaken = await linkFindings.advance(taken, [])()
    if (E.isLeft(isTaken)) return isTaken
    if (!isTaken.right) return E.right(NOTHING)
    const done = await goOn(taken, signal)
    const purged = await purge(signal)
    return E.isLeft(purged) && E.isRight(done) ? purged : done
  }

  return ({
    signal = NEVER_STOPPED,
  }: {
    readonly signal?: StopSignal
  } = {}): TE.TaskEither<Unavailable, LinksChecked> =>
    () =>
      run(signal)
}
