import { type Manager, type Session, tooManyCopies } from '@almoner/domain/managers'
import { addMillis, type Email } from '@almoner/domain/values'
import { done, MANAGER_NOW, openByLink, sampleDigest, sampleManager } from '@almoner/testkit/contracts'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, ignoring, returning } from './faults.ts'
import type { TestedPorts } from './suites.ts'

/** Returns the sessions of a manager. */
const sessionsOf = ({ sessions }: TestedPorts, email: Email) => done(sessions.of(email, MANAGER_NOW))

/** Faults of managers and their working copies. */
export const MANAGER_FAULTS: Faults<'managers' | 'waitingFeeds' | 'workingCopies'> = {
  managers: {
    'loses the duty': [
      'M2: a manager is found with name, language and duty',
      ({ add }) => ({ add: (manager, act) => add({ ...manager, duty: 'operator' }, act) }),
    ],
    'lists managers in the order of their addition': [
      'M2: a manager is found with name',
      ({ add, all }) => {
        const added: Array<string> = []
        const place = ({ email }: Manager) => added.indexOf(email)
        return {
          add: (manager, act) => {
            added.push(manager.email)
            return add(manager, act)
          },
          all: returning(all, (some) => [...some].sort((a, b) => place(a) - place(b))),
        }
      },
    ],
    'accepts a manager of a known address': [
      'M2: a manager is found with name',
      ({ add }) => ({ add: (...given) => ignoring('ManagerExists')(add(...given)) }),
    ],
    'gives numbers by address': [
      'K1: managers who have signed in are listed by their number',
      ({ numbered }) => ({
        numbered: returning(numbered, (all) => all.map((one, n) => ({ ...one, number: n + 7 }))),
      }),
    ],
    'resets what a change does not name': [
      'M2: a change keeps what it does not name',
      ({ change }) => ({ change: (email, given, by) => change(email, { lang: 'fr', ...given }, by) }),
    ],
    'keeps a time zone that is removed': [
      'M2: a time zone is chosen and removed',
      ({ change }) => ({
        change: (email, { timeZone, ...given }, by) =>
          change(email, { ...given, ...(timeZone ? { timeZone } : {}) }, by),
      }),
    ],
    'opens the sessions of a disabled manager again': [
      'M4: sessions and links after {"disabled":true}',
      ({ change }, ports) => {
        let ended: ReadonlyArray<Session> = []
        return {
          change: (email, given, by) => async () => {
            if (given.disabled === true) ended = await sessionsOf(ports, email)
            const changed = await change(email, given, by)()
            if (given.disabled === false) for (const session of ended) await openByLink(ports, session)
            return changed
          },
        }
      },
    ],
    'ends sessions after a change of the language': [
      'M4: sessions and links after {"lang":"en"}',
      ({ change }, { sessions }) => ({
        change: (email, given, by) =>
          pipe(
            sessions.endAll(email),
            TE.flatMap(() => change(email, given, by)),
          ),
      }),
    ],
    'disables the last operator': [
      'L4: the last enabled operator is not disabled',
      ({ change, find }) => ({
        change: (email, given, by) =>
          pipe(
            change(email, given, by),
            TE.orElse((left) =>
              left._tag !== 'LastOperator'
                ? TE.left(left)
                : pipe(
                    find(email),
                    TE.map((found) => ({ ...(O.toNullable(found) as Manager), ...given }) as Manager),
                  ),
            ),
          ),
      }),
    ],
    'accepts changes from a session that has ended': [
      'M4: of two operators who have each other disabled at a time, one wins',
      ({ change }) => ({ change: (email, given) => change(email, given) }),
    ],
    'leaves no record of a change': [
      'K1, M2: managers appear as numbers, without address and name',
      ({ change }) => ({ change: (email, given, { act: _act, ...by } = {}) => change(email, given, by) }),
    ],
  },
  waitingFeeds: {
    'keeps the earlier address': [
      'M14: a feed is found by its digest until it is replaced or removed',
      ({ find, put }) => {
        const made = new Map<string, Email>()
        return {
          put: (feed, by) => {
            made.set(feed.digest, feed.email)
            return put(feed, by)
          },
          find: (digest) => (made.has(digest) ? TE.right(O.some(sampleManager('ada'))) : find(digest)),
        }
      },
    ],
    'makes feeds for sessions that have ended': [
      'A9: who is unknown or disabled, or has no session any more',
      ({ put }) => ({ put: (feed) => put(feed) }),
    ],
    'lets a feed outlive a change of duty': [
      'M14: the feed of a manager who is given another duty ends',
      ({ find, put }, { managers }) => {
        const made = new Map<string, Email>()
        return {
          put: (feed, by) => {
            made.set(feed.digest, feed.email)
            return put(feed, by)
          },
          find: (digest) => (made.has(digest) ? managers.find(made.get(digest) as Email) : find(digest)),
        }
      },
    ],
    'leaves a record where nothing was removed': [
      'K1, L2: making and removing a feed leave records',
      ({ put, remove }) => ({
        remove: (email, by) =>
          pipe(
            put({ digest: sampleDigest(99), email, madeAt: MANAGER_NOW }),
            TE.flatMap(() => remove(email, by)),
          ),
      }),
    ],
  },
  workingCopies: {
    'replaces the copy of another tab': [
      'M12: a copy of another tab is neither replaced nor deleted unseen',
      ({ put }) => ({ put: (copy) => put(copy) }),
    ],
    'deletes the copy of another tab': [
      'M12: a copy of another tab is neither replaced nor deleted unseen',
      ({ remove }) => ({ remove: (email, key, at) => remove(email, key, at) }),
    ],
    'trims what was typed': [
      'M7: a working copy is stored as it was typed',
      ({ put }) => ({
        put: (copy) =>
          put({
            ...copy,
            fields: Object.fromEntries(
              Object.entries(copy.fields).map(([name, text]) => [name, text?.replaceAll('\u0000', '')]),
            ),
          }),
      }),
    ],
    'removes copies of other managers': [
      'M7: a working copy is stored as it was typed, for its manager only',
      ({ remove }, { managers }) => ({
        remove: (_, key, at) =>
          pipe(
            managers.all(),
            TE.flatMap(TE.traverseArray(({ email }) => remove(email, key, at))),
            TE.map(() => undefined),
          ),
      }),
    ],
    'lists the oldest copy first': [
      'M7: copies are listed by their latest change',
      ({ of }) => ({
        of: returning(of, (all) => all.toReversed()),
      }),
    ],
    'stores 199 copies at most': [
      'M7: a manager has at most 200 copies',
      ({ of, put }) => ({
        put: (copy) =>
          pipe(
            of(copy.email),
            TE.flatMap((all) => (all.length < 199 ? put(copy) : TE.left(tooManyCopies()))),
          ),
      }),
    ],
    'stores copies of unknown managers': [
      'M7: an unknown manager has no copies',
      ({ put }) => ({
        put: (copy) =>
          pipe(
            put(copy),
            TE.orElse((error) =>
              error._tag === 'ManagerNotFound' ? TE.right(copy.updatedAt) : TE.left(error),
            ),
          ),
      }),
    ],
    'purges copies that were changed at the moment': [
      'M7: purging deletes copies that were changed before a moment',
      ({ purge }) => ({ purge: (before) => purge(addMillis(before, 1)) }),
    ],
    'stores images for unknown managers': [
      'D5, M7: a copy holds its images',
      ({ addImage }) => ({
        addImage: (...given) =>
          pipe(
            addImage(...given),
            TE.orElse((error) => (error._tag === 'ManagerNotFound' ? TE.right([]) : TE.left(error))),
          ),
      }),
    ],
    'loses the images of a copy': [
      'D5, M7: a copy holds its images',
      ({ addImage, remove }) => ({
        addImage: (email, key, ...given) =>
          pipe(
            addImage(email, key, ...given),
            TE.tap(() => TE.fromTask(remove(email, key, MANAGER_NOW))),
          ),
      }),
    ],
    'releases the images of a removed copy an hour too early': [
      'D5, M7: a copy holds its images',
      ({ remove }) => ({
        remove: (email, key, at, expected) => remove(email, key, addMillis(at, -3_600_000), expected),
      }),
    ],
    'holds no image that fields name': [
      'D5, M7: a copy holds its images',
      ({ put }) => ({
        put: (copy, expected) => put({ ...copy, fields: { ...copy.fields, images: '{}' } }, expected),
      }),
    ],
    'releases the newest of too many images': [
      'D5: of more images than a manager may have',
      ({ addImage }) => ({
        addImage: (email, key, image, at) =>
          addImage(email, key, image, addMillis(MANAGER_NOW, MANAGER_NOW - at)),
      }),
    ],
    'keeps images without a copy for too long': [
      'M7, D5: purging copies releases their images',
      ({ purge }) => ({ purge: (before) => purge(addMillis(before, -1)) }),
    ],
  },
}
