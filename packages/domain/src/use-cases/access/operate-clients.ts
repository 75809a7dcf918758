import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
} from '../../access/caller.ts'
import { type Client, earlierSecretsUntil } from '../../access/client.ts'
import {
  DEFAULT_OVERLAP,
  type DisableClient,
  type ListClients,
  newClient,
  type RegisterClient,
  type RotateClient,
} from '../../access/new-client.ts'
import type { ActedBy } from '../../history/act.ts'
import type { ClientExists, ClientNotFound } from '../../ports/clients.ts'
import type { AccessPorts } from '../../ports/of-access.ts'
import type { Unavailable } from '../../values/ports.ts'
import { addMillis, type Instant, SECOND } from '../../values/time.ts'
import { makeAddClient, makeRotateSecret } from './manage-clients.ts'

/** A client as operators see it. */
export interface ListedClient {
  readonly client: Client
  /** The last use, some minutes late; none if no use is stored. */
  readonly lastUsedAt: O.Option<Instant>
  /** Until when an earlier secret counts beside the newest (A6). */
  readonly oldUntil: O.Option<Instant>
}

/** The secret of a client, which is shown once (A6). */
export interface ShownSecret {
  readonly client: Client
  readonly secret: string
  /** Until when the earlier secret counts; none if there is none, or it counts no more. */
  readonly oldUntil: O.Option<Instant>
}

type Refused = InsufficientScope | InsufficientRole

const actedBy = (caller: Caller, { clock }: Pick<AccessPorts, 'clock'>): ActedBy => ({
  actor: caller.actor,
  at: clock.now(),
})

/** Lists the clients of the API with their last use, without secrets. Requires the role `super-admin` (M2). */
export const makeListClients =
  (ports: Pick<AccessPorts, 'clients' | 'clock'>) =>
  (
    caller: Caller,
    _parameters: ListClients,
  ): TE.TaskEither<Refused | Unavailable, ReadonlyArray<ListedClient>> =>
    permitted(
      'listClients',
      caller,
    )(() =>
      pipe(
        ports.clients.overview(),
        TE.map((all) => {
          const now = ports.clock.now()
          return all.map(({ client, secrets, lastUsedAt }) => ({
            client,
            lastUsedAt,
            oldUntil: earlierSecretsUntil(secrets, now),
          }))
        }),
      ),
    )

/** Registers a client under a new secret. Requires the role `super-admin` (M2, A6). */
export const makeRegisterClient =
  (ports: Pick<AccessPorts, 'clients' | 'clock' | 'secrets'>) =>
  (
    caller: Caller,
    command: RegisterClient,
  ): TE.TaskEither<Refused | PresenceRequired | ClientExists | Unavailable, ShownSecret> =>
    permitted(
      'manageClients',
      caller,
      ports.clock,
    )(() =>
      pipe(
        makeAddClient(ports)(newClient(command), actedBy(caller, ports)),
        TE.map((added) => ({ ...added, oldUntil: O.none })),
      ),
    )

/** Gives a client a new secret. The earlier ones count for the time given, a day by default. Requires the role `super-admin` (M2, A6). */
export const makeRotateClient =
  (ports: Pick<AccessPorts, 'clients' | 'clock' | 'secrets'>) =>
  (
    caller: Caller,
    { clientId, keepOld = DEFAULT_OVERLAP }: RotateClient,
  ): TE.TaskEither<Refused | PresenceRequired | ClientNotFound | Unavailable, ShownSecret> =>
    permitted(
      'manageClients',
      caller,
      ports.clock,
    )(() => {
      const by = actedBy(caller, ports)
      const oldUntil = keepOld === 0 ? O.none : O.some(addMillis(by.at, keepOld * SECOND))
      return pipe(
        makeRotateSecret(ports)(clientId, oldUntil, by),
        TE.map((rotated) => ({ ...rotated, oldUntil })),
      )
    })

/** Disables a client, which ends its tokens, or enables it again. Requires the role `super-admin` (M2, A6). */
export const makeDisableClient =
  (ports: Pick<AccessPorts, 'clients' | 'clock'>) =>
  (
    caller: Caller,
    { clientId, disabled }: DisableClient,
  ): TE.TaskEither<Refused | PresenceRequired | ClientNotFound | Unavailable, Client> =>
    permitted(
      'manageClients',
      caller,
      ports.clock,
    )(() =>
      ports.clients.setDisabled(clientId, disabled, {
        ...actedBy(caller, ports),
        action: disabled ? 'disable-client' : 'enable-client',
      }),
    )
