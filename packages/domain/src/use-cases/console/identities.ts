import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../../access/caller.ts'
import type { Identity, IdentityNotFound } from '../../access/identity.ts'
import type { NoSession } from '../../access/session.ts'
import type { ManagerPorts } from '../../ports/of-managers.ts'
import type { Email } from '../../values/addresses.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { changedBy, type OneManager } from './managers.ts'

/** Parameters of GET /identities. */
export const ListIdentities = parameters({ name: 'ListIdentities', required: {}, optional: {} })
export type ListIdentities = typeof ListIdentities._A

/** Lists the accounts of the identity provider that sign managers in, by address: all for operators, for others their own (M3). */
export const makeListIdentities =
  (ports: Pick<ManagerPorts, 'identities'>) =>
  (
    caller: Caller,
    _parameters: ListIdentities,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Identity>> =>
    permitted(
      'listIdentities',
      caller,
    )((): TE.TaskEither<Unavailable, ReadonlyArray<Identity>> => {
      const { roles, email } = caller
      if (roles.has('super-admin')) return ports.identities.all()
      if (O.isNone(email)) return TE.right([])
      return TE.map((own: O.Option<Identity>) => (O.isSome(own) ? [own.value] : []))(
        ports.identities.of(email.value),
      )
    })

const isOwn = (caller: Caller, email: Email): boolean =>
  O.isSome(caller.email) && caller.email.value === email

/** Unlinks the account of the identity provider from a manager: one's own, or any for operators (M3). Ends the manager's other sessions (M4). */
export const makeUnlinkIdentity =
  (ports: Pick<ManagerPorts, 'clock' | 'identities'>) =>
  (
    caller: Caller,
    { email }: OneManager,
  ): TE.TaskEither<
    InsufficientScope | InsufficientRole | PresenceRequired | IdentityNotFound | NoSession | Unavailable,
    void
  > => {
    const at = ports.clock.now()
    const unlink = () => ports.identities.unlink(email, changedBy(caller, 'unlink-identity', at))
    return isOwn(caller, email)
      ? permitted('unlinkOwnIdentity', caller, ports.clock)(unlink)
      : permitted('unlinkIdentity', caller, ports.clock)(unlink)
  }
