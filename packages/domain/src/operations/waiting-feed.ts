import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type InsufficientScope, permitted, personActor } from '../access/caller.ts'
import { networkOf, type TooManyAttempts } from '../access/guessing.ts'
import { lockedUntil } from '../access/model.ts'
import type { Manager } from '../managers/model.ts'
import type { ChangedBy, ManagerPolicy, WaitingFeed } from '../managers/ports.ts'
import { type ActiveSession, callerOfSession, type NoSession } from '../managers/session.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Language } from '../values/text.ts'
import type { Instant, TimeZone } from '../values/time.ts'
import type { DeskCounts } from './model.ts'
import type { OperationsPorts } from './ports.ts'

/** A waiting feed as it has just been made. The secret is shown this once. */
export interface NewWaitingFeed extends WaitingFeed {
  readonly secret: string
}

/** The posts that wait, for a feed reader: no text and no name of a donor (M14). */
export interface WaitingPosts extends Pick<DeskCounts, 'waiting' | 'oldestWaiting'> {
  /** The language and the time zone of the manager whose feed it is. */
  readonly lang: Language
  readonly timeZone: TimeZone
  readonly at: Instant
}

/** There is no such waiting feed (any more), or its manager is disabled. */
export interface NoWaitingFeed {
  readonly _tag: 'NoWaitingFeed'
}

/** The one {@link NoWaitingFeed}. */
export const NO_WAITING_FEED: NoWaitingFeed = { _tag: 'NoWaitingFeed' }

type Refused = InsufficientScope | NoSession | Unavailable

const changedBy = (
  { session, number }: ActiveSession,
  action: 'make-waiting-feed' | 'remove-waiting-feed',
  at: Instant,
): ChangedBy => ({ by: session.digest, act: { actor: personActor(number), action, at } })

/** Returns the waiting feed of the person of a session, if there is one (M14). */
export const makeShowWaitingFeed =
  (ports: Pick<OperationsPorts, 'waitingFeeds'>) =>
  (active: ActiveSession): TE.TaskEither<InsufficientScope | Unavailable, O.Option<WaitingFeed>> =>
    permitted('useOwnAccount', callerOfSession(active))(() => ports.waitingFeeds.of(active.manager.email))

/** Makes a waiting feed for the person of a session; an earlier address ends (M14). */
export const makeMakeWaitingFeed =
  (ports: Pick<OperationsPorts, 'clock' | 'secrets' | 'waitingFeeds'>) =>
  (active: ActiveSession): TE.TaskEither<Refused, NewWaitingFeed> =>
    permitted(
      'useOwnAccount',
      callerOfSession(active),
    )((): TE.TaskEither<NoSession | Unavailable, NewWaitingFeed> => {
      const secret = ports.secrets.mint()
      const madeAt = ports.clock.now()
      const feed = { digest: ports.secrets.digest(secret), email: active.manager.email, madeAt }
      return pipe(
        ports.waitingFeeds.put(feed, changedBy(active, 'make-waiting-feed', madeAt)),
        TE.map(() => ({ ...feed, secret })),
      )
    })

/** Removes the waiting feed of the person of a session, if there is one (M14). */
export const makeRemoveWaitingFeed =
  (ports: Pick<OperationsPorts, 'clock' | 'waitingFeeds'>) =>
  (active: ActiveSession): TE.TaskEither<Refused, void> =>
    permitted(
      'useOwnAccount',
      callerOfSession(active),
    )(() =>
      ports.waitingFeeds.remove(
        active.manager.email,
        changedBy(active, 'remove-waiting-feed', ports.clock.now()),
      ),
    )

/** Returns what waits, for the secret of a feed. Wrong secrets count by network, a hundred a minute (M14, A8). */
export const makeReadWaitingFeed =
  (
    ports: Pick<OperationsPorts, 'clock' | 'failedAttempts' | 'secrets' | 'statistics' | 'waitingFeeds'>,
    policy: Pick<ManagerPolicy, 'timeZone'>,
  ) =>
  (
    secret: string,
    address: string,
  ): TE.TaskEither<NoWaitingFeed | TooManyAttempts | Unavailable, WaitingPosts> => {
    const { clock, failedAttempts } = ports
    const [now, network] = [clock.now(), networkOf(address)]
    const until = lockedUntil('address', failedAttempts.of('address', network, now), now)
    if (O.isSome(until)) return TE.left({ _tag: 'TooManyAttempts', until: until.value })
    return pipe(
      ports.waitingFeeds.find(ports.secrets.digest(secret)),
      TE.flatMapEither((found): E.Either<NoWaitingFeed | Unavailable, Manager> => {
        if (O.isSome(found) && !found.value.disabled) return E.right(found.value)
        failedAttempts.add('address', network, now)
        return E.left(NO_WAITING_FEED)
      }),
      TE.flatMap(
        ({ lang, timeZone = policy.timeZone }): TE.TaskEither<NoWaitingFeed | Unavailable, WaitingPosts> =>
          pipe(
            ports.statistics.desk(),
            TE.map(({ waiting, oldestWaiting }) => ({ lang, timeZone, at: now, waiting, oldestWaiting })),
          ),
      ),
    )
  }
