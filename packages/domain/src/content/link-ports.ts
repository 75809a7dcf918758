import type { Option } from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { WebUrl } from '../values/addresses.ts'
import type { ItemId } from '../values/ids.ts'
import type { StopSignal, Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type {
  Contact,
  LinkCounts,
  LinkFinding,
  LinkMethod,
  LinkPlace,
  LinkRounds,
  LinkVerdict,
  RoundHosts,
} from './links.ts'

/** One request to the address of a link. */
export interface LinkRequest {
  readonly url: WebUrl
  readonly method: LinkMethod
  /** Milliseconds in which the answer must have come. */
  readonly within: number
  /** Ends the request early; its contact is not used then. */
  readonly signal: StopSignal
}

/** Asks addresses that people have written into items, and no other ones than public ones (C17). */
export interface LinkChecker {
  /** Sends one request and follows no redirect. Never rejects: what fails is a contact, too. */
  contact(request: LinkRequest): Task<Contact>
}

/** Selects findings of the round that is shown, of one verdict or of any, after a place in their order. */
export interface LinkQuery {
  readonly verdict: Option<LinkVerdict>
  readonly after: Option<LinkPlace>
  /** How many to return at most; a few hundred. */
  readonly most: number
}

/** What the checks of links found, round by round (C17). No write changes an item, or what a cache holds. */
export interface LinkFindings {
  /** Returns the state of the rounds, `NO_ROUNDS` before the first. */
  rounds(): TaskEither<Unavailable, LinkRounds>
  /**
   * Replaces the state of the rounds and stores findings of the running one, in one transaction, if the stored state is the one before: its step is
   * one less. Otherwise it changes nothing and returns false. A finding of the same field replaces an earlier one of that round.
   */
  advance(next: LinkRounds, found: ReadonlyArray<LinkFinding>): TaskEither<Unavailable, boolean>
  /** Returns the findings of these items in the round that is shown, in no order. At most a few hundred ids. */
  ofItems(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyArray<LinkFinding>>
  /** Returns findings of the round that is shown, by item and field. Some may be of links that items no longer have. */
  page(query: LinkQuery): TaskEither<Unavailable, ReadonlyArray<LinkFinding>>
  /** Counts the hosts of a round, and the ones of which no link was reached (`hostOf`, `isReached`). */
  hosts(round: number): TaskEither<Unavailable, RoundHosts>
  /** Counts the findings of the round that is shown by their verdicts, but only those made at this moment or later. */
  counts(since: Instant): TaskEither<Unavailable, LinkCounts>
  /** Deletes some findings of rounds that neither run nor are shown. Returns how many; 0 when none is left. */
  purge(): TaskEither<Unavailable, number>
}
