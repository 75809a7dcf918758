import type { Act, StoredSecret } from '@almoner/domain/access'
import type { ClientNotFound, Clients } from '@almoner/domain/ports'
import type { Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { compareText } from '../../../domain/src/values/text.ts'
import { recordAct } from './history.ts'
import type { Tables } from './tables.ts'

const NOT_FOUND: ClientNotFound = { _tag: 'ClientNotFound' }

const ending =
  (at: O.Option<Instant>, rotatedAt: Instant | undefined) =>
  (secret: StoredSecret): ReadonlyArray<StoredSecret> => {
    if (O.isNone(at)) return []
    if (O.isSome(secret.until) && secret.until.value < at.value) return [secret]
    return [{ hash: secret.hash, until: at, ...(rotatedAt !== undefined && { life: at.value - rotatedAt }) }]
  }

/** Returns whether the binding that an act depends on is there: that of a client by its row, that of a person by the number (L1). */
export const isStillBound = (
  { clients, userNumbers }: Tables,
  act: Pick<Act, 'actor' | 'boundTo'> | undefined,
): boolean => {
  if (act?.boundTo === undefined) return true
  const { actor, boundTo } = act
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
      clients.set(client.id, { client, secrets: [{ hash, until: O.none }] })
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
