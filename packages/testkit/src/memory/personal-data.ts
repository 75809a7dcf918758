import { compareCursors, type FeedItem, feedCursor } from '@almoner/domain/content'
import { LAST_OPERATOR, NO_ACTIVE_SESSION } from '@almoner/domain/managers'
import { isSettled } from '@almoner/domain/notifications'
import { USER_NOT_FOUND } from '@almoner/domain/people'
import {
  type FoundPerson,
  isNothing,
  type PersonalDelivery,
  type PersonalMark,
  type PersonalRecord,
} from '@almoner/domain/personal-data'
import type { ErasedBy, PersonalData } from '@almoner/domain/ports'
import type { Email, Instant, NotificationId } from '@almoner/domain/values'
import { compareText } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isKeyOf } from './access.ts'
import { deleteRecordedReasons, numberIn, recordUserAct } from './history.ts'
import { hasEnded, leavesNoOperator } from './managers.ts'
import { forgetProposer, proposalsOf } from './proposals.ts'
import { type Fixed, progressOf, type Sending, type Tables } from './tables.ts'
import { eraseCopies } from './working-copies.ts'

const isOf = (email: Email) => (one: O.Option<Email>) => O.isSome(one) && one.value === email

const stateOf = ({ standing }: Fixed): Pick<PersonalDelivery, 'state' | 'at'> => {
  switch (standing.kind) {
    case 'ended':
      return { state: standing.outcome, at: O.some(standing.at) }
    case 'waiting':
    case 'held':
      return { state: 'retry', at: O.some(standing.at) }
    default:
      return { state: 'pending', at: O.none }
  }
}

const deliveriesOf = ({ sendings, notifications, devices }: Tables, email: Email) => {
  const tokens = new Map([...devices.values()].map(({ id, device }) => [id, device.token]))
  const one = (id: NotificationId, recipient: Fixed): PersonalDelivery => ({
    notificationId: notifications.has(id) ? O.some(id) : O.none,
    token: O.fromNullable(tokens.get(recipient.deviceId)),
    ...stateOf(recipient),
  })
  return [...sendings].flatMap(([id, { recipients }]) =>
    recipients.filter((recipient) => recipient.email === email).map((recipient) => one(id, recipient)),
  )
}

const marksOf = ({ seen }: Tables, email: Email): ReadonlyArray<PersonalMark> =>
  [...seen]
    .flatMap(([id, marks]) => {
      const seenAt = marks.get(email)
      return seenAt === undefined ? [] : [{ notificationId: O.some(id), seenAt }]
    })
    .sort((a, b) => a.seenAt - b.seenAt)

const recordOf = (tables: Tables, email: Email): PersonalRecord => {
  const { users, devices, deadDevices, feed, authors, clients, keyUses } = tables
  const byId = <A extends { readonly id: number | string }>(a: A, b: A) => (a.id < b.id ? -1 : 1)
  return {
    user: O.fromNullable(users.get(email)),
    formerPreferences: (tables.preferences.get(email) ?? [])
      .slice(0, -1)
      .map(({ lang, topics }) => ({ lang, topics })),
    manager: O.fromNullable(tables.managers.get(email)),
    number: O.fromNullable(tables.userNumbers.get(email)),
    passkeys: [...tables.passkeys.values()].filter((passkey) => passkey.email === email),
    identity: O.fromNullable(tables.identities.get(email)),
    password: O.fromNullable(tables.passwords.get(email)),
    waitingFeed: O.fromNullable(tables.waitingFeeds.get(email)?.madeAt),
    workingCopies: [...tables.workingCopies.values()]
      .filter((copy) => copy.email === email)
      .sort((a, b) => b.updatedAt - a.updatedAt || compareText(a.key, b.key)),
    proposals: proposalsOf(tables, email),
    devices: [...devices.values()]
      .filter(({ device }) => device.email === email)
      .sort(byId)
      .map(({ device }) => device),
    deadDevices: [...deadDevices.values()].filter(({ device }) => device.email === email),
    deliveries: deliveriesOf(tables, email),
    seen: marksOf(tables, email),
    posts: [...feed.values()]
      .filter(({ id }) => isOf(email)(authors.get(id)?.email ?? O.none))
      .sort((a, b) => compareCursors(feedCursor(a), feedCursor(b))),
    clients: [...clients.values()]
      .map(({ client }) => client)
      .filter((client) => isOf(email)(client.email))
      .sort(byId),
    tokens: [...tables.tokens.values()]
      .filter(({ person }) => person === email)
      .sort((a, b) => a.expiresAt - b.expiresAt || compareText(a.digest, b.digest))
      .map(({ clientId, scopes, expiresAt }) => ({ clientId, scopes, expiresAt })),
    responses: [...keyUses.values()]
      .filter(isKeyOf(email))
      .map(({ clientId, at, response }) => ({ clientId, at, body: response.body })),
  }
}

/** Removes a person's recipients from a delivery, which keeps their outcomes in its totals. */
const without = (sending: Sending, email: Email, now: Instant): Sending => {
  const erased = { ...sending.erased }
  for (const { standing } of sending.recipients.filter((one) => one.email === email))
    erased[standing.kind === 'ended' ? standing.outcome : 'skipped'] += 1
  const rest = { ...sending, erased, recipients: sending.recipients.filter((one) => one.email !== email) }
  const isOver = O.isNone(rest.finishedAt) && isSettled(progressOf(rest))
  return isOver ? { ...rest, finishedAt: O.some(now) } : rest
}

const deleteWhere = <K, V>(map: Map<K, V>, goes: (value: V) => boolean): void => {
  for (const [key, value] of map) if (goes(value)) map.delete(key)
}

/** Removes what managers have written to a person about posts, from the posts and their history (L1, L3). */
const deleteReasons = (tables: Tables, email: Email): void => {
  const { authors, feed, deleted } = tables
  const own = new Set<string>([...authors].flatMap(([id, author]) => (isOf(email)(author.email) ? [id] : [])))
  for (const [id, one] of deleted)
    if (isOf(email)(one.author?.email ?? O.none)) {
      own.add(one.item.id)
      deleted.set(id, { ...one, author: undefined, item: { ...one.item, reason: O.none } as FeedItem })
    }
  for (const [id, item] of feed) if (own.has(id)) feed.set(id, { ...item, reason: O.none })
  deleteRecordedReasons(tables, own)
}

const erase = (tables: Tables, email: Email, now: Instant): void => {
  const { users, devices, deadDevices, authors, clients, keyUses, sendings } = tables
  for (const [id, sending] of sendings)
    if (sending.recipients.some((one) => one.email === email)) sendings.set(id, without(sending, email, now))
  users.delete(email)
  tables.preferences.delete(email)
  for (const marks of tables.seen.values()) marks.delete(email)
  forgetProposer(tables, email)
  tables.managers.delete(email)
  deleteWhere(tables.sessions, (session) => session.email === email)
  deleteWhere(tables.oneTimeSecrets, (secret) => isOf(email)(secret.email))
  deleteWhere(tables.passkeys, (passkey) => passkey.email === email)
  tables.identities.delete(email)
  tables.passwords.delete(email)
  tables.wrongCodes.delete(email)
  tables.waitingFeeds.delete(email)
  const own = new Set(
    [...devices, ...deadDevices].flatMap(([identity, { device }]) =>
      device.email === email ? [identity] : [],
    ),
  )
  deleteWhere(devices, ({ device }) => device.email === email)
  deleteWhere(deadDevices, ({ device }) => device.email === email)
  deleteReasons(tables, email)
  deleteWhere(authors, (author) => isOf(email)(author.email))
  deleteWhere(tables.tokens, ({ person }) => person === email)
  deleteWhere(keyUses, (use) => isKeyOf(email)(use) || (use.device !== undefined && own.has(use.device)))
  for (const found of clients.values())
    if (isOf(email)(found.client.email)) found.client = { ...found.client, email: O.none }
}

/** Returns the addresses of all people about whom something is stored. */
const addressesOf = ({ users, managers, authors, clients, tokens }: Tables): ReadonlyArray<Email> => {
  const bound = [...authors.values(), ...[...clients.values()].map(({ client }) => client)]
  const emails = bound.flatMap(({ email }) => (O.isSome(email) ? [email.value] : []))
  const people = [...tokens.values()].flatMap(({ person }) => (person === undefined ? [] : [person]))
  return [...new Set([...users.keys(), ...managers.keys(), ...emails, ...people])].sort(compareText)
}

const foundIn =
  (tables: Tables) =>
  (email: Email): FoundPerson => ({
    number: numberIn(tables, email),
    email,
    user: O.fromNullable(tables.users.get(email)),
    devices: [...tables.devices.values()].filter(({ device }) => device.email === email).length,
  })

/** Returns why a person may not be erased; undefined if it may be (L4). */
const refusalOf = (tables: Tables, email: Email, by: ErasedBy) => {
  if (hasEnded(tables, by)) return NO_ACTIVE_SESSION
  const wroteDeleted = [...tables.deleted.values()].some(({ author }) => isOf(email)(author?.email ?? O.none))
  if (!wroteDeleted && isNothing(recordOf(tables, email))) return USER_NOT_FOUND
  if (!tables.managers.has(email)) return undefined
  if (!by.isOperator) return { _tag: 'InsufficientRole', role: 'super-admin' } as const
  return leavesNoOperator(tables, email) ? LAST_OPERATOR : undefined
}

/** Personal data in memory. */
export const memoryPersonalData = (tables: Tables): PersonalData => ({
  erase:
    (email, now, act, by = { isOperator: true }) =>
    async () => {
      const refused = refusalOf(tables, email, by)
      if (refused !== undefined) return E.left(refused)
      erase(tables, email, now)
      const images = eraseCopies(tables, email)
      recordUserAct(tables, act && { ...act, at: now }, email)
      tables.userNumbers.delete(email)
      return E.right(images)
    },
  find: (email) => TE.fromIO(() => recordOf(tables, email)),
  search: (text, most) =>
    TE.fromIO(() => {
      const matching = addressesOf(tables).filter((email) => email.includes(text))
      const exact = matching.filter((email) => email === text)
      return [...new Set([...exact, ...matching])].slice(0, most).map(foundIn(tables))
    }),
  addressOf: (number) =>
    TE.fromIO(() => {
      const [found] = [...tables.userNumbers].filter(([, one]) => one === number)
      return O.fromNullable(found?.[0])
    }),
})
