import {
  type Act,
  type Client,
  freeSince,
  type Grant,
  isPublicClient,
  type KeyedRequest,
  type OwnedKey,
  type Receipt,
  type StoredSecret,
  type TokenDigest,
  usedAhead,
} from '@almoner/domain/access'
import type { PreviewToken } from '@almoner/domain/managers'
import { EXTENSIONS, type MediaName } from '@almoner/domain/media'
import {
  type AccessTokens,
  type ClientNotFound,
  type Clients,
  type IdempotencyKeys,
  type NothingDone,
  type PreviewTokens,
  type Secrets,
  type StoredToken,
  unavailable,
} from '@almoner/domain/ports'
import {
  addMillis,
  compareText,
  type Email,
  type Instant,
  isFarAhead,
  isInLife,
  type Lifetime,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordAct } from './history.ts'
import type { StoredKeyUse, Tables } from './tables.ts'

/** Whether something ended before a moment, or was made by a clock that was ahead of it (I9). */
export const isExpired = ({ expiresAt, life }: Lifetime, before: Instant): boolean =>
  expiresAt < before || (life !== undefined && isFarAhead(addMillis(expiresAt, -life), before))

/** Returns for whom a token acts: its person, else the client's user (A1, A10). */
const holderOf = (
  { roles, email }: Client,
  { digest, person }: StoredToken,
): Pick<Grant, 'roles' | 'email' | 'personToken'> =>
  person === undefined ? { roles, email } : { roles: [], email: O.some(person), personToken: digest }

/** Access tokens in memory, by digest. */
export const memoryAccessTokens = ({ tokens, clients }: Tables): AccessTokens => ({
  add: (token) => async () => {
    tokens.set(token.digest, token)
    return E.right(undefined)
  },
  grantOf: (digest, now) =>
    TE.fromIO(() => {
      const token = tokens.get(digest)
      const client = token === undefined ? undefined : clients.get(token.clientId)?.client
      if (token === undefined || client === undefined || client.disabled) return O.none
      const { scopes, expiresAt, life } = token
      if (!isInLife(token, now)) return O.none
      return O.some({
        ...{ clientId: client.id, scopes, expiresAt, ...holderOf(client, token) },
        ...(life !== undefined && { issuedAt: addMillis(expiresAt, -life) }),
      })
    }),
  revoke: (digest, clientId) => async () =>
    E.right(tokens.get(digest)?.clientId === clientId && tokens.delete(digest)),
  purge: (before) => async () => {
    const expired = [...tokens.values()].filter((token) => isExpired(token, before))
    for (const { digest } of expired) tokens.delete(digest)
    return E.right(expired.length)
  },
})

/** Preview tokens in memory. */
export const memoryPreviewTokens = ({ previewTokens }: Tables): PreviewTokens => ({
  add: (token) => TE.fromIO(() => void previewTokens.set(token.digest, token)),
  find: (digest, now) =>
    TE.fromIO(() =>
      O.filter((token: PreviewToken) => isInLife(token, now))(O.fromNullable(previewTokens.get(digest))),
    ),
  purge: (before) =>
    TE.fromIO(() => {
      const expired = [...previewTokens.values()].filter((token) => isExpired(token, before))
      for (const { digest } of expired) previewTokens.delete(digest)
      return expired.length
    }),
})

const NOT_FOUND: ClientNotFound = { _tag: 'ClientNotFound' }

const ending =
  (at: O.Option<Instant>, rotatedAt: Instant | undefined) =>
  (secret: StoredSecret): ReadonlyArray<StoredSecret> => {
    if (O.isNone(at)) return []
    if (O.isSome(secret.until) && secret.until.value < at.value) return [secret]
    return [{ hash: secret.hash, until: at, ...(rotatedAt !== undefined && { life: at.value - rotatedAt }) }]
  }

/** Returns whether the binding that an act depends on is there: that of a client by its row or a person's token, that of a manager by the number (L1). */
export const isStillBound = (
  { clients, tokens, userNumbers }: Tables,
  act: Pick<Act, 'actor' | 'boundTo' | 'boundBy'> | undefined,
): boolean => {
  if (act?.boundTo === undefined) return true
  const { actor, boundTo, boundBy } = act
  if (boundBy !== undefined) return tokens.get(boundBy)?.person === boundTo
  if (actor.kind === 'person') return String(userNumbers.get(boundTo)) === actor.id
  return O.toUndefined(clients.get(actor.id)?.client.email ?? O.none) === boundTo
}

/** Clients in memory. */
export const memoryClients = (tables: Tables): Clients => {
  const { clients, clientUses } = tables
  const sorted = () => [...clients.values()].sort((a, b) => compareText(a.client.id, b.client.id))
  return {
    add: (client, hash, act) => async () => {
      if (clients.has(client.id)) return E.left({ _tag: 'ClientExists' })
      clients.set(client.id, { client, secrets: hash === undefined ? [] : [{ hash, until: O.none }] })
      recordAct(tables, act, { kind: 'client', id: client.id })
      return E.right(undefined)
    },
    withdraw: (id, hash, act) => async () => {
      const [first, ...others] = clients.get(id)?.secrets ?? []
      if (first?.hash !== hash || others.length > 0) return E.left(NOT_FOUND)
      clients.delete(id)
      recordAct(tables, act, { kind: 'client', id })
      return E.right(undefined)
    },
    find: (id) => TE.fromIO(() => O.fromNullable(clients.get(id))),
    all: () => TE.fromIO(() => sorted().map(({ client }) => client)),
    overview: () =>
      TE.fromIO(() =>
        sorted().map((found) => ({ ...found, lastUsedAt: O.fromNullable(clientUses.get(found.client.id)) })),
      ),
    noteUses: (uses) =>
      TE.fromIO(() => {
        for (const [id, at] of uses) if (at > (clientUses.get(id) ?? 0)) clientUses.set(id, at)
      }),
    rotate: (id, hash, oldUntil, act) => async () => {
      const found = clients.get(id)
      if (found === undefined) return E.left(NOT_FOUND)
      if (isPublicClient(found.client)) return E.left({ _tag: 'ClientIsPublic' })
      const secrets = [{ hash, until: O.none }, ...found.secrets.flatMap(ending(oldUntil, act?.at))]
      clients.set(id, { client: found.client, secrets })
      recordAct(tables, act, { kind: 'client', id })
      return E.right(found.client)
    },
    replaceSecretHash: (id, from, to) =>
      TE.fromIO(() => {
        const found = clients.get(id)
        if (found === undefined) return
        const secrets = found.secrets.map((secret) =>
          secret.hash === from ? { ...secret, hash: to } : secret,
        )
        clients.set(id, { ...found, secrets })
      }),
    setDisabled: (id, disabled, act) => async () => {
      const found = clients.get(id)
      if (found === undefined) return E.left(NOT_FOUND)
      const client = { ...found.client, disabled }
      clients.set(id, { ...found, client })
      if (found.client.disabled !== disabled) recordAct(tables, act, { kind: 'client', id })
      return E.right(client)
    },
  }
}

/** Returns the name of a key, whose parts may contain spaces. */
const nameOfKey = ({ clientId, person, key }: OwnedKey): string => JSON.stringify([clientId, person, key])

/** Returns whether a key may be kept: that of a person only as long as the person's token is there (L1). */
const mayKeep = (tokens: Tables['tokens'], { person, personToken }: KeyedRequest): boolean =>
  person === undefined || (personToken !== undefined && tokens.get(personToken)?.person === person)

/** Runs a write and stores its receipt, if it has one and succeeds; `NothingDone` if its key is used. */
export const withReceipt = <L, A>(
  { keyUses, tokens }: Tables,
  receipt: Receipt<A> | undefined,
  write: () => E.Either<L, A>,
): E.Either<L | NothingDone, A> => {
  if (receipt === undefined || !mayKeep(tokens, receipt)) return write()
  const { clientId, person, digest, at, about, device } = receipt
  const name = nameOfKey(receipt)
  const before = keyUses.get(name)
  if (before !== undefined && before.at > freeSince(at)) return E.left(unavailable('the key is taken'))
  const written = write()
  if (E.isRight(written))
    keyUses.set(name, {
      ...{ clientId, person, digest, at, about, device },
      response: receipt.responseTo(written.right),
    })
  return written
}

/** Returns whether a key belongs to a user, or has a response that holds an address or a device token of the user (L1). */
export const isKeyOf =
  (email: Email) =>
  ({ person, about }: Pick<StoredKeyUse, 'person' | 'about'>): boolean =>
    person === email || (O.isSome(about) && about.value === email)

/** Idempotency keys in memory. */
export const memoryIdempotencyKeys = ({ keyUses }: Tables): IdempotencyKeys => {
  const remove = (goes: (use: StoredKeyUse) => boolean): number => {
    const gone = [...keyUses].filter(([, use]) => goes(use))
    for (const [name] of gone) keyUses.delete(name)
    return gone.length
  }
  return {
    find: (key, now) =>
      TE.fromIO(() => {
        const use = keyUses.get(nameOfKey(key))
        return use !== undefined && use.at > freeSince(now)
          ? O.some({ digest: use.digest, response: use.response })
          : O.none
      }),
    forget: (email) => TE.fromIO(() => remove((use) => isKeyOf(email)(use))),
    purge: (now) => TE.fromIO(() => remove(({ at }) => at <= freeSince(now) || at > usedAhead(now))),
  }
}

/** Predictable secrets for tests: they count up. */
export const plainSecrets = (): Secrets => {
  let made = 0
  const next = () => {
    made += 1
    return made.toString().padStart(24, '0')
  }
  return {
    mint: () => `secret-${next()}`,
    mintMediaName: (type) => `${next()}.${EXTENSIONS[type]}` as MediaName,
    digest: (secret) => `digest of ${secret}` as TokenDigest,
    verify: (secret, stored) => TE.right(stored === `digest of ${secret}` ? 'digest' : 'none'),
  }
}
