import type * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../access/acts.ts'
import type { HasCounterpart } from '../items/counterparts.ts'
import type { ItemNotFound } from '../items/item.ts'
import type { MediaName } from '../media/model.ts'
import type { MediaStore } from '../media/ports.ts'
import type { ImageMissing, ItemStore, ItemWrite } from '../ports/item-store.ts'
import type { ItemId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'

/** Changes an item, then deletes the files that no item points to any more (D5). Gives the item as it is now. */
export const changeItem = <Item, E>(
  store: Pick<ItemStore<Item, Item, never, never>, 'change'>,
  mediaStore: Pick<MediaStore, 'remove'>,
  id: ItemId,
  decide: (current: Item) => E.Either<E, ItemWrite<Item>>,
  receipt?: Receipt<Item>,
): TE.TaskEither<E | ItemNotFound | ImageMissing | HasCounterpart | Unavailable, Item> =>
  pipe(
    store.change(id, decide, receipt),
    TE.tap(({ orphans }) => discard(mediaStore, orphans)),
    TE.map(({ item }) => item),
  )

/**
 * Deletes files that nothing points to any more. A file that will not go is left to the sweep (D5): what the caller asked
 * for has been done already, so this never fails.
 */
export const discard =
  (mediaStore: Pick<MediaStore, 'remove'>, names: ReadonlyArray<MediaName>): TE.TaskEither<never, void> =>
  async () => {
    await Promise.all(names.map((name) => mediaStore.remove(name)()))
    return { _tag: 'Right', right: undefined }
  }
