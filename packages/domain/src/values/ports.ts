import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ItemId, NotificationId } from './ids.ts'
import { addMillis, type Instant, isFarAhead, MINUTE, type TimeZone } from './time.ts'

/** What every area asks of the world. */
export interface CommonPorts {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly timer: Timer
}

/** What a deployment decides for every area. */
export interface CommonPolicy {
  /** Where "today" is counted (B8). */
  readonly timeZone: TimeZone
}

/** Something outside could not do its part: nothing has changed, and trying again may help. `cause` is for the log only. */
export interface NothingDone {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
  /** Whether a reading had begun, and broke off. From the start again, it may succeed at once. */
  readonly brokeOff?: boolean
}

/**
 * The connection was lost during a commit, and its outcome could not be determined (I5). Assume neither: delete nothing that the write may
 * reference, and do not say that nothing has changed. `cause` is for the log only.
 */
export interface OutcomeUnknown {
  readonly _tag: 'OutcomeUnknown'
  readonly cause: unknown
}

/** How a port fails whose system could not be used just now. A read fails as {@link NothingDone} only. */
export type Unavailable = NothingDone | OutcomeUnknown

/** The failure of a port whose system could not be used just now. `cause` is for the log, and never reaches an answer (I1). */
export const unavailable = (cause: unknown): NothingDone => ({ _tag: 'Unavailable', cause })

/** Returns the failure of a write with an unknown outcome (I5). */
export const outcomeUnknown = (cause: unknown): OutcomeUnknown => ({ _tag: 'OutcomeUnknown', cause })

/** Whether a failure comes from a port's system instead of a rule. */
export const isUnavailable = <E extends { readonly _tag: string }>(
  failure: E | Unavailable,
): failure is Unavailable => failure._tag === 'Unavailable' || failure._tag === 'OutcomeUnknown'

/** The one place where what a port's iteration throws becomes a value. */
export const attempt: <A>(work: () => Promise<A>) => TE.TaskEither<Unavailable, A> = (work) =>
  TE.tryCatch(work, unavailable)

/** Resolves to the value of a port's task, or rejects with the cause of its failure, of which {@link attempt} makes the same failure (I1). */
export const orThrowCause = async <A>(task: TE.TaskEither<Unavailable, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw result.left.cause
  return result.right
}

/** What time it is. Rules ask nothing else for it. */
export interface Clock {
  /** The present moment. Never fails. */
  now(): Instant
  /** Milliseconds of a clock that is never set, from any beginning. A clock without it is taken for one that is never set. */
  elapsed?(): number
}

/** Returns milliseconds by which to measure how long something lasts: a step of the clock makes it neither longer nor shorter (I9). */
export const elapsed = (clock: Clock): number => clock.elapsed?.() ?? clock.now()

/** Creates identifiers. Clients, labels and the portfolio have external ones. */
export interface Ids {
  /** A new identifier, greater in text order than every one this process made before (UUIDv7, C3). Never fails. */
  nextItemId(): ItemId
  /** As {@link nextItemId}. */
  nextNotificationId(): NotificationId
}

/** Chance, for jitter. What must not be guessed comes from {@link Secrets}. */
export interface Random {
  /** A number from 0 to below 1, as likely as any other. Not for secrets. Never fails. */
  fraction(): number
}

/** Waiting, between the tries of a push. */
export interface Timer {
  /** Resolves after this number of milliseconds. Never rejects. */
  wait(milliseconds: number): Task<void>
}

/** Milliseconds for which a step of the clock is doubted (I9). */
export const DOUBT = 60 * MINUTE

/**
 * Watches a clock for steps of more than a minute. The function that it returns compares the clock with one that is never set, from its first call
 * on, and returns the steps within the last hour, in milliseconds and added up: undefined if there were none, 0 if the clock was set there and back.
 */
export const watchSteps = (clock: Clock): (() => number | undefined) => {
  let offset: number | undefined
  let last: { readonly at: number; readonly total: number } | undefined
  return () => {
    const now = elapsed(clock)
    const ahead = clock.now() - now
    const step = ahead - (offset ?? ahead)
    offset = ahead
    if (last !== undefined && now - last.at >= DOUBT) last = undefined
    if (Math.abs(step) > MINUTE) last = { at: now, total: (last?.total ?? 0) + step }
    return last?.total
  }
}

/** Something that one process at a time holds. Each write of the holder raises `step`. */
interface Hold {
  readonly step: number
  /** Until when it is held; none if it is free. */
  readonly heldUntil: O.Option<Instant>
}

/**
 * Makes the question whether the hold of another process is over (I9): its end has come by the clock that processes share, and nothing was written
 * for its length by the clock of this process that is never set.
 * @param length milliseconds of a hold
 */
export const watchHold = (clock: Clock, length: number): ((hold: Hold, now: Instant) => boolean) => {
  let seen: { readonly step: number; readonly at: number } | undefined
  return ({ step, heldUntil }, now) => {
    if (O.isNone(heldUntil)) return true
    if (seen?.step !== step) seen = { step, at: elapsed(clock) }
    const isOver = now >= heldUntil.value || isFarAhead(heldUntil.value, addMillis(now, length))
    return isOver && elapsed(clock) - seen.at >= length
  }
}

/** A stop request, such as an `AbortSignal`. Once it is aborted, work begins nothing more and finishes what it has begun. */
export interface StopSignal {
  readonly aborted: boolean
}

/** The signal of work that nothing stops. */
export const NEVER_STOPPED: StopSignal = { aborted: false }
