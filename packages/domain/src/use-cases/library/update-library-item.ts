import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../../access/acts.ts'
import { type Caller, permitted } from '../../access/caller.ts'
import { DonorRestricted } from '../../items/donor-restricted.ts'
import { type Precondition, Status } from '../../items/item.ts'
import type { LibraryEdit } from '../../items/library-edits.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import { ClearableImageUrl, imageAt, type MediaAddresses } from '../../media/model.ts'
import type { ContentPolicy, ContentPorts } from '../../ports/of-content.ts'
import { WebUrl } from '../../values/addresses.ts'
import { ItemId } from '../../values/ids.ts'
import { type Condition, parameters } from '../../values/parameters.ts'
import { ItemDescription, ItemTitle, Language } from '../../values/text.ts'
import { LocalDate } from '../../values/time.ts'
import type { UpdateError } from '../failures.ts'
import { rejectMissingImages } from './reject-missing-images.ts'
import { type EditPorts, makeWriteLibraryEdit } from './writes.ts'

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
    isDonorRestricted: DonorRestricted,
    lang: Language,
    itemPublicationDate: LocalDate,
    coverImgUrl: ClearableImageUrl,
    notificationImgUrl: ClearableImageUrl,
  },
  conditions: [notEmptyWhenLive('coverImgUrl'), notEmptyWhenLive('notificationImgUrl')],
})
export type UpdateLibraryItem = typeof UpdateLibraryItem._A

/** Returns the edit that the parameters of an update describe. Images of ours are named, not linked (D3). */
export const libraryEditOf = (addresses: MediaAddresses, command: UpdateLibraryItem): LibraryEdit => {
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

/** Edits an item and moves it between its states (C5, C6), under the writer's expectation (C10). */
export const makeUpdateLibraryItem = (
  ports: EditPorts & Pick<ContentPorts, 'knownImages'>,
  policy: Pick<ContentPolicy, 'timeZone'>,
) => {
  const write = makeWriteLibraryEdit(ports, policy)
  return (
    caller: Caller,
    command: UpdateLibraryItem,
    expected: Precondition,
    receipt?: Receipt<LibraryItem>,
  ): TE.TaskEither<UpdateError, LibraryItem> =>
    permitted(
      'updateLibraryItem',
      caller,
    )(() => {
      const sent = libraryEditOf(ports.mediaAddresses, command)
      return pipe(
        write(command.itemId, sent, expected, { actor: caller.actor, action: 'update' }, receipt),
        TE.orElse(
          (error): TE.TaskEither<UpdateError, LibraryItem> =>
            error._tag === 'ImageMissing'
              ? rejectMissingImages(ports.knownImages, sent.images, error)
              : TE.left(error),
        ),
      )
    })
}
