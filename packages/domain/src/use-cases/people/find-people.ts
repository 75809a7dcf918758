import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  confirmRights,
  type InsufficientRole,
  type InsufficientScope,
  permitted,
  type RightsEnded,
} from '../../access/caller.ts'
import { AddressPart, type FoundPerson } from '../../people/person.ts'
import type { PersonalDataPorts } from '../../ports/of-personal-data.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

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
