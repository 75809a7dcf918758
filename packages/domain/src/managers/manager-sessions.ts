import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
  personActor,
} from '../access/caller.ts'
import type { Email } from '../values/addresses.ts'
import type { Unavailable } from '../values/ports.ts'
import { MANAGER_NOT_FOUND, type ManagerNotFound } from './model.ts'
import type { ManagerPorts } from './ports.ts'
import { type ActiveSession, callerOfSession, type Session } from './session.ts'
import { asOperator, type OneManager } from './use-cases.ts'

type Refused = InsufficientScope | InsufficientRole | ManagerNotFound | Unavailable

type Needs = 'clock' | 'managers' | 'sessions'

/** Does work for a known manager. */
const ofKnown = <A>(
  { managers }: Pick<ManagerPorts, Needs>,
  email: Email,
  work: () => TE.TaskEither<Unavailable, A>,
): TE.TaskEither<ManagerNotFound | Unavailable, A> =>
  pipe(
    managers.find(email),
    TE.flatMap(
      (found): TE.TaskEither<ManagerNotFound | Unavailable, A> =>
        O.isNone(found) ? TE.left(MANAGER_NOT_FOUND) : work(),
    ),
  )

/** Lists the open sessions of a manager, newest first (M4). */
export const makeListManagerSessions =
  (ports: Pick<ManagerPorts, Needs>) =>
  (caller: Caller, { email }: OneManager): TE.TaskEither<Refused, ReadonlyArray<Session>> =>
    permitted(
      'listManagers',
      caller,
    )(() => ofKnown(ports, email, () => ports.sessions.of(email, ports.clock.now())))

/** Ends all sessions of a manager, and returns how many there were (M4). */
export const makeEndManagerSessions =
  (ports: Pick<ManagerPorts, Needs>) =>
  (caller: Caller, { email }: OneManager): TE.TaskEither<Refused | PresenceRequired, number> =>
    asOperator(ports, caller, (by) =>
      ofKnown(ports, email, () => ports.sessions.endAll(email, { act: { ...by, action: 'end-sessions' } })),
    )

/** A session of the person who looks at it. */
export interface OwnSession {
  readonly session: Session
  /** Whether the person looks at it from this session. */
  readonly isCurrent: boolean
}

/** Lists the open sessions of the person of a session, newest first (M4). */
export const makeListOwnSessions =
  (ports: Pick<ManagerPorts, 'clock' | 'sessions'>) =>
  (active: ActiveSession): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<OwnSession>> =>
    permitted(
      'useOwnAccount',
      callerOfSession(active),
    )(() =>
      pipe(
        ports.sessions.of(active.session.email, ports.clock.now()),
        TE.map((all) =>
          all.map((one) => ({ session: one, isCurrent: one.digest === active.session.digest })),
        ),
      ),
    )

/** Ends all other sessions of the person of a session, and returns how many there were (M4). */
export const makeEndOtherSessions =
  (ports: Pick<ManagerPorts, 'clock' | 'sessions'>) =>
  (active: ActiveSession): TE.TaskEither<InsufficientScope | Unavailable, number> =>
    permitted(
      'useOwnAccount',
      callerOfSession(active),
    )(() =>
      ports.sessions.endAll(active.session.email, {
        except: active.session.digest,
        act: { actor: personActor(active.number), action: 'end-sessions', at: ports.clock.now() },
      }),
    )
