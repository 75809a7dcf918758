import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { editedContent } from '../../items/feed-edits.ts'
import { type FeedContent, FeedKind } from '../../items/feed-item.ts'
import { publishableContent } from '../../items/publication.ts'
import { Status } from '../../items/status.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { decode, type FieldFault } from '../../values/faults.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters, type RawParameters } from '../../values/parameters.ts'
import { WebUrl } from '../../values/web-url.ts'
import { guarded } from '../guarded.ts'
import { readField } from '../read-field.ts'
import { sentContent } from './content-parameters.ts'

/** The part of an update that says which post is to be Live, and as what. */
const Publication = parameters({
  name: 'Publication',
  required: { itemId: ItemId, itemType: FeedKind, status: Status },
  optional: {},
})

const missing = (
  raw: RawParameters,
  { itemType }: typeof Publication._A,
  held: FeedContent,
): ReadonlyArray<FieldFault> => {
  const sent = sentContent({
    itemType,
    link: readField(WebUrl, raw, 'link'),
    vlink: readField(WebUrl, raw, 'vlink'),
  })
  const content = publishableContent(editedContent(held, sent))
  return E.isLeft(content) ? content.left : []
}

/** As for the library: what else would keep a post from being Live, for an update that is refused already (I1, C7). */
export const makeUnmetFeedConditions =
  (ports: Pick<Ports, 'feedItems'>) =>
  (
    caller: Caller,
    raw: RawParameters,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<FieldFault>> =>
    guarded('updateFeedItem', caller, () => {
      const sent = decode(Publication)(raw)
      if (E.isLeft(sent) || sent.right.status !== 'Live') return TE.right([])
      return pipe(
        ports.feedItems.find(sent.right.itemId),
        TE.map(
          O.match(
            () => [],
            ({ content }) => missing(raw, sent.right, content),
          ),
        ),
      )
    })
