import {
  EVERYTHING,
  type Listing,
  type Unavailable,
  type Users,
  unavailable,
  type Window,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Every item, whoever may see it; every notification too. */
const ALL = { sight: { kind: 'everything' }, lang: O.none, kind: O.none } as const

/** What has a title: an item or a notification. */
interface Titled {
  readonly title: string
}

interface Shelf<Item> {
  list(query: typeof ALL, window: Window<never>): TE.TaskEither<Unavailable, Listing<Item, unknown>>
}

const byTitle = async <Item extends Titled>({ batches }: Listing<Item, unknown>) => {
  const items = new Map<string, Item>()
  for await (const batch of batches) for (const item of batch) items.set(item.title, item)
  return items
}

const listed = <Item extends Titled>(shelf: Shelf<Item>, window: Window<never>) =>
  pipe(
    shelf.list(ALL, window),
    TE.flatMap((listing) => TE.tryCatch(() => byTitle(listing), unavailable)),
  )

/** What stands on a shelf by its titles, which tell one piece of demonstration content from another. */
export const heldItems = <Item extends Titled>(
  shelf: Shelf<Item>,
): TE.TaskEither<Unavailable, ReadonlyMap<string, Item>> => listed(shelf, EVERYTHING)

/** Whether nothing stands on a shelf. */
export const isBare = (shelf: Shelf<Titled>): TE.TaskEither<Unavailable, boolean> =>
  pipe(
    listed(shelf, { ...EVERYTHING, lim: O.some(1) }),
    TE.map(({ size }) => size === 0),
  )

/** Whether nobody is known. */
export const isDeserted = (users: Users): TE.TaskEither<Unavailable, boolean> =>
  TE.tryCatch(async () => {
    for await (const batch of users.all()) if (batch.length > 0) return false
    return true
  }, unavailable)
