import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ManagerName, NumberedManager } from '../../people/manager.ts'
import type { ManagerPorts } from '../../ports/of-managers.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of GET /people. */
export const ListPeople = parameters({ name: 'ListPeople', required: {}, optional: {} })
export type ListPeople = typeof ListPeople._A

/** A manager as the history names people: by number, with the name for pages (K1). */
export interface Person {
  readonly number: number
  readonly name: ManagerName
}

/** Lists the names of managers by their numbers in the history, without addresses (K1). */
export const makeListPeople =
  (ports: Pick<ManagerPorts, 'managers'>) =>
  (
    caller: Caller,
    _parameters: ListPeople,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Person>> =>
    permitted(
      'listPeople',
      caller,
    )(() =>
      TE.map((all: ReadonlyArray<NumberedManager>) =>
        all.map(({ number, manager: { name } }): Person => ({ number, name })),
      )(ports.managers.numbered()),
    )
