import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Client } from '../../access/client.ts'
import type { ActedBy } from '../../history/act.ts'
import type { ClientExists, ClientNotFound } from '../../ports/clients.ts'
import type { AccessPorts } from '../../ports/of-access.ts'
import type { ClientId } from '../../values/ids.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { Instant } from '../../values/time.ts'

/** A client and its new secret, which is shown once (A6). */
export interface ClientAndSecret {
  readonly client: Client
  readonly secret: string
}

type Needs = 'clients' | 'secrets'

/** Registers a client under a fresh secret. */
export const makeAddClient =
  (ports: Pick<AccessPorts, Needs>) =>
  (client: Client, by?: ActedBy): TE.TaskEither<ClientExists | Unavailable, ClientAndSecret> => {
    const secret = ports.secrets.mint()
    return pipe(
      ports.clients.add(client, ports.secrets.digest(secret), by && { ...by, action: 'add-client' }),
      TE.map(() => ({ client, secret })),
    )
  }

/** Takes back a client that was just added, because its secret could not be shown. Fails with ClientNotFound if it has another one by now. */
export const makeWithdrawClient =
  (ports: Pick<AccessPorts, Needs>) =>
  ({ client, secret }: ClientAndSecret, by?: ActedBy): TE.TaskEither<ClientNotFound | Unavailable, void> =>
    ports.clients.withdraw(
      client.id,
      ports.secrets.digest(secret),
      by && { ...by, action: 'withdraw-client' },
    )

/** Gives a client a fresh secret; the old ones count until `oldUntil`, or no longer (A6). Its tokens live on. */
export const makeRotateSecret =
  (ports: Pick<AccessPorts, Needs>) =>
  (
    id: ClientId,
    oldUntil: O.Option<Instant>,
    by?: ActedBy,
  ): TE.TaskEither<ClientNotFound | Unavailable, ClientAndSecret> => {
    const secret = ports.secrets.mint()
    return pipe(
      ports.clients.rotate(
        id,
        ports.secrets.digest(secret),
        oldUntil,
        by && { ...by, action: 'rotate-client' },
      ),
      TE.map((client) => ({ client, secret })),
    )
  }
