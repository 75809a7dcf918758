import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { asExpected, type Expectation, type Stale } from '../../items/expectation.ts'
import type { ImageRef } from '../../items/image.ts'
import { imageAt } from '../../items/image-address.ts'
import { ClearableImageUrl } from '../../items/image-parameter.ts'
import type { ItemNotFound } from '../../items/item.ts'
import { editLibraryItem, type LibraryEdit } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { MediaAddresses } from '../../items/media-addresses.ts'
import { Restriction } from '../../items/restriction.ts'
import { type IllegalMove, Status } from '../../items/status.ts'
import type { Ports } from '../../ports/index.ts'
import type { ImageGone } from '../../ports/item-store.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { CalendarDay } from '../../values/calendar-day.ts'
import { fault, type Invalid, invalid } from '../../values/faults.ts'
import { ItemId } from '../../values/ids.ts'
import { Language } from '../../values/language.ts'
import { type Condition, parameters } from '../../values/parameters.ts'
import { ItemDescription, ItemTitle } from '../../values/text.ts'
import { WebUrl } from '../../values/web-url.ts'
import { discard } from '../discard.ts'
import { guarded } from '../guarded.ts'
import { type Policy, todayFor } from '../policy.ts'
import { libraryWrite } from './writes.ts'

const notEmptyWhenLive = (field: 'coverImgUrl' | 'notificationImgUrl'): Condition => ({
  field,
  message: 'must not be empty when status is Live',
  unmet: ({ status, [field]: url }) => status === 'Live' && url === '',
})

/** Parameters of POST /library/<itemId>. */
export const UpdateLibraryItem = parameters({
  name: 'UpdateLibraryItem',
  required: {
    itemId: ItemId,
    itemTitle: ItemTitle,
    itemDescription: ItemDescription,
    link: WebUrl,
    status: Status,
  },
  optional: {
    isDonorRestricted: Restriction,
    lang: Language,
    itemPublicationDate: CalendarDay,
    coverImgUrl: ClearableImageUrl,
    notificationImgUrl: ClearableImageUrl,
  },
  conditions: [notEmptyWhenLive('coverImgUrl'), notEmptyWhenLive('notificationImgUrl')],
})
export type UpdateLibraryItem = typeof UpdateLibraryItem._A

const editOf = (addresses: MediaAddresses, command: UpdateLibraryItem): LibraryEdit => {
  const image = (url: O.Option<WebUrl> | undefined) =>
    url === undefined ? undefined : O.map(imageAt(addresses))(url)
  return {
    isDonorRestricted: command.isDonorRestricted,
    lang: command.lang,
    title: command.itemTitle,
    description: command.itemDescription,
    link: command.link,
    publicationDate: command.itemPublicationDate,
    images: { cover: image(command.coverImgUrl), notification: image(command.notificationImgUrl) },
    status: command.status,
  }
}

/** The addresses that name an image of ours which is not there. */
const goneFaults = (images: LibraryEdit['images'], { name }: ImageGone): Invalid => {
  const names = (image: O.Option<ImageRef> | undefined) =>
    image !== undefined && O.isSome(image) && image.value.kind === 'stored' && image.value.name === name
  const message = 'names an image that is not stored here'
  const notification = fault('notificationImgUrl', message)
  if (!names(images.cover)) return invalid([notification])
  return invalid([fault('coverImgUrl', message), ...(names(images.notification) ? [notification] : [])])
}

type Needs = 'libraryItems' | 'clock' | 'mediaAddresses' | 'mediaStore'

export type UpdateLibraryItemError =
  | InsufficientScope
  | ItemNotFound
  | Stale
  | IllegalMove
  | Invalid
  | Unavailable

/** Edits an item and moves it between its states (C5, C6), under the writer's expectation (C10). */
export const makeUpdateLibraryItem =
  (ports: Pick<Ports, Needs>, policy: Policy) =>
  (
    caller: Caller,
    command: UpdateLibraryItem,
    expected: Expectation,
  ): TE.TaskEither<UpdateLibraryItemError, LibraryItem> =>
    guarded('updateLibraryItem', caller, () => {
      const sent = editOf(ports.mediaAddresses, command)
      const edit = editLibraryItem(sent, ports.clock.now(), todayFor(policy, ports.clock))
      const decide = (current: LibraryItem) =>
        pipe(
          asExpected(expected)(current),
          E.flatMap((item): E.Either<Stale | IllegalMove | Invalid, LibraryItem> => edit(item)),
          E.map((item) => libraryWrite(ports.mediaAddresses, item)),
        )
      return pipe(
        ports.libraryItems.change(command.itemId, decide),
        TE.mapError((error) => (error._tag === 'ImageGone' ? goneFaults(sent.images, error) : error)),
        TE.tap(({ orphans }) => discard(ports.mediaStore, orphans)),
        TE.map(({ item }) => item),
      )
    })
