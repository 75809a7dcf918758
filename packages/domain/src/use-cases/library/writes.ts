import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../../access/acts.ts'
import {
  checkPrecondition,
  type IllegalTransition,
  type Precondition,
  type PreconditionFailed,
} from '../../items/item.ts'
import { editLibraryItem, type LibraryEdit } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import { todayFor } from '../../items/visibility.ts'
import { type MediaAddresses, mentionedBy, type StoredImage, storedAmong } from '../../media/model.ts'
import type { ItemWrite } from '../../ports/item-store.ts'
import type { ContentPolicy, ContentPorts } from '../../ports/of-content.ts'
import type { ItemId } from '../../values/ids.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import { changeItem } from '../change-item.ts'
import type { UpdateError } from '../failures.ts'

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const libraryWrite = <I extends LibraryItem>(
  addresses: MediaAddresses,
  item: I,
  act: Act,
  storesImages: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  storesImages,
  displaysImages: storedAmong([item.images.cover, item.images.notification]),
  act,
  linksToImages: mentionedBy(addresses, [O.some(item.link)]),
})

/** What an edit of a library item needs. */
export type EditPorts = Pick<ContentPorts, 'libraryItems' | 'clock' | 'mediaAddresses' | 'mediaStore'>

/** Edits an item and moves it between its states (C5, C6), under the writer's expectation (C10). */
export const makeWriteLibraryEdit =
  (ports: EditPorts, policy: Pick<ContentPolicy, 'timeZone'>) =>
  (
    itemId: ItemId,
    sent: LibraryEdit,
    expected: Precondition,
    act: Act,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<UpdateError, LibraryItem> => {
    const edit = editLibraryItem(sent, ports.clock.now(), todayFor(policy, ports.clock))
    const decide = (current: LibraryItem) =>
      pipe(
        checkPrecondition(expected)(current),
        E.flatMap(
          (item): E.Either<PreconditionFailed | IllegalTransition | ValidationFailed, LibraryItem> =>
            edit(item),
        ),
        E.map((item) => libraryWrite(ports.mediaAddresses, item, act)),
      )
    return changeItem(ports.libraryItems, ports.mediaStore, itemId, decide, receipt)
  }
