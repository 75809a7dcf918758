import type { Clock, Ids, Random, Timer } from '@almoner/domain/ports'
import {
  type Instant,
  type ItemId,
  instant,
  listingOf,
  type NotificationId,
  type PageRequest,
  type ResultSet,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** A clock that is stopped until it is set or advanced. What it measures, `elapsed`, grows only where it is advanced. */
export interface SetClock extends Clock {
  /** Sets the clock to a moment, which may be earlier. */
  set(to: Instant): void
  /** Advances the clock by this number of milliseconds. */
  advance(by: number): void
}

/**
 * Creates a stopped clock.
 * @param start milliseconds since 1970; 2026-01-01T00:00:00Z unless given
 */
export const setClock = (start = Date.UTC(2026, 0, 1)): SetClock => {
  let now = instant(start)
  let passed = 0
  return {
    now: () => now,
    elapsed: () => passed,
    set: (to) => {
      now = to
    },
    advance: (by) => {
      now = instant(now + by)
      passed += by
    },
  }
}

/** The system's clock. */
export const runningClock: Clock = { now: () => instant(Date.now()) }

/** Identifiers that count up, in the form of UUIDv7: text order is the order of creation. */
export const countingIds = (): Ids => {
  let made = 0
  const next = (): string => {
    made += 1
    return `01900000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`
  }
  return { nextItemId: () => next() as ItemId, nextNotificationId: () => next() as NotificationId }
}

/** Always returns the middle, so that no test depends on chance. */
export const evenRandom: Random = { fraction: () => 0.5 }

/** Resolves at once, and advances the clock instead of waiting. */
export const instantTimer = (clock: SetClock): Timer => ({
  wait: (milliseconds) => async () => clock.advance(milliseconds),
})

/** Every JavaScript runtime has this function, but the library types of the language do not declare it. */
const { setTimeout } = globalThis as unknown as {
  setTimeout: (work: () => void, milliseconds: number) => unknown
}

/** Waits for the time to pass. */
export const waitingTimer: Timer = {
  wait: (milliseconds) => () =>
    new Promise((resolve) => {
      setTimeout(() => resolve(), milliseconds)
    }),
}

/** Returns the requested page of an ordered collection, and the cursor of the next page (C11). */
export const paginate = <Item, P>(
  ordered: ReadonlyArray<Item>,
  { lim, offset, after }: PageRequest<P>,
  cursor: (item: Item) => P,
  compare: (a: P, b: P) => number,
): ResultSet<Item, P> => {
  const rest = O.isSome(after) ? ordered.filter((item) => compare(cursor(item), after.value) > 0) : ordered
  if (O.isNone(lim)) return listingOf(rest, O.none)
  const page = rest.slice(offset, offset + lim.value)
  const last = page.at(-1)
  const isLast = last === undefined || offset + lim.value >= rest.length
  return listingOf(page, isLast ? O.none : O.some(cursor(last)))
}
