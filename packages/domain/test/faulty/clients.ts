import type { Client, StoredSecret, TokenDigest } from '@almoner/domain/access'
import type { ClientWithSecrets } from '@almoner/domain/ports'
import { addMillis, type ClientId, type Instant, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, ignoring, returning } from './faults.ts'

const secretsOf = (change: (secrets: ReadonlyArray<StoredSecret>) => ReadonlyArray<StoredSecret>) =>
  O.map((found: ClientWithSecrets) => ({ ...found, secrets: change(found.secrets) }))

/** Faults of clients and their tokens. */
export const CLIENT_FAULTS: Faults<'clients' | 'accessTokens'> = {
  clients: {
    'loses the roles': [
      'A1: a client is found with its scopes, roles, user and secret',
      ({ add }) => ({ add: (client, ...more) => add({ ...client, roles: [] }, ...more) }),
    ],
    'lists the latest client first': [
      'A1: a client is found',
      ({ all }) => ({
        all: returning(all, (clients) => clients.toReversed()),
      }),
    ],
    'takes public clients for others': [
      'A10: a client for people is found with its audience',
      ({ add }) => ({
        add: (client, ...more) =>
          add(
            { ...client, ...(client.forPeople && { forPeople: { ...client.forPeople, isPublic: false } }) },
            ...more,
          ),
      }),
    ],
    'accepts a client of a known id': [
      'a client id cannot be added twice',
      ({ add }) => ({ add: (...given) => ignoring('ClientExists')(add(...given)) }),
    ],
    'withdraws a client with any secret': [
      'a client whose secret reached no one is withdrawn',
      ({ find, withdraw }) => ({
        withdraw: (id, _, act) =>
          pipe(
            find(id),
            TE.flatMap((found) =>
              withdraw(id, O.isSome(found) ? (found.value.secrets[0]?.hash ?? '') : '', act),
            ),
          ),
      }),
    ],
    'keeps the old secret after a rotation': [
      'A6: a rotation invalidates the old secrets at once',
      ({ rotate }) => ({
        rotate: (id, hash, oldUntil, act) =>
          rotate(id, hash, O.isNone(oldUntil) ? O.some(instant(Number.MAX_SAFE_INTEGER)) : oldUntil, act),
      }),
    ],
    'gives all old secrets the end of the latest rotation': [
      'A6: a rotation may keep the old secret for a while; an earlier end stays',
      ({ find, rotate }) => {
        let latest: O.Option<Instant> = O.none
        return {
          rotate: (id, hash, oldUntil, act) => {
            latest = oldUntil
            return rotate(id, hash, oldUntil, act)
          },
          find: returning(
            find,
            secretsOf(([first, ...old]) => [
              ...(first === undefined ? [] : [first]),
              ...old.map(({ hash }) => ({ hash, until: latest })),
            ]),
          ),
        }
      },
    ],
    'makes a replaced hash valid for ever': [
      'A6: replacing the hash of a secret keeps the end of that secret',
      ({ find, replaceSecretHash }) => {
        const replaced = new Set<string>()
        return {
          replaceSecretHash: (id, from, to) => {
            replaced.add(to)
            return replaceSecretHash(id, from, to)
          },
          find: returning(
            find,
            secretsOf((secrets) =>
              secrets.map((secret) => (replaced.has(secret.hash) ? { ...secret, until: O.none } : secret)),
            ),
          ),
        }
      },
    ],
    'disables a client at every second call': [
      'A6: disabling and enabling can be repeated',
      ({ find, setDisabled }) => ({
        setDisabled: (id, disabled, act) =>
          pipe(
            find(id),
            TE.flatMap((found) =>
              setDisabled(id, disabled && !(O.isSome(found) && found.value.client.disabled), act),
            ),
          ),
      }),
    ],
    'replaces a later use by an earlier one': [
      'A6: an overview has the secrets of each client, and its latest use',
      ({ noteUses, overview }) => {
        const uses = new Map<ClientId, Instant>()
        return {
          noteUses: (noted) => {
            for (const [id, at] of noted) uses.set(id, at)
            return noteUses(noted)
          },
          overview: returning(overview, (all) =>
            all.map((one) => ({ ...one, lastUsedAt: O.fromNullable(uses.get(one.client.id)) })),
          ),
        }
      },
    ],
    'records each act as one of a command': [
      'K1: notifications, clients and the portfolio leave records',
      ({ setDisabled }) => ({
        setDisabled: (id, disabled, act) =>
          setDisabled(id, disabled, act && { ...act, actor: { kind: 'command', id: 'almoner' } }),
      }),
    ],
    'leaves no record of a rotation': [
      'K1: notifications, clients and the portfolio leave records',
      ({ rotate }) => ({ rotate: (id, hash, oldUntil) => rotate(id, hash, oldUntil) }),
    ],
  },
  accessTokens: {
    'grants every scope': [
      'A1: a token grants its scopes',
      ({ grantOf }) => ({
        grantOf: returning(
          grantOf,
          O.map((grant) => ({ ...grant, scopes: ['user', 'user-donor', 'content-manager'] })),
        ),
      }),
    ],
    'forgets when a token was issued': [
      'A1: a grant has the time of its issue',
      ({ grantOf }) => ({
        grantOf: returning(
          grantOf,
          O.map(({ issuedAt: _issuedAt, ...grant }) => grant),
        ),
      }),
    ],
    'grants a person the roles of the client': [
      'A10: a person’s token grants no role',
      ({ grantOf }) => ({
        grantOf: returning(
          grantOf,
          O.map((grant) => ({ ...grant, roles: ['user-manager'] as const })),
        ),
      }),
    ],
    'accepts a token at its end': [
      'A6: a token expires',
      ({ grantOf }) => ({ grantOf: (digest, now) => grantOf(digest, addMillis(now, -1)) }),
    ],
    'accepts tokens of disabled clients': [
      'A6: a disabled client’s tokens grant nothing',
      ({ grantOf }, { clients }) => ({
        grantOf: (digest, now) => async () => {
          const all = E.getOrElse((): ReadonlyArray<Client> => [])(await clients.all()())
          const disabled = all.filter((client) => client.disabled)
          for (const { id } of disabled) await clients.setDisabled(id, false)()
          const grant = await grantOf(digest, now)()
          for (const { id } of disabled) await clients.setDisabled(id, true)()
          return grant
        },
      }),
    ],
    'revokes tokens of other clients': [
      'A6: a client revokes its own tokens only',
      ({ add, revoke }) => {
        const owners = new Map<TokenDigest, ClientId>()
        return {
          add: (token) => {
            owners.set(token.digest, token.clientId)
            return add(token)
          },
          revoke: (digest, clientId) => revoke(digest, owners.get(digest) ?? clientId),
        }
      },
    ],
    'purges tokens at their end': [
      'purging deletes expired access tokens only',
      ({ purge }) => ({ purge: (before) => purge(addMillis(before, 1)) }),
    ],
    'accepts tokens of a clock that was ahead': [
      'I9: an access token of a clock that was set back',
      ({ add }) => ({ add: ({ life: _life, ...token }) => add(token) }),
    ],
  },
}
