import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { Identity, IdentityNotFound } from '../../access/identity.ts'
import type { InsufficientRole } from '../../access/required-role.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { parameters } from '../../values/parameters.ts'
import { asOperator, type OneManager } from './managers.ts'

/** Parameters of GET /identities. */
export const ListIdentities = parameters({ name: 'ListIdentities', required: {}, optional: {} })
export type ListIdentities = typeof ListIdentities._A

/** Lists the accounts of the identity provider that sign managers in, by address: all for operators, for others their own (M3). */
export const makeListIdentities =
  (ports: Pick<Ports, 'identities'>) =>
  (
    { roles, email }: Caller,
    _parameters: ListIdentities,
  ): TE.TaskEither<Unavailable, ReadonlyArray<Identity>> => {
    if (roles.has('super-admin')) return ports.identities.all()
    if (O.isNone(email)) return TE.right([])
    return pipe(
      ports.identities.of(email.value),
      TE.map((own) => (O.isSome(own) ? [own.value] : [])),
    )
  }

/** Unlinks the account of the identity provider from a manager: one's own, or any for operators (M3). Sessions that it opened go on. */
export const makeUnlinkIdentity =
  (ports: Pick<Ports, 'clock' | 'identities'>) =>
  (
    caller: Caller,
    { email }: OneManager,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | IdentityNotFound | Unavailable, void> => {
    const unlink = () =>
      ports.identities.unlink(email, {
        ...{ actor: caller.actor, action: 'unlink-identity', at: ports.clock.now() },
      })
    const isOwn = O.isSome(caller.email) && caller.email.value === email
    return isOwn ? unlink() : asOperator(ports, caller, unlink)
  }
