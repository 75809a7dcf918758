import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Client, ClientOverview, StoredSecret } from '../access/client.ts'
import type { TimedAct } from '../history/act.ts'
import type { ClientId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** There is a client of that id already. */
export interface ClientExists {
  readonly _tag: 'ClientExists'
}

/** There is no client of that id. */
export interface ClientNotFound {
  readonly _tag: 'ClientNotFound'
}

/** A client as the token endpoint needs it. Secrets come newest first. */
export interface ClientWithSecrets {
  readonly client: Client
  readonly secrets: ReadonlyArray<StoredSecret>
}

/** The OAuth clients, with their secrets as digests (A4, A6). Writes with an act leave a record (K1). */
export interface Clients {
  /** Adds a client with its first secret. Fails with ClientExists when the id is taken. */
  add(client: Client, secretHash: string, act?: TimedAct): TaskEither<ClientExists | Unavailable, void>
  /** Removes a client whose only secret, which has this digest, reached no one. Fails with ClientNotFound if it is unknown or has another secret. */
  withdraw(id: ClientId, secretHash: string, act?: TimedAct): TaskEither<ClientNotFound | Unavailable, void>
  /** The client and all secrets that have not been rotated away, disabled clients too. None when unknown. */
  find(id: ClientId): TaskEither<Unavailable, Option<ClientWithSecrets>>
  /** Every client, by id. */
  all(): TaskEither<Unavailable, ReadonlyArray<Client>>
  /** Every client with its secrets and its last stored use, by id. */
  overview(): TaskEither<Unavailable, ReadonlyArray<ClientOverview>>
  /** Stores last uses of known clients. A later use that is stored already stays. */
  noteUses(uses: ReadonlyMap<ClientId, Instant>): TaskEither<Unavailable, void>
  /**
   * Puts a new secret in the place of all others; those lose their worth at `oldUntil`, or at once when that is none.
   * An earlier end that a secret already had stays. Where the time of the act is given, they have ended too if that lies in the future (`isInLife`, I9).
   */
  rotate(
    id: ClientId,
    secretHash: string,
    oldUntil: Option<Instant>,
    act?: TimedAct,
  ): TaskEither<ClientNotFound | Unavailable, Client>
  /** Replaces one stored form of a secret, `from`, by another; its end stays. Does nothing when the client no longer has it. */
  replaceSecretHash(id: ClientId, from: string, to: string): TaskEither<Unavailable, void>
  /** Disables or enables; doing it twice is the same as once. */
  setDisabled(
    id: ClientId,
    disabled: boolean,
    act?: TimedAct,
  ): TaskEither<ClientNotFound | Unavailable, Client>
}
