import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy, Action } from '../access/acts.ts'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../access/caller.ts'
import { Duty } from '../access/duties.ts'
import { Email } from '../values/addresses.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { BooleanParameter } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import { addMillis, type Instant, SECOND } from '../values/time.ts'
import { type Passkey, PasskeyId, type PasskeyNotFound, type PasswordNotFound } from './credentials.ts'
import {
  type LastOperator,
  MANAGER_DISABLED,
  MANAGER_NOT_FOUND,
  type Manager,
  type ManagerDisabled,
  type ManagerExists,
  ManagerName,
  type ManagerNotFound,
  type NumberedManager,
} from './model.ts'
import type { ChangedBy, ManagerPorts } from './ports.ts'
import type { NoSession } from './session.ts'

/** A manager and the secret of a link that signs in once, until `expiresAt` (M2). */
export interface SignInLink {
  readonly manager: Manager
  readonly secret: string
  readonly expiresAt: Instant
}

type ManageManagersNeeds = 'clock' | 'managers' | 'oneTimeSecrets' | 'secrets'

/** Seconds for which a sign-in link works (M2). */
export const LINK_LIFE = 24 * 3600

const linkFor = (
  ports: Pick<ManagerPorts, ManageManagersNeeds>,
  manager: Manager,
  seconds: number,
  by?: ActedBy,
): TE.TaskEither<ManagerNotFound | ManagerDisabled | Unavailable, SignInLink> => {
  const secret = ports.secrets.mint()
  const expiresAt = addMillis(ports.clock.now(), seconds * SECOND)
  const digest = ports.secrets.digest(secret)
  return pipe(
    ports.oneTimeSecrets.put(
      { digest, purpose: 'sign-in', email: manager.email, expiresAt, life: seconds * SECOND },
      by && { ...by, action: 'invite-manager' },
    ),
    TE.map(() => ({ manager, secret, expiresAt })),
  )
}

/**
 * Adds a manager, with a link that signs in once (M2).
 * @param by under whose name the change is recorded (K1)
 */
export const makeAddManager =
  (ports: Pick<ManagerPorts, ManageManagersNeeds>) =>
  (
    manager: Manager,
    by?: ActedBy,
  ): TE.TaskEither<ManagerExists | ManagerNotFound | ManagerDisabled | Unavailable, SignInLink> =>
    pipe(
      ports.managers.add(manager, by && { ...by, action: 'add-manager' }),
      TE.flatMap(
        (): TE.TaskEither<ManagerExists | ManagerNotFound | ManagerDisabled | Unavailable, SignInLink> =>
          linkFor(ports, manager, LINK_LIFE),
      ),
    )

/**
 * Makes a link that signs a manager in once (M2). `seconds` is how long it works.
 * @param by under whose name the link is recorded (K1)
 */
export const makeCreateSignInLink =
  (ports: Pick<ManagerPorts, ManageManagersNeeds>) =>
  (
    email: Email,
    seconds: number = LINK_LIFE,
    by?: ActedBy,
  ): TE.TaskEither<ManagerNotFound | ManagerDisabled | Unavailable, SignInLink> =>
    pipe(
      ports.managers.find(email),
      TE.flatMap(TE.fromOption((): ManagerNotFound | ManagerDisabled | Unavailable => MANAGER_NOT_FOUND)),
      TE.filterOrElse(
        ({ disabled }) => !disabled,
        (): ManagerNotFound | ManagerDisabled | Unavailable => MANAGER_DISABLED,
      ),
      TE.flatMap((manager) => linkFor(ports, manager, seconds, by)),
    )

/** Parameters of GET /managers. */
export const ListManagers = parameters({ name: 'ListManagers', required: {}, optional: {} })
export type ListManagers = typeof ListManagers._A

/** Parameters of routes about one manager. */
export const OneManager = parameters({ name: 'OneManager', required: { email: Email }, optional: {} })
export type OneManager = typeof OneManager._A

/** Parameters of DELETE /managers/<email>/passkeys/<id>. */
export const OneManagerPasskey = parameters({
  name: 'OneManagerPasskey',
  required: { email: Email, id: PasskeyId },
  optional: {},
})
export type OneManagerPasskey = typeof OneManagerPasskey._A

/** Parameters of PUT /managers/<email>. */
export const InviteManager = parameters({
  name: 'InviteManager',
  required: { email: Email, name: ManagerName, duty: Duty, lang: Language },
  optional: {},
})
export type InviteManager = typeof InviteManager._A

/** Parameters of PUT /managers/<email>/access. */
export const SetManagerAccess = parameters({
  name: 'SetManagerAccess',
  required: { email: Email },
  optional: { duty: Duty, disabled: BooleanParameter },
})
export type SetManagerAccess = typeof SetManagerAccess._A

type Refused = InsufficientScope | InsufficientRole | PresenceRequired | Unavailable

/** Does work on managers that only operators may do, with a recent proof of presence and under the caller's name (K1, M10). */
export const asOperator = <L, A>(
  ports: Pick<ManagerPorts, 'clock'>,
  caller: Caller,
  work: (by: ActedBy) => TE.TaskEither<L, A>,
): TE.TaskEither<L | InsufficientScope | InsufficientRole | PresenceRequired, A> =>
  permitted('manageManagers', caller, ports.clock)(() => work({ actor: caller.actor, at: ports.clock.now() }))

/** Returns who makes a change: the caller, from its session if it has one. */
export const changedBy = ({ actor, session }: Caller, action: Action, at: Instant): ChangedBy => ({
  ...(session !== undefined && { by: session }),
  act: { actor, action, at },
})

/** A manager, with what operators see of the ways to sign in. */
export interface ListedManager extends Manager {
  readonly hasPassword: boolean
}

/** Lists all managers by address (M2). */
export const makeListManagers =
  (ports: Pick<ManagerPorts, 'managers' | 'passwords'>) =>
  (
    caller: Caller,
    _parameters: ListManagers,
  ): TE.TaskEither<Exclude<Refused, PresenceRequired>, ReadonlyArray<ListedManager>> =>
    permitted(
      'listManagers',
      caller,
    )(() =>
      pipe(
        TE.Do,
        TE.bind('owners', () => ports.passwords.owners()),
        TE.bind('all', () => ports.managers.all()),
        TE.map(({ owners, all }) =>
          all.map((manager) => ({ ...manager, hasPassword: owners.has(manager.email) })),
        ),
      ),
    )

type LinkPorts = Pick<ManagerPorts, 'clock' | 'managers' | 'oneTimeSecrets' | 'secrets'>

/** Adds a manager, with a link that signs in once within 24 hours (M2). */
export const makeInviteManager =
  (ports: LinkPorts) =>
  (
    caller: Caller,
    manager: InviteManager,
  ): TE.TaskEither<Refused | ManagerExists | ManagerNotFound | ManagerDisabled, SignInLink> =>
    asOperator(ports, caller, (by) => makeAddManager(ports)({ ...manager, disabled: false }, by))

/** Makes another link that signs a manager in once within 24 hours (M2). */
export const makeInviteAgain =
  (ports: LinkPorts) =>
  (
    caller: Caller,
    { email }: OneManager,
  ): TE.TaskEither<Refused | ManagerNotFound | ManagerDisabled, SignInLink> =>
    asOperator(ports, caller, (by) => makeCreateSignInLink(ports)(email, LINK_LIFE, by))

/**
 * Changes the duty of a manager, or disables or enables one, which ends the manager's sessions and links (M4). The last enabled operator stays
 * one (L4).
 */
export const makeSetManagerAccess =
  (ports: Pick<ManagerPorts, 'clock' | 'managers'>) =>
  (
    caller: Caller,
    { email, duty, disabled }: SetManagerAccess,
  ): TE.TaskEither<Refused | ManagerNotFound | LastOperator | NoSession, Manager> =>
    asOperator(ports, caller, ({ at }) => {
      const change = { ...(duty && { duty }), ...(disabled !== undefined && { disabled }) }
      return ports.managers.change(email, change, changedBy(caller, 'change-manager', at))
    })

/** Deletes the password of a manager, as after a lost phone, and ends the manager's sessions. A link lets the manager in again (M3, M4). */
export const makeRemoveManagerPassword =
  (ports: Pick<ManagerPorts, 'clock' | 'passwords'>) =>
  (caller: Caller, { email }: OneManager): TE.TaskEither<Refused | PasswordNotFound | NoSession, void> =>
    asOperator(ports, caller, ({ at }) =>
      ports.passwords.remove(email, changedBy(caller, 'remove-password', at)),
    )

/** Lists the passkeys of a manager, in the order in which they were added (M3). */
export const makeListManagerPasskeys =
  (ports: Pick<ManagerPorts, 'managers' | 'passkeys'>) =>
  (
    caller: Caller,
    { email }: OneManager,
  ): TE.TaskEither<Exclude<Refused, PresenceRequired> | ManagerNotFound, ReadonlyArray<Passkey>> =>
    permitted(
      'listManagers',
      caller,
    )(() =>
      pipe(
        ports.managers.find(email),
        TE.flatMap(TE.fromOption((): ManagerNotFound | Unavailable => MANAGER_NOT_FOUND)),
        TE.flatMap(() => ports.passkeys.of(email)),
      ),
    )

/** Deletes a passkey of a manager, as after the theft of a phone, and ends the manager's sessions and links (M3, M4). */
export const makeRemoveManagerPasskey =
  (ports: Pick<ManagerPorts, 'clock' | 'passkeys'>) =>
  (
    caller: Caller,
    { email, id }: OneManagerPasskey,
  ): TE.TaskEither<Refused | PasskeyNotFound | NoSession, void> =>
    asOperator(ports, caller, ({ at }) =>
      ports.passkeys.remove({ email, id }, changedBy(caller, 'remove-passkey', at)),
    )

/** Parameters of GET /people. */
export const ListPeople = parameters({ name: 'ListPeople', required: {}, optional: {} })
export type ListPeople = typeof ListPeople._A

/** A manager as the history names people: by number, with the name for pages (K1). */
export interface Person {
  readonly number: number
  readonly name: ManagerName
}

/** Lists the names of managers by their numbers in the history, without addresses (K1). */
export const makeListPeople =
  (ports: Pick<ManagerPorts, 'managers'>) =>
  (
    caller: Caller,
    _parameters: ListPeople,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Person>> =>
    permitted(
      'listPeople',
      caller,
    )(() =>
      TE.map((all: ReadonlyArray<NumberedManager>) =>
        all.map(({ number, manager: { name } }): Person => ({ number, name })),
      )(ports.managers.numbered()),
    )
