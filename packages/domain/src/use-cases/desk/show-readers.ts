import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { matchesFeed, matchesLibrary } from '../../content/finding.ts'
import { ITEM_NOT_FOUND, type ItemNotFound } from '../../content/model.ts'
import { todayFor, type VisibilityPolicy } from '../../content/rules.ts'
import { type Reader, readersOf } from '../../desk/readers.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { LocalDate } from '../../values/time.ts'

/** Parameters of GET /library/<itemId>/readers and GET /feed/<itemId>/readers. */
export const ShowReaders = parameters({ name: 'ShowReaders', required: { itemId: ItemId }, optional: {} })
export type ShowReaders = typeof ShowReaders._A

type Shown = TE.TaskEither<InsufficientScope | ItemNotFound | Unavailable, ReadonlyArray<Reader>>

const libraryReaders = readersOf(matchesLibrary, (asked) => asked)
const feedReaders = readersOf(matchesFeed, (asked) => ({ ...asked, kind: O.none }))

const show = <Item>(
  caller: Caller,
  find: TE.TaskEither<Unavailable, O.Option<Item>>,
  readers: (item: Item) => ReadonlyArray<Reader>,
): Shown =>
  permitted(
    'showReaders',
    caller,
  )(() =>
    pipe(find, TE.flatMap(TE.fromOption((): ItemNotFound | Unavailable => ITEM_NOT_FOUND)), TE.map(readers)),
  )

const embargoOf = (policy: VisibilityPolicy, ports: Pick<OperationsPorts, 'clock'>): O.Option<LocalDate> =>
  policy.embargo ? O.some(todayFor(policy, ports.clock)) : O.none

/** Shows which kinds of readers get a publication today, by the rule that lists follow (A3, C9). */
export const makeShowLibraryReaders =
  (ports: Pick<OperationsPorts, 'libraryItems' | 'clock'>, policy: VisibilityPolicy) =>
  (caller: Caller, { itemId }: ShowReaders): Shown =>
    show(caller, ports.libraryItems.find(itemId), (item) => libraryReaders(item, embargoOf(policy, ports)))

/** Shows which kinds of readers get a post, by the rule that lists follow (A3). */
export const makeShowFeedReaders =
  (ports: Pick<OperationsPorts, 'feedItems' | 'clock'>, policy: VisibilityPolicy) =>
  (caller: Caller, { itemId }: ShowReaders): Shown =>
    show(caller, ports.feedItems.find(itemId), (item) => feedReaders(item, embargoOf(policy, ports)))
