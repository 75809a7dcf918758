import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../access/acts.ts'
import { boundToOwnUser, type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import type { WebUrl } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import { type Condition, parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { editFeedItem, type FeedEdit, type SentContent } from './edits.ts'
import { createdValues, editOf, FEED_FIELDS, type FeedKind, writeParameters } from './fields.ts'
import { authorOf, type FeedItem, type Precondition, Status, type UnpublishedFeedItem } from './model.ts'
import type { ContentPorts } from './ports.ts'
import { type FeedEditPorts, feedWrite, makeWriteFeedEdit, type UpdateError } from './writing.ts'

const neededByItsType = (kind: 'link' | 'vlink'): Condition => ({
  field: kind,
  message: `is required when itemType is ${kind}`,
  unmet: ({ itemType, [kind]: url }) => itemType === kind && url === undefined,
})

/** `link` and `vlink` come with every post of their type, and with every update of it (C7). */
const CONTENT_CONDITIONS: ReadonlyArray<Condition> = [neededByItsType('link'), neededByItsType('vlink')]

/** The content that decoded parameters describe; the conditions above have seen to the link that a type needs. */
const sentContent = (sent: {
  readonly itemType: FeedKind
  readonly link?: WebUrl | undefined
  readonly vlink?: WebUrl | undefined
}): SentContent =>
  ({ kind: sent.itemType, link: O.fromNullable(sent.link), vlink: O.fromNullable(sent.vlink) }) as SentContent

/** Parameters of POST /feed/. */
export const CreateFeedItem = parameters({
  name: 'CreateFeedItem',
  ...writeParameters(FEED_FIELDS, 'create'),
  conditions: CONTENT_CONDITIONS,
})
export type CreateFeedItem = typeof CreateFeedItem._A

/**
 * Creates a donor's post: a Draft until a content manager approves it; public and in English by default (B9). The caller is recorded as its
 * author (L3); the user only while the caller is bound to it (L1).
 */
export const makeCreateFeedItem =
  (ports: Pick<ContentPorts, 'feedItems' | 'clock' | 'ids' | 'mediaAddresses'>) =>
  (
    caller: Caller,
    command: CreateFeedItem,
    receipt?: Receipt<UnpublishedFeedItem>,
  ): TE.TaskEither<InsufficientScope | Unavailable, UnpublishedFeedItem> =>
    permitted(
      'createFeedItem',
      caller,
    )(() => {
      const now = ports.clock.now()
      const item: UnpublishedFeedItem = {
        id: ports.ids.nextItemId(),
        ...createdValues(FEED_FIELDS, command),
        createdAt: now,
        updatedAt: now,
        revision: 1,
        status: 'Draft',
        content: { ...sentContent(command), image: O.none },
      }
      return pipe(
        ports.feedItems.add(
          {
            ...feedWrite(ports.mediaAddresses, item, {
              actor: caller.actor,
              action: 'create',
              ...boundToOwnUser(caller),
            }),
            author: authorOf(caller),
          },
          receipt,
        ),
        TE.map(() => item),
      )
    })

const FIELDS_OF_UPDATE = writeParameters(FEED_FIELDS, 'update')

/** Parameters of POST /feed/<itemId>. */
export const UpdateFeedItem = parameters({
  name: 'UpdateFeedItem',
  required: { itemId: ItemId, ...FIELDS_OF_UPDATE.required, status: Status },
  optional: FIELDS_OF_UPDATE.optional,
  conditions: CONTENT_CONDITIONS,
})
export type UpdateFeedItem = typeof UpdateFeedItem._A

/** Returns the edit that the parameters of an update describe. */
export const feedEditOf = (command: UpdateFeedItem): FeedEdit => ({
  ...editOf(FEED_FIELDS, command),
  content: sentContent(command),
  status: command.status,
})

/** Edits a post and moves it between its states (C5, C7), under the writer's expectation (C10). */
export const makeUpdateFeedItem = (ports: FeedEditPorts) => {
  const write = makeWriteFeedEdit(ports)
  return (
    caller: Caller,
    command: UpdateFeedItem,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UpdateError, FeedItem> =>
    permitted(
      'updateFeedItem',
      caller,
    )(() => {
      const edit = editFeedItem(feedEditOf(command), ports.clock.now())
      const act: Act = { actor: caller.actor, action: 'update' }
      return write(command.itemId, edit, expected, act, receipt)
    })
}
