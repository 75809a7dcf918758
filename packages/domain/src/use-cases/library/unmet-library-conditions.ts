import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { linked } from '../../items/image.ts'
import { ClearableImageUrl } from '../../items/image-parameter.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import { publishableImages } from '../../items/publication.ts'
import { Status } from '../../items/status.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { decode, type FieldFault } from '../../values/faults.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters, type RawParameters } from '../../values/parameters.ts'
import { guarded } from '../guarded.ts'
import { readField } from '../read-field.ts'

/** The part of an update that says which item is to be Live. */
const Publication = parameters({
  name: 'Publication',
  required: { itemId: ItemId, status: Status },
  optional: {},
})

/** An image as sent. */
const sentImage = (raw: RawParameters, field: 'coverImgUrl' | 'notificationImgUrl') => {
  const url = readField(ClearableImageUrl, raw, field)
  return url === undefined ? undefined : O.map(linked)(url)
}

const missing = (raw: RawParameters, held: LibraryItem['images']): ReadonlyArray<FieldFault> => {
  const images = publishableImages({
    cover: sentImage(raw, 'coverImgUrl') ?? held.cover,
    notification: sentImage(raw, 'notificationImgUrl') ?? held.notification,
  })
  return E.isLeft(images) ? images.left : []
}

/**
 * What else would keep an item from being Live, for an update that is refused already: so that one answer names every bad field,
 * those too that only the item can tell (I1, C6). Gives nothing where that part of the request cannot be read.
 */
export const makeUnmetLibraryConditions =
  (ports: Pick<Ports, 'libraryItems'>) =>
  (
    caller: Caller,
    raw: RawParameters,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<FieldFault>> =>
    guarded('updateLibraryItem', caller, () => {
      const sent = decode(Publication)(raw)
      if (E.isLeft(sent) || sent.right.status !== 'Live') return TE.right([])
      return pipe(
        ports.libraryItems.find(sent.right.itemId),
        TE.map(
          O.match(
            () => [],
            ({ images }) => missing(raw, images),
          ),
        ),
      )
    })
