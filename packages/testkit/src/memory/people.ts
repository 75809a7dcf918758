import { type Author, compareCursors, feedCursor, type LeftTopics } from '@almoner/domain/content'
import {
  type Audience,
  DEVICE_NOT_FOUND,
  type Device,
  type DeviceId,
  type DeviceKind,
  deviceKeys,
  type ImportedUser,
  isInAudience,
  matchesFilter,
  type NamedDevice,
  NO_ACTING_USER,
  newUser,
  preferenceChanges,
  type User,
  unknownTopics,
  withPreference,
} from '@almoner/domain/people'
import type { DeadDevices, Devices, FeedAuthors, Users } from '@almoner/domain/ports'
import type { DeviceIdentity, Email, ItemId, LabelId } from '@almoner/domain/values'
import { compareText } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStillBound, withReceipt } from './access.ts'
import { recordAct, recordUserAct } from './history.ts'
import { putUser, type Tables } from './tables.ts'
import { paginate } from './values.ts'

/** A device with the store's number, in the order of attachment. */
interface Numbered {
  readonly id: DeviceId
  readonly device: Device
}

/** The devices of an audience, in order. */
export const audienceOf = ({ users, devices }: Tables, audience: Audience): ReadonlyArray<Numbered> =>
  [...devices.values()]
    .filter(({ device }) => {
      const user = users.get(device.email)
      return user !== undefined && isInAudience(user, audience)
    })
    .sort((a, b) => a.id - b.id)

/** Returns an unused device number. */
const nextDeviceId = (tables: Tables): DeviceId => {
  tables.lastDevice += 1
  return tables.lastDevice as DeviceId
}

const isChange = (before: Device | undefined, after: Device): boolean =>
  before?.email !== after.email || before.kind !== after.kind

/** Returns the keys of the stored devices that are a named one (F4). */
const sameDevices = <A>(
  stored: ReadonlyMap<DeviceIdentity, A>,
  named: NamedDevice,
  deviceOf: (one: A) => Device,
): ReadonlyArray<DeviceIdentity> => {
  const { identity, otherwise } = deviceKeys(named)
  const isSame = (key: DeviceIdentity): boolean => {
    const found = stored.get(key)
    return found !== undefined && (key === identity || deviceOf(found).token === named.token)
  }
  return [identity, ...otherwise].filter(isSame)
}

/** Puts a device in the place of all that are the same one. Returns whether that is more than a renewal. */
const put = (tables: Tables, device: Device): boolean => {
  const { devices, deadDevices } = tables
  const held = sameDevices(devices, device, (one) => one.device)
  const own = held.map((key) => devices.get(key)).find((one) => one?.device.email === device.email)
  for (const key of held) devices.delete(key)
  for (const key of sameDevices(deadDevices, device, (one) => one.device)) deadDevices.delete(key)
  devices.set(deviceKeys(device).identity, { id: own?.id ?? nextDeviceId(tables), device })
  return isChange(own?.device, device)
}

/** Devices in memory. A moved device gets a new number with its new user. */
export const memoryDevices = (tables: Tables): Devices => {
  const { users, devices } = tables
  return {
    ofUser: (email) => ({
      batches: (async function* () {
        const theirs = [...devices.values()].filter(({ device }) => device.email === email)
        if (theirs.length > 0) yield theirs.sort((a, b) => a.id - b.id).map(({ device }) => device)
      })(),
      next: { _tag: 'None' },
    }),
    attach: (device, receipt, act) => async () => {
      if (!isStillBound(tables, act)) return E.left(NO_ACTING_USER)
      const attached = withReceipt(tables, receipt, (): E.Either<never, Device> => {
        if (!users.has(device.email)) putUser(tables, newUser(device.email))
        if (put(tables, device)) recordUserAct(tables, act, device.email)
        return E.right(device)
      })
      return E.map(() => undefined)(attached)
    },
    detach: (email, named, act) => async () => {
      if (!isStillBound(tables, act)) return E.left(NO_ACTING_USER)
      const held = sameDevices(devices, named, (one) => one.device)
      const own = held.filter((key) => devices.get(key)?.device.email === email)
      if (own.length === 0) return E.left(DEVICE_NOT_FOUND)
      for (const key of own) devices.delete(key)
      recordUserAct(tables, act, email)
      return E.right(undefined)
    },
    audience: (audience) =>
      TE.fromIO(() => {
        const counts: Record<DeviceKind, number> = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
        for (const { device } of audienceOf(tables, audience))
          counts[device.kind] = (counts[device.kind] ?? 0) + 1
        return counts
      }),
    followers: (audience) =>
      TE.fromIO(() => {
        const people = audienceOf(tables, audience).map(({ device: { email } }) => email)
        const follow = (email: Email) => (users.get(email)?.topics.length ?? 0) > 0
        return new Set(people.filter((email) => O.isSome(audience.labelId) && follow(email))).size
      }),
    countUnroutable: () =>
      TE.fromIO(() => [...devices.values()].filter(({ device }) => device.kind === 'unroutable').length),
  }
}

/** Users in memory. */
export const memoryUsers = (tables: Tables): Users => {
  const { users } = tables
  const strangers = (changes: ReadonlyArray<Pick<ImportedUser, 'topics'>>) =>
    unknownTopics(changes, (id) => tables.labels.some(({ labelId }) => labelId === id))
  return {
    find: (email) => TE.fromIO(() => O.fromNullable(users.get(email))),
    all: async function* () {
      if (users.size > 0) yield [...users.values()].sort((a, b) => compareText(a.email, b.email))
    },
    prefer: (email, change, act) => async () => {
      if (!isStillBound(tables, act)) return E.left(NO_ACTING_USER)
      const unknown = strangers([change])
      if (unknown !== undefined) return E.left(unknown)
      const before = users.get(email)
      const user = withPreference(before ?? newUser(email), change)
      putUser(tables, user)
      const changes = preferenceChanges(before, user)
      if (changes.length > 0) recordUserAct(tables, act, email, changes)
      return E.right(user)
    },
    putAll: (all, act) => async () => {
      const unknown = strangers(all)
      if (unknown !== undefined) return E.left(unknown)
      const whole = all.map(
        (user): User => ({
          ...user,
          topics: user.topics ?? users.get(user.email)?.topics ?? [],
        }),
      )
      const changed = whole.filter((user) => preferenceChanges(users.get(user.email), user).length > 0)
      for (const user of whole) putUser(tables, user)
      if (changed.length > 0) recordAct(tables, act, { kind: 'users', id: '' })
      return E.right(undefined)
    },
  }
}

/** Dead devices in memory, in the order in which they were detached. */
export const memoryDeadDevices = (tables: Tables): DeadDevices => {
  const { deadDevices, devices, users } = tables
  return {
    list: (which) => ({
      batches: (async function* () {
        const found = [...deadDevices.values()].filter((one) => matchesFilter(one, which))
        if (found.length > 0) yield found
      })(),
      next: { _tag: 'None' },
    }),
    restore: (which, act) =>
      TE.fromIO(() => {
        const found = [...deadDevices.values()].filter((one) => matchesFilter(one, which))
        for (const { device } of found) {
          const { identity } = deviceKeys(device)
          deadDevices.delete(identity)
          if (!users.has(device.email)) putUser(tables, newUser(device.email))
          devices.set(identity, { id: nextDeviceId(tables), device })
        }
        if (found.length > 0) recordAct(tables, act, { kind: 'users', id: '' })
        return found.length
      }),
    purge: (upto) =>
      TE.fromIO(() => {
        const old = [...deadDevices.values()].filter(({ detachedAt }) => detachedAt <= upto)
        for (const { device } of old) deadDevices.delete(deviceKeys(device).identity)
        return old.length
      }),
  }
}

/** Takes labels that are not kept from every preference (F6). */
export const leaveTopics = (tables: Tables, kept: ReadonlySet<LabelId>): LeftTopics => {
  const followers = [...tables.users.values()].filter(({ topics }) => topics.some((id) => !kept.has(id)))
  const after = followers.map((user) => ({ ...user, topics: user.topics.filter((id) => kept.has(id)) }))
  for (const user of after) putUser(tables, user)
  return { people: after.length, everything: after.filter(({ topics }) => topics.length === 0).length }
}

/** Authors of posts in memory. */
export const memoryFeedAuthors = ({ feed, authors }: Tables): FeedAuthors => ({
  list: ({ email, lang }, page) =>
    TE.fromIO(() => {
      const isOwn = (id: ItemId) => {
        const author = authors.get(id)
        return author !== undefined && O.isSome(author.email) && author.email.value === email
      }
      const own = [...feed.values()]
        .filter((item) => isOwn(item.id) && (O.isNone(lang) || lang.value === item.lang))
        .sort((a, b) => compareCursors(feedCursor(a), feedCursor(b)))
      return paginate(own, page, feedCursor, compareCursors)
    }),
  ofPosts: (ids) =>
    TE.fromIO(
      () =>
        new Map(
          ids.flatMap((id): ReadonlyArray<readonly [ItemId, Author]> => {
            const author = authors.get(id)
            return author === undefined ? [] : [[id, author]]
          }),
        ),
    ),
})
