import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type ActiveSession,
  changedManager,
  type Email,
  endsSessions,
  type Instant,
  isCurrentSession,
  MANAGER_NOT_FOUND,
  type Managers,
  managerChanges,
  type OneTimeSecrets,
  type Sessions,
  type TokenDigest,
} from '../src/all.ts'
import { compareText } from '../src/values/code-points.ts'
import { numberIn, recordUserAct } from './history.ts'
import type { Tables } from './tables.ts'

const forget = ({ sessions, oneTimeSecrets }: Tables, email: Email): void => {
  for (const row of [...sessions.values()]) if (row.email === email) sessions.delete(row.digest)
  for (const row of [...oneTimeSecrets.values()])
    if (O.toUndefined(row.email) === email) oneTimeSecrets.delete(row.digest)
}

/** Managers in memory. */
export const memoryManagers = (tables: Tables): Managers => ({
  add: (manager, act) => async () => {
    if (tables.managers.has(manager.email)) return E.left({ _tag: 'ManagerExists' })
    tables.managers.set(manager.email, manager)
    recordUserAct(tables, act, manager.email, managerChanges(undefined, manager), 'manager')
    return E.right(undefined)
  },
  find: (email) => TE.fromIO(() => O.fromNullable(tables.managers.get(email))),
  all: () => TE.fromIO(() => [...tables.managers.values()].sort((a, b) => compareText(a.email, b.email))),
  numbered: () =>
    TE.fromIO(() =>
      [...tables.userNumbers]
        .flatMap(([email, number]) => {
          const manager = tables.managers.get(email)
          return manager === undefined ? [] : [{ number, manager }]
        })
        .sort((a, b) => a.number - b.number),
    ),
  change: (email, change, act) => async () => {
    const found = tables.managers.get(email)
    if (found === undefined) return E.left(MANAGER_NOT_FOUND)
    const manager = changedManager(found, change)
    tables.managers.set(email, manager)
    if (endsSessions(change)) forget(tables, email)
    const changes = managerChanges(found, manager)
    if (changes.length > 0) recordUserAct(tables, act, email, changes, 'manager')
    return E.right(manager)
  },
})

/** Sessions in memory. */
export const memorySessions = (tables: Tables): Sessions => {
  const { sessions, managers } = tables
  const find = (digest: TokenDigest, now: Instant): O.Option<ActiveSession> => {
    const session = sessions.get(digest)
    const manager = session && managers.get(session.email)
    if (session === undefined || manager === undefined || manager.disabled) return O.none
    return isCurrentSession(session, now)
      ? O.some({ session, manager, number: numberIn(tables, manager.email) })
      : O.none
  }
  return {
    open: (session) =>
      TE.fromIO(() => {
        sessions.set(session.digest, session)
        return numberIn(tables, session.email)
      }),
    find: (digest, now) => TE.fromIO(() => find(digest, now)),
    current: (digests, now) =>
      TE.fromIO(() => new Set(digests.filter((digest) => O.isSome(find(digest, now))))),
    touch: ({ digest, lastSeenAt, idleEndsAt }) =>
      TE.fromIO(() => {
        const session = sessions.get(digest)
        if (session !== undefined) sessions.set(digest, { ...session, lastSeenAt, idleEndsAt })
      }),
    end: (digest) => TE.fromIO(() => sessions.delete(digest)),
    endAll: (email, { except, act } = {}) =>
      TE.fromIO(() => {
        const ended = [...sessions.values()].filter(
          (session) => session.email === email && session.digest !== except,
        )
        for (const { digest } of ended) sessions.delete(digest)
        if (ended.length > 0) recordUserAct(tables, act, email, [], 'manager')
        return ended.length
      }),
    of: (email, now) =>
      TE.fromIO(() =>
        [...sessions.values()]
          .filter((session) => session.email === email && isCurrentSession(session, now))
          .sort((a, b) => b.openedAt - a.openedAt || compareText(a.digest, b.digest)),
      ),
    purge: (before) =>
      TE.fromIO(() => {
        const ended = [...sessions.values()].filter(({ idleEndsAt }) => idleEndsAt < before)
        for (const { digest } of ended) sessions.delete(digest)
        return ended.length
      }),
  }
}

/** One-time secrets in memory. */
export const memoryOneTimeSecrets = (tables: Tables): OneTimeSecrets => {
  const { oneTimeSecrets } = tables
  return {
    put: (secret, act) =>
      TE.fromIO(() => {
        oneTimeSecrets.set(secret.digest, secret)
        if (O.isSome(secret.email)) recordUserAct(tables, act, secret.email.value, [], 'manager')
      }),
    take: (digest, purpose, now) =>
      TE.fromIO(() => {
        const secret = oneTimeSecrets.get(digest)
        if (secret === undefined || secret.purpose !== purpose) return O.none
        oneTimeSecrets.delete(digest)
        return now < secret.expiresAt ? O.some(secret) : O.none
      }),
    purge: (before) =>
      TE.fromIO(() => {
        const expired = [...oneTimeSecrets.values()].filter(({ expiresAt }) => expiresAt < before)
        for (const { digest } of expired) oneTimeSecrets.delete(digest)
        return expired.length
      }),
  }
}
