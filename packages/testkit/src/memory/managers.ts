import type { TokenDigest } from '@almoner/domain/access'
import {
  type ActiveSession,
  type CheckedCredential,
  changedManager,
  countedCodes,
  endsSessions,
  isCurrentSession,
  isLastOperator,
  isOperator,
  isUsedStep,
  LAST_OPERATOR,
  MANAGER_DISABLED,
  MANAGER_NOT_FOUND,
  type Manager,
  managerChanges,
  NO_ACTIVE_SESSION,
  refusesCodes,
  type Session,
  type StoredPassword,
  type UsedCode,
  withWrongCode,
} from '@almoner/domain/managers'
import type {
  ChangedBy,
  Managers,
  OneTimeSecret,
  OneTimeSecrets,
  SecretPurpose,
  Sessions,
  WaitingFeeds,
} from '@almoner/domain/ports'
import { compareText, type Email, type Instant, isFarAhead, isInLife } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isExpired } from './access.ts'
import { numberIn, recordUserAct } from './history.ts'
import { forgetProposer } from './proposals.ts'
import type { Tables } from './tables.ts'

/** Returns a stored secret of a purpose, which may have ended. */
const secretIn = (
  { oneTimeSecrets }: Tables,
  digest: TokenDigest,
  purpose: SecretPurpose,
): OneTimeSecret | undefined => {
  const secret = oneTimeSecrets.get(digest)
  return secret?.purpose === purpose ? secret : undefined
}

/** One-time secrets in memory. */
export const memoryOneTimeSecrets = (tables: Tables): OneTimeSecrets => {
  const { oneTimeSecrets } = tables
  return {
    putChallenge: (challenge) =>
      TE.fromIO(() => void oneTimeSecrets.set(challenge.digest, { ...challenge, email: O.none })),
    put: (secret, act) => async () => {
      const manager = tables.managers.get(secret.email)
      if (manager === undefined) return E.left(MANAGER_NOT_FOUND)
      if (manager.disabled) return E.left(MANAGER_DISABLED)
      oneTimeSecrets.set(secret.digest, { ...secret, email: O.some(secret.email) })
      return E.right(recordUserAct(tables, act, secret.email, [], 'manager'))
    },
    find: (digest, purpose, now) =>
      TE.fromIO(() => {
        const secret = secretIn(tables, digest, purpose)
        return secret !== undefined && isInLife(secret, now) ? O.some(secret) : O.none
      }),
    take: (digest, purpose, now) =>
      TE.fromIO(() => {
        const secret = secretIn(tables, digest, purpose)
        if (secret === undefined) return O.none
        oneTimeSecrets.delete(digest)
        return isInLife(secret, now) ? O.some(secret) : O.none
      }),
    purge: (before) =>
      TE.fromIO(() => {
        const expired = [...oneTimeSecrets.values()].filter((secret) => isExpired(secret, before))
        for (const { digest } of expired) oneTimeSecrets.delete(digest)
        return expired.length
      }),
  }
}

/** Whether the session that makes a change has ended (M4). */
export const hasEnded = ({ sessions }: Tables, { by }: ChangedBy): boolean =>
  by !== undefined && !sessions.has(by)

/** Ends the sessions of a manager but the one that makes the change, and deletes the manager's one-time secrets. */
export const endSignIns = (
  { sessions, oneTimeSecrets }: Tables,
  email: Email,
  { by }: ChangedBy = {},
): void => {
  for (const row of [...sessions.values()])
    if (row.email === email && row.digest !== by) sessions.delete(row.digest)
  for (const row of [...oneTimeSecrets.values()])
    if (O.toUndefined(row.email) === email) oneTimeSecrets.delete(row.digest)
}

/** Whether a manager is the last enabled operator, and would be none afterwards (L4). */
export const leavesNoOperator = ({ managers }: Tables, email: Email, after?: Manager): boolean =>
  isLastOperator(
    [...managers.values()].filter(isOperator).map((manager) => manager.email),
    email,
    after,
  )

/** Ends what a manager may do, and takes the name of a disabled one from proposals (C16). */
const endAccess = (tables: Tables, { email, disabled }: Manager): void => {
  endSignIns(tables, email)
  tables.waitingFeeds.delete(email)
  if (disabled) forgetProposer(tables, email)
}

const recordChange = (tables: Tables, { act }: ChangedBy, before: Manager, after: Manager): void => {
  const changes = managerChanges(before, after)
  if (changes.length > 0) recordUserAct(tables, act, after.email, changes, 'manager')
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
  change:
    (email, change, by = {}) =>
    async () => {
      if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
      const found = tables.managers.get(email)
      if (found === undefined) return E.left(MANAGER_NOT_FOUND)
      const manager = changedManager(found, change)
      if (leavesNoOperator(tables, email, manager)) return E.left(LAST_OPERATOR)
      tables.managers.set(email, manager)
      if (endsSessions(change)) endAccess(tables, manager)
      recordChange(tables, by, found, manager)
      return E.right(manager)
    },
})

/** Returns a password with a code used up; none if the code counts no more. */
const without =
  (code: UsedCode) =>
  (found: StoredPassword): O.Option<StoredPassword> => {
    if ('step' in code)
      return isUsedStep(code.step, found.usedStep) ? O.none : O.some({ ...found, usedStep: code.step })
    const recoveryCodes = found.recoveryCodes.filter((digest) => digest !== code.recoveryCode)
    const isKnown = recoveryCodes.length < found.recoveryCodes.length
    return isKnown ? O.some({ ...found, recoveryCodes }) : O.none
  }

/** Uses up the code of a sign-in by password, or counts it if it is wrong (M9). */
const usesCode = (
  { passwords, wrongCodes }: Tables,
  { email, openedAt }: Session,
  { hash, usedBy }: Extract<CheckedCredential, { way: 'password' }>,
): boolean => {
  const found = passwords.get(email)
  const isRight = found !== undefined && O.toUndefined(hash) === found.hash
  const wrong = wrongCodes.get(email) ?? []
  const used = O.flatMap(usedBy(O.fromNullable(found)), (code) =>
    isRight && !refusesCodes(wrong, openedAt) ? without(code)(found) : O.none,
  )
  if (O.isSome(used)) {
    passwords.set(email, { ...used.value, lastUsedAt: O.some(openedAt) })
    wrongCodes.set(email, countedCodes(wrong, openedAt))
  } else if (isRight && !refusesCodes(wrong, openedAt)) wrongCodes.set(email, withWrongCode(wrong, openedAt))
  return O.isSome(used)
}

/** Returns whether a checked credential is still the same, and uses up what works once. */
const isCurrent = (tables: Tables, session: Session, credential: CheckedCredential): boolean => {
  const { email, openedAt } = session
  switch (credential.way) {
    case 'link': {
      const secret = secretIn(tables, credential.link, 'sign-in')
      const isOpen =
        secret !== undefined && O.toUndefined(secret.email) === email && isInLife(secret, openedAt)
      return isOpen && tables.oneTimeSecrets.delete(credential.link)
    }
    case 'passkey': {
      const found = tables.passkeys.get(credential.passkey.id)
      return found?.email === email && found.publicKey === credential.passkey.publicKey
    }
    case 'oidc': {
      const found = tables.identities.get(email)
      const { issuer, subject } = credential.identity
      return found?.issuer === issuer && found.subject === subject
    }
    default:
      return usesCode(tables, session, credential)
  }
}

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
    open: (session, { duty, credential }) =>
      TE.fromIO(() => {
        const manager = managers.get(session.email)
        const isAdmitted = manager !== undefined && !manager.disabled && manager.duty === duty
        if (!isAdmitted || !isCurrent(tables, session, credential)) return O.none
        sessions.set(session.digest, session)
        return O.some(numberIn(tables, session.email))
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
        const ended = [...sessions.values()].filter(
          ({ idleEndsAt, openedAt, lastSeenAt }) =>
            idleEndsAt < before || [openedAt, lastSeenAt].some((at) => isFarAhead(at, before)),
        )
        for (const { digest } of ended) sessions.delete(digest)
        return ended.length
      }),
  }
}

/** Waiting feeds in memory. */
export const memoryWaitingFeeds = (tables: Tables): WaitingFeeds => {
  const { managers, waitingFeeds } = tables
  return {
    put:
      (feed, by = {}) =>
      async () => {
        if (hasEnded(tables, by) || managers.get(feed.email)?.disabled !== false)
          return E.left(NO_ACTIVE_SESSION)
        waitingFeeds.set(feed.email, feed)
        return E.right(recordUserAct(tables, by.act, feed.email, [], 'manager'))
      },
    find: (digest) =>
      TE.fromIO(() => {
        const feed = [...waitingFeeds.values()].find((one) => one.digest === digest)
        return O.fromNullable(feed && managers.get(feed.email))
      }),
    of: (email) => TE.fromIO(() => O.fromNullable(waitingFeeds.get(email))),
    remove:
      (email, by = {}) =>
      async () => {
        if (hasEnded(tables, by)) return E.left(NO_ACTIVE_SESSION)
        if (waitingFeeds.delete(email)) recordUserAct(tables, by.act, email, [], 'manager')
        return E.right(undefined)
      },
  }
}
