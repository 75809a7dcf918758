import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Client, isCurrent, type StoredSecret } from '../../access/client.ts'
import { networkOf } from '../../access/network.ts'
import type { ClientWithSecrets } from '../../ports/clients.ts'
import type { AccessPorts } from '../../ports/of-access.ts'
import type { SecretMatch } from '../../ports/secrets.ts'
import { ClientId } from '../../values/ids.ts'
import type { Unavailable } from '../../values/ports.ts'
import { type AttemptKeys, noteFailure, type TooManyAttempts, unlessLocked } from './attempts.ts'

/** What a client shows to prove who it is, and the address it does so from. */
export interface Credentials {
  readonly clientId: string
  readonly secret: string
  readonly address: string
}

/** Unknown client, wrong secret or disabled client: one answer for all (RFC 6749 §5.2). */
export interface InvalidClient {
  readonly _tag: 'InvalidClient'
}

type Refusal = InvalidClient | TooManyAttempts | Unavailable

/** The stored secret that a client showed, and how it matched. */
interface MatchingSecret {
  readonly hash: string
  readonly match: SecretMatch
}

type Needs = 'clients' | 'clock' | 'failedAttempts' | 'secrets'

/** Matches no secret: compared for unknown clients, so that they take as long as known ones. */
const NO_SECRET: StoredSecret = { hash: '', until: O.none }

/** No id is longer than 100 characters: more of what claims to be one need not be remembered. */
const ID_TELLS = 101

/** Addresses hold no line feed: no two pairs share a key. */
const keysOf = ({ address, clientId }: Credentials): AttemptKeys => ({
  pair: `${networkOf(address)}\n${clientId.slice(0, ID_TELLS)}`,
  address: networkOf(address),
})

const verifyAny =
  (ports: Pick<AccessPorts, Needs>, { secret }: Credentials) =>
  (stored: ReadonlyArray<StoredSecret>): TE.TaskEither<Unavailable, O.Option<MatchingSecret>> =>
    pipe(
      stored.length === 0 ? [NO_SECRET] : stored,
      TE.traverseArray(({ hash }) =>
        pipe(
          ports.secrets.verify(secret, hash),
          TE.map((match) => ({ hash, match })),
        ),
      ),
      TE.map(RA.findFirst(({ match }) => match !== 'none')),
    )

/** Stores a digest in place of a hash of an earlier version, at its first use (A6). The next use tries again if this fails. */
const replaceLegacyHash =
  (ports: Pick<AccessPorts, Needs>, { secret }: Credentials) =>
  (client: Client, matching: O.Option<MatchingSecret>): TE.TaskEither<Unavailable, void> =>
    O.isSome(matching) && matching.value.match === 'legacy'
      ? pipe(
          ports.clients.replaceSecretHash(client.id, matching.value.hash, ports.secrets.digest(secret)),
          TE.orElseW(() => TE.right<never, void>(undefined)),
        )
      : TE.right(undefined)

const secretsOf = (
  ports: Pick<AccessPorts, Needs>,
  found: O.Option<ClientWithSecrets>,
): ReadonlyArray<StoredSecret> =>
  O.isSome(found) ? found.value.secrets.filter(isCurrent(ports.clock.now())) : []

const findClient = (
  ports: Pick<AccessPorts, Needs>,
  id: string,
): TE.TaskEither<Unavailable, O.Option<ClientWithSecrets>> =>
  ClientId.is(id) ? ports.clients.find(id) : TE.right(O.none)

/**
 * The answer once the costly part is done. The lock is looked at again and the failure noted in one go, with no other attempt
 * between, so that many guesses at once are no more than many in a row (A8).
 */
const answer =
  (ports: Pick<AccessPorts, Needs>, credentials: Credentials) =>
  (found: O.Option<ClientWithSecrets>, matches: boolean) =>
    pipe(
      unlessLocked(ports, keysOf(credentials)),
      E.flatMap((): E.Either<Refusal, Client> => {
        if (O.isSome(found) && matches && !found.value.client.disabled) return E.right(found.value.client)
        noteFailure(ports, keysOf(credentials))
        return E.left({ _tag: 'InvalidClient' })
      }),
    )

/** The client that these credentials belong to (A4), unless too many wrong ones came from there lately (A8). */
export const makeCheckCredentials =
  (ports: Pick<AccessPorts, Needs>) =>
  (credentials: Credentials): TE.TaskEither<Refusal, Client> =>
    pipe(
      TE.fromEither<Refusal, void>(unlessLocked(ports, keysOf(credentials))),
      TE.flatMap(() => findClient(ports, credentials.clientId)),
      TE.bindTo('found'),
      TE.bindW('matching', ({ found }) => verifyAny(ports, credentials)(secretsOf(ports, found))),
      TE.bindW('client', ({ found, matching }) =>
        TE.fromEither(answer(ports, credentials)(found, O.isSome(matching))),
      ),
      TE.tap(({ client, matching }) => replaceLegacyHash(ports, credentials)(client, matching)),
      TE.map(({ client }) => client),
    )
