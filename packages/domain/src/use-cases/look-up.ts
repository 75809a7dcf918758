import type * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ITEM_NOT_FOUND, type ItemNotFound } from '../items/item.ts'
import type { ItemStore } from '../ports/item-store.ts'
import type { ItemId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'

/** Looks before costly work whether it would be allowed; the write itself asks again, atomically. */
export const lookUp = <Item, E>(
  store: Pick<ItemStore<Item, Item, never, never>, 'find'>,
  id: ItemId,
  allows: (item: Item) => E.Either<E, unknown>,
): TE.TaskEither<E | ItemNotFound | Unavailable, void> =>
  pipe(
    store.find(id),
    TE.flatMap(TE.fromOption((): E | ItemNotFound | Unavailable => ITEM_NOT_FOUND)),
    TE.flatMapEither(allows),
    TE.map(() => undefined),
  )
