import { pipe } from 'fp-ts/lib/function.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../access/caller.ts'
import { type ItemId, identifiers, type NotificationId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { OperationsPorts } from './ports.ts'

/** Parameters of GET /titles. */
export const ListTitles = parameters({
  name: 'ListTitles',
  required: { ids: identifiers<ItemId | NotificationId>('SubjectIds', 'Ids of entries and notifications') },
  optional: {},
})
export type ListTitles = typeof ListTitles._A

/** The title of a publication, a post or a notification. */
export interface Titled {
  readonly id: ItemId | NotificationId
  readonly title: string
}

const named = (items: ReadonlyArray<Titled>): ReadonlyArray<Titled> =>
  items.map(({ id, title }) => ({ id, title }))

/** Returns the present titles of entries and notifications, for records of changes that name their ids (K1). Unknown ones are left out. */
export const makeListTitles =
  (ports: Pick<OperationsPorts, 'libraryItems' | 'feedItems' | 'notifications'>) =>
  (
    caller: Caller,
    { ids }: ListTitles,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | Unavailable, ReadonlyArray<Titled>> =>
    permitted(
      'operate',
      caller,
    )(() =>
      pipe(
        TE.Do,
        TE.bind('publications', () => ports.libraryItems.findAll(ids as ReadonlyArray<ItemId>)),
        TE.bind('posts', () => ports.feedItems.findAll(ids as ReadonlyArray<ItemId>)),
        TE.map(({ publications, posts }) => [...named(publications), ...named(posts)]),
        TE.bindTo('items'),
        TE.bind('notifications', ({ items }) => {
          const known = new Set<string>(items.map(({ id }) => id))
          const others = [...new Set(ids)].filter((id) => !known.has(id))
          return TE.traverseSeqArray((id: string) => ports.notifications.find(id as NotificationId))(others)
        }),
        TE.map(({ items, notifications }) => [
          ...items,
          ...named(RA.compact(notifications).map(({ notification }) => notification)),
        ]),
      ),
    )
