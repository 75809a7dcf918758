import type { PersonalRecord } from '@almoner/domain/personal-data'
import type { Email } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning, withoutTopics } from './faults.ts'

const NO_IMAGES_WRITTEN = { storesImages: [], displaysImages: [], linksToImages: [] }

const without =
  (change: (found: PersonalRecord) => Partial<PersonalRecord>) =>
  (found: PersonalRecord): PersonalRecord => ({ ...found, ...change(found) })

const find =
  (
    change: (found: PersonalRecord) => Partial<PersonalRecord>,
  ): Faults<'personalData'>['personalData'][string][1] =>
  (port) => ({ find: (email) => pipe(port.find(email), TE.map(without(change))) })

/** Faults of access to personal data and of its erasure. */
export const PERSONAL_DATA_FAULTS: Faults<'personalData'> = {
  personalData: {
    'omits dead devices': ['L2: everything that is stored about a person', find(() => ({ deadDevices: [] }))],
    'omits stored responses': [
      'L2: everything that is stored about a person',
      find(() => ({ responses: [] })),
    ],
    'omits tokens': ['L2: everything that is stored about a person', find(() => ({ tokens: [] }))],
    'omits posts': ['L2: everything that is stored about a person', find(() => ({ posts: [] }))],
    'omits working copies': [
      'L1, L2: erasing a person who is a manager',
      find(() => ({ workingCopies: [] })),
    ],
    'omits proposals': ['the name of an author who is erased goes', find(() => ({ proposals: [] }))],
    'leaves the user': [
      'L1: nothing of an erased person is left',
      ({ erase }, { users }) => ({
        erase: (email, ...more) =>
          pipe(
            users.find(email),
            TE.flatMap((user) =>
              pipe(
                erase(email, ...more),
                TE.tap(() => withoutTopics(users.putAll(O.isSome(user) ? [user.value] : []))),
              ),
            ),
          ),
      }),
    ],
    'keeps the reasons for posts': [
      'L1, L3: the reasons for the posts of an erased person go',
      ({ erase, find: found }, { feedItems }) => ({
        erase:
          (email, ...more) =>
          async () => {
            const { posts } = await done(found(email))
            const erased = await erase(email, ...more)()
            for (const { id, reason } of posts)
              await done(
                feedItems.change(id, (item) =>
                  E.right({ ...NO_IMAGES_WRITTEN, item: { ...item, reason } as typeof item }),
                ),
              )
            return erased
          },
      }),
    ],
    'erases clients of the person': [
      'L1: nothing of an erased person is left, and all of others',
      ({ erase }, { clients }) => ({
        erase:
          (email, ...more) =>
          async () => {
            const all = await done(clients.overview())
            const erased = await erase(email, ...more)()
            for (const { client, secrets } of all)
              if (O.toUndefined(client.email) === email)
                await done(clients.withdraw(client.id, secrets[0]?.hash ?? ''))
            return erased
          },
      }),
    ],
    'keeps the bytes of images that only erased copies showed': [
      'L1, D5: erasing a manager forgets the images',
      ({ erase }) => ({
        erase: (...given) =>
          pipe(
            erase(...given),
            TE.map(() => []),
          ),
      }),
    ],
    'takes an unknown person for erased': [
      'L1: who is unknown is not found',
      ({ erase }) => ({
        erase: (...given) =>
          pipe(
            erase(...given),
            TE.orElse((failure) => (failure._tag === 'UserNotFound' ? TE.right([]) : TE.left(failure))),
          ),
      }),
    ],
    'lets a user manager erase managers': [
      'L4: only an operator erases a manager',
      ({ erase }) => ({
        erase: (email, now, act, by) => erase(email, now, act, { ...by, isOperator: true }),
      }),
    ],
    'leaves no record of an erasure': [
      'L1, K1: erasing a person unlinks the number',
      ({ erase }) => ({ erase: (email, now, _, by) => erase(email, now, undefined, by) }),
    ],
    'lists people by address only': [
      'L1: people are found by address or a part of it, the exact one first',
      ({ search }) => ({
        search: returning(search, (found) => [...found].sort((a, b) => (a.email < b.email ? -1 : 1))),
      }),
    ],
    'takes % for any text': [
      'L1: %, _ and \\ in a part of an address stand for themselves',
      ({ search }) => ({ search: (text, most) => search(text.replace(/[%_].*/, ''), most) }),
    ],
    'finds people with a preference only': [
      'L1: people who only write posts, bind a client or are managers',
      ({ search }) => ({
        search: returning(search, (found) => found.filter(({ user }) => O.isSome(user))),
      }),
    ],
    'counts no devices': [
      'L1: a person is found with preference and number of devices',
      ({ search }) => ({
        search: returning(search, (found) => found.map((one) => ({ ...one, devices: 0 }))),
      }),
    ],
    'leads from a number to the address after the erasure': [
      'K1, L1: a found person has a number that leads to the address until it is erased',
      ({ addressOf }) => {
        const known = new Map<number, Email>()
        return {
          addressOf: returning(addressOf, (found, number) => {
            if (O.isSome(found)) known.set(number, found.value)
            return O.fromNullable(known.get(number))
          }),
        }
      },
    ],
  },
}
