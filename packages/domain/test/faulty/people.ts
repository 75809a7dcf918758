import type { DeadDevice, User } from '@almoner/domain/people'
import { addMillis, collect, type Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { batches, changed, type Faults } from './faults.ts'

/** Faults of users and dead devices. */
export const PEOPLE_FAULTS: Faults<'users' | 'deadDevices'> = {
  users: {
    'makes users who are not subscribed': [
      'F2: a first preference creates the user, subscribed',
      ({ find, prefer }) => ({
        prefer: (email, change, act) =>
          pipe(
            find(email),
            TE.flatMap((found) =>
              prefer(email, O.isSome(found) ? change : { subscribed: false, ...change }, act),
            ),
          ),
      }),
    ],
    'resets what a preference does not name': [
      'F2: a partial preference keeps the other value',
      ({ prefer }) => ({ prefer: (email, change, act) => prefer(email, { lang: 'en', ...change }, act) }),
    ],
    'changes a user that it has read before': [
      'F2: concurrent preferences are applied one after another',
      ({ find, prefer }) => ({
        prefer: (email, change, act) => async () => {
          const found = await find(email)()
          const before: Partial<User> = E.isRight(found) && O.isSome(found.right) ? found.right.value : {}
          const { lang = 'en', subscribed = true } = { ...before, ...change }
          return prefer(email, { lang, subscribed }, act)()
        },
      }),
    ],
    'accepts topics that are no labels': [
      'F6: topics that are no labels fail',
      ({ prefer }) => ({
        prefer: (email, change, act) =>
          pipe(
            prefer(email, change, act),
            TE.orElse((failure) =>
              failure._tag === 'UnknownTopics'
                ? prefer(email, { ...change, topics: [] }, act)
                : TE.left(failure),
            ),
          ),
      }),
    ],
    'sorts topics': [
      'F6: topics are stored as they are given',
      ({ prefer }) => ({
        prefer: (email, { topics, ...change }, act) =>
          prefer(email, { ...change, ...(topics && { topics: topics.toSorted().toReversed() }) }, act),
      }),
    ],
    'follows everything after an import without topics': [
      'F6: an import without topics leaves them',
      ({ putAll }) => ({
        putAll: (users, act) =>
          putAll(
            users.map((user) => ({ ...user, topics: user.topics ?? [] })),
            act,
          ),
      }),
    ],
    'stores a hundred topics': [
      'F6: topics of any identifier are kept, a thousand of them',
      ({ prefer }) => ({
        prefer: (email, { topics, ...change }, act) =>
          prefer(email, { ...change, ...(topics && { topics: topics.slice(0, 100) }) }, act),
      }),
    ],
    'replaces all users by an import': [
      'F2: an import creates and replaces users, and keeps the others',
      ({ all, putAll }) => {
        let latest: ReadonlySet<Email> = new Set()
        return {
          putAll: (users, act) => {
            latest = new Set(users.map(({ email }) => email))
            return putAll(users, act)
          },
          all: () => batches(all(), (batch) => batch.filter(({ email }) => latest.has(email))),
        }
      },
    ],
    'keeps the earlier row of an email': [
      'F2: if an email occurs twice in an import',
      ({ putAll }) => ({ putAll: (users, act) => putAll(users.toReversed(), act) }),
    ],
    'lists users in the order of UTF-16 units': [
      'emails are ordered by code points',
      ({ all }) => ({
        all: () => batches(all(), (batch) => [...batch].sort((a, b) => (a.email < b.email ? -1 : 1))),
      }),
    ],
    'lists 1,000 users': [
      'users are listed by email',
      ({ all }) => ({ all: () => batches(all(), (batch) => batch.slice(0, 1000)) }),
    ],
    'lists users while they are written': [
      'users are read from one snapshot',
      ({ all }) => ({
        all: async function* () {
          let shown = 0
          for (let more = true; more; ) {
            const users: Array<User> = []
            for await (const batch of all()) users.push(...batch)
            const batch = users.slice(shown, shown + 500)
            shown += batch.length
            more = batch.length > 0
            if (more) yield batch
          }
        },
      }),
    ],
    'leaves no record of a preference': [
      'K1: users appear as numbers',
      ({ prefer }) => ({ prefer: (email, change) => prefer(email, change) }),
    ],
    'records an import that changes nothing': [
      'K1: an import of users leaves a record if it changes one',
      ({ putAll }) => ({
        putAll: (users, act) =>
          pipe(
            putAll(users.map((user) => ({ ...user, subscribed: !user.subscribed }))),
            TE.flatMap(() => putAll(users, act)),
          ),
      }),
    ],
  },
  deadDevices: {
    'ignores since': [
      'G5: dead devices can be listed, and restored unchanged',
      ({ list }) => ({ list: (which) => list({ ...which, since: O.none }) }),
    ],
    'lists devices of no provider': [
      'G5: dead devices can be listed',
      ({ list }) => ({
        list: (which) => changed(list(which), (batch) => (O.isSome(which.provider) ? [] : batch)),
      }),
    ],
    'restores devices of all providers': [
      'G5: dead devices can be listed, and restored unchanged',
      ({ restore }) => ({ restore: (which, act) => restore({ ...which, provider: O.none }, act) }),
    ],
    'dates a restored device by its detachment': [
      'G5: dead devices can be listed, and restored unchanged',
      ({ list, restore }, { devices }) => ({
        restore: (which, act) => async () => {
          const dead: ReadonlyArray<DeadDevice> = await collect(list(which))
          const restored = await restore(which, act)()
          for (const { device, detachedAt } of dead)
            await devices.attach({ ...device, attachedAt: detachedAt })()
          return restored
        },
      }),
    ],
    'lists the latest first': [
      'G5: dead devices can be listed',
      ({ list }) => ({ list: (which) => changed(list(which), (batch) => batch.toReversed()) }),
    ],
    'purges younger devices': [
      'G5: purging deletes dead devices that are old enough',
      ({ purge }) => ({ purge: (upto) => purge(addMillis(upto, 1000)) }),
    ],
    'keeps devices of that moment': [
      'G5: purging deletes dead devices that are old enough',
      ({ purge }) => ({ purge: (upto) => purge(addMillis(upto, -1)) }),
    ],
    'lists devices that were attached again': [
      'F4: attaching a device by any text takes it off the list of the dead',
      ({ list }) => {
        let most: ReadonlyArray<DeadDevice> = []
        return {
          list: (which) =>
            changed(list(which), (batch) => {
              if (batch.length > most.length) most = batch
              return most
            }),
        }
      },
    ],
    'leaves no record of a restoration': [
      'G5, K1: restoring dead devices leaves a record',
      ({ restore }) => ({ restore: (which) => restore(which) }),
    ],
    'records a restoration of no device': [
      'G5, K1: restoring no dead device leaves no record',
      ({ restore }, { labels }) => ({
        restore: (which, act) => async () => {
          await labels.replaceAll([{ labelId: 'x', en: 'x', fr: 'x' } as never], act)()
          return restore(which, act)()
        },
      }),
    ],
  },
}
