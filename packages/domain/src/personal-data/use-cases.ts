import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  confirmRights,
  type InsufficientRole,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
  type RightsEnded,
} from '../access/caller.ts'
import { FeedCursor } from '../content/finding.ts'
import type { FeedItem } from '../content/model.ts'
import { discard } from '../content/writing.ts'
import type { LastOperator } from '../managers/model.ts'
import type { NoSession } from '../managers/session.ts'
import { type NoActingUser, USER_NOT_FOUND, type UserNotFound } from '../people/model.ts'
import { type OneUser, withActingUser } from '../people/preferences.ts'
import type { Email } from '../values/addresses.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../values/page.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  AddressPart,
  type FoundPerson,
  overviewOf,
  type PersonalDocument,
  PersonNumber,
  type PersonOverview,
  personalDocument,
} from './model.ts'
import type { ErasureUnfinished, PersonalDataPorts } from './ports.ts'

type EraseFailure =
  | InsufficientScope
  | InsufficientRole
  | PresenceRequired
  | NoActingUser
  | ValidationFailed
  | UserNotFound
  | LastOperator
  | NoSession
  | ErasureUnfinished
  | Unavailable

/** What an erasure needs. */
type ErasingPorts = Pick<PersonalDataPorts, 'personalData' | 'clock' | 'mediaStore'>

/** Erases a person on behalf of a caller, under the caller's name, with the images that only the person's working copies showed (L1, D5). A manager needs `super-admin` besides (L4). */
export const erasedFor = (
  { personalData, clock, mediaStore }: ErasingPorts,
  { actor, roles, session }: Caller,
  email: Email,
) =>
  pipe(
    personalData.erase(
      email,
      clock.now(),
      { actor, action: 'erase-user' },
      { isOperator: roles.has('super-admin'), ...(session !== undefined && { by: session }) },
    ),
    TE.flatMap((images) => discard(mediaStore, images)),
  )

/** Erases everything that is stored about a person. Requires the role `user-manager` (L1), for a manager also `super-admin` (L4). */
export const makeEraseUser =
  (ports: ErasingPorts) =>
  (caller: Caller, { email }: OneUser): TE.TaskEither<EraseFailure, void> =>
    permitted(
      'eraseUser',
      caller,
      ports.clock,
    )(() => withActingUser(caller, email, (subject) => erasedFor(ports, caller, subject)))

/** The most people that a search returns. */
const MOST = 20

/** Parameters of POST /users/search. */
export const FindPeople = parameters({
  name: 'FindPeople',
  required: { address: AddressPart },
  optional: {},
})
export type FindPeople = typeof FindPeople._A

/** The people that a search has found. */
export interface FoundPeople {
  readonly people: ReadonlyArray<FoundPerson>
  /** Whether there are more people who match. */
  readonly hasMore: boolean
}

/**
 * Finds people by their address or a part of it: the exact address first, then by address, at most 20. Requires the role `user-manager` (M2).
 */
export const makeFindPeople =
  (ports: Pick<PersonalDataPorts, 'personalData'>) =>
  (
    caller: Caller,
    { address }: FindPeople,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | RightsEnded | Unavailable, FoundPeople> =>
    permitted(
      'lookUpUsers',
      caller,
    )(() =>
      pipe(
        ports.personalData.search(address, MOST + 1),
        TE.tap(() => confirmRights(caller)),
        TE.map((found) => ({ people: found.slice(0, MOST), hasMore: found.length > MOST })),
      ),
    )

/** Parameters of the routes below /users/<number>. */
export const OnePerson = parameters({
  name: 'OnePerson',
  required: { number: PersonNumber },
  optional: {},
})
export type OnePerson = typeof OnePerson._A

/** Parameters of GET /users/<number>/feed. */
export const ListPostsOfPerson = parameters({
  name: 'ListPostsOfPerson',
  required: { number: PersonNumber },
  optional: { lim: Lim, offset: Offset, after: FeedCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListPostsOfPerson = typeof ListPostsOfPerson._A

type Failure = InsufficientScope | InsufficientRole | UserNotFound | Unavailable

/** Does the work for the person with a number. */
const forPerson = <A, L = never>(
  { personalData }: Pick<PersonalDataPorts, 'personalData'>,
  { number }: OnePerson,
  work: (email: Email) => TE.TaskEither<UserNotFound | Unavailable | L, A>,
): TE.TaskEither<UserNotFound | Unavailable | L, A> =>
  pipe(
    personalData.addressOf(number),
    TE.flatMap(TE.fromOption((): UserNotFound | Unavailable | L => USER_NOT_FOUND)),
    TE.flatMap(work),
  )

/** Returns an overview of a person's data, without device tokens, by number. Requires the role `user-manager` (L2, M10). */
export const makeShowPerson =
  (ports: Pick<PersonalDataPorts, 'personalData'>) =>
  (caller: Caller, one: OnePerson): TE.TaskEither<Failure, PersonOverview> =>
    permitted(
      'lookUpUsers',
      caller,
    )(() =>
      forPerson(ports, one, (email) =>
        pipe(
          ports.personalData.find(email),
          TE.map((record) => overviewOf({ number: one.number, email, record })),
        ),
      ),
    )

/** Returns everything that is stored about a person as JSON, by number. Requires the role `user-manager` and presence (L2, M10). */
export const makeExportPerson =
  (ports: Pick<PersonalDataPorts, 'clock' | 'personalData'>) =>
  (
    caller: Caller,
    one: OnePerson,
  ): TE.TaskEither<Failure | PresenceRequired | RightsEnded, PersonalDocument> =>
    permitted(
      'exportUser',
      caller,
      ports.clock,
    )(() =>
      forPerson(ports, one, (email) =>
        pipe(
          ports.personalData.find(email),
          TE.map((record) => personalDocument({ email, record })),
          TE.tap(() => confirmRights(caller)),
        ),
      ),
    )

/** Erases everything that is stored about a person, by number. Requires the role `user-manager` and presence (L1, M10), for a manager also `super-admin` (L4). */
export const makeErasePerson =
  (ports: ErasingPorts) =>
  (
    caller: Caller,
    one: OnePerson,
  ): TE.TaskEither<Failure | PresenceRequired | LastOperator | NoSession | ErasureUnfinished, void> =>
    permitted(
      'eraseUser',
      caller,
      ports.clock,
    )(() => forPerson(ports, one, (email) => erasedFor(ports, caller, email)))

/** Lists the posts that a person created, by number, in every state and newest first. Requires the role `user-manager` (L3). */
export const makeListPostsOfPerson =
  (ports: Pick<PersonalDataPorts, 'feedAuthors' | 'personalData'>) =>
  (
    caller: Caller,
    { number, ...page }: ListPostsOfPerson,
  ): TE.TaskEither<Failure, ResultSet<FeedItem, FeedCursor>> =>
    permitted(
      'lookUpUsers',
      caller,
    )(() =>
      forPerson(ports, { number }, (email) =>
        ports.feedAuthors.list({ email, lang: O.none }, pageRequest(page)),
      ),
    )
