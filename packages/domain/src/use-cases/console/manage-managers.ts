import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActedBy } from '../../access/acts.ts'
import {
  MANAGER_DISABLED,
  MANAGER_NOT_FOUND,
  type Manager,
  type ManagerDisabled,
  type ManagerExists,
  type ManagerNotFound,
} from '../../people/manager.ts'
import type { ManagerPorts } from '../../ports/of-managers.ts'
import type { Email } from '../../values/addresses.ts'
import type { Unavailable } from '../../values/ports.ts'
import { addMillis, type Instant, SECOND } from '../../values/time.ts'

/** A manager and the secret of a link that signs in once, until `expiresAt` (M2). */
export interface SignInLink {
  readonly manager: Manager
  readonly secret: string
  readonly expiresAt: Instant
}

type Needs = 'clock' | 'managers' | 'oneTimeSecrets' | 'secrets'

/** Seconds for which a sign-in link works (M2). */
export const LINK_LIFE = 24 * 3600

const linkFor = (
  ports: Pick<ManagerPorts, Needs>,
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
  (ports: Pick<ManagerPorts, Needs>) =>
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
  (ports: Pick<ManagerPorts, Needs>) =>
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
