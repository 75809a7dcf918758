import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { DonorRestricted } from '../../items/donor-restricted.ts'
import type { UnpublishedLibraryItem } from '../../items/library-item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { WebUrl } from '../../values/addresses.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { ItemDescription, ItemTitle, Language } from '../../values/text.ts'
import { PublicationDate } from '../../values/time.ts'
import { libraryWrite } from './writes.ts'

/** Parameters of POST /library/. */
export const CreateLibraryItem = parameters({
  name: 'CreateLibraryItem',
  required: {
    itemTitle: ItemTitle,
    itemDescription: ItemDescription,
    link: WebUrl,
    itemPublicationDate: PublicationDate,
  },
  optional: { isDonorRestricted: DonorRestricted, lang: Language },
})
export type CreateLibraryItem = typeof CreateLibraryItem._A

type Needs = 'libraryItems' | 'clock' | 'ids' | 'mediaAddresses'

/** A new Draft: public and in English unless said otherwise (B9). */
export const makeCreateLibraryItem =
  (ports: Pick<ContentPorts, Needs>) =>
  (
    caller: Caller,
    command: CreateLibraryItem,
    receipt?: Receipt<UnpublishedLibraryItem>,
  ): TE.TaskEither<InsufficientScope | Unavailable, UnpublishedLibraryItem> =>
    permitted(
      'createLibraryItem',
      caller,
    )(() => {
      const now = ports.clock.now()
      const item: UnpublishedLibraryItem = {
        id: ports.ids.nextItemId(),
        isDonorRestricted: command.isDonorRestricted ?? false,
        lang: command.lang ?? 'en',
        title: command.itemTitle,
        description: command.itemDescription,
        link: command.link,
        publicationDate: command.itemPublicationDate,
        createdAt: now,
        updatedAt: now,
        revision: 1,
        status: 'Draft',
        images: { cover: O.none, notification: O.none },
      }
      return pipe(
        ports.libraryItems.add(
          libraryWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'create' }),
          receipt,
        ),
        TE.map(() => item),
      )
    })
