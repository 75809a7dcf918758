import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { boundToOwnUser, type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { Count } from '../content/lists.ts'
import { visibilityFor } from '../content/rules.ts'
import { type NotificationView, withLinks } from '../notifications/links.ts'
import type { NotificationNotFound } from '../notifications/model.ts'
import type { NoActingUser } from '../people/model.ts'
import { withActingUser } from '../people/preferences.ts'
import { type Email, PathSegment } from '../values/addresses.ts'
import { NotificationId } from '../values/ids.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  mapListing,
  Offset,
  pageRequest,
  type ResultSet,
} from '../values/page.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { endOfRetention } from './batch.ts'
import { InboxCursor, type InboxEntry, type InboxQuery, type SeenMark } from './meant-for.ts'
import type { DeliveryPolicy, DeliveryPorts } from './ports.ts'

/** Parameters of GET /user/<email>/notification/inbox. */
export const ListInbox = parameters({
  name: 'ListInbox',
  required: { email: PathSegment },
  optional: { lim: Lim, offset: Offset, count: Count, after: InboxCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListInbox = typeof ListInbox._A

/** Parameters of PUT /user/<email>/notification/inbox/<notificationId>/seen. */
export const MarkSeen = parameters({
  name: 'MarkSeen',
  required: { email: PathSegment, id: NotificationId },
  optional: {},
})
export type MarkSeen = typeof MarkSeen._A

/** An entry with what its publication gives it now (G1). */
export type InboxView = NotificationView & Pick<InboxEntry, 'seenAt'>

type InboxFailure = InsufficientScope | ValidationFailed | NoActingUser | Unavailable

const inboxOf = (
  email: Email,
  { clock }: Pick<DeliveryPorts, 'clock'>,
  { deliveryDays }: Pick<DeliveryPolicy, 'deliveryDays'>,
): InboxQuery => ({ email, startedAfter: endOfRetention(clock.now(), deliveryDays) })

/**
 * Lists the notifications that were meant for a person, by start and latest first; none for an unknown person (F7). Links lead only to what the
 * caller may see (A3).
 */
export const makeListInbox =
  (
    ports: Pick<DeliveryPorts, 'clock' | 'inbox' | 'libraryItems' | 'mediaAddresses'>,
    policy: Pick<DeliveryPolicy, 'deliveryDays' | 'embargo' | 'timeZone'>,
  ) =>
  (
    caller: Caller,
    { email, count, ...page }: ListInbox,
  ): TE.TaskEither<InboxFailure, ResultSet<InboxView, InboxCursor>> =>
    permitted(
      'readInbox',
      caller,
    )(() =>
      withActingUser(caller, email, (subject) => {
        const links = withLinks(ports, visibilityFor(policy, ports.clock, caller))
        const viewsOf = (entries: ReadonlyArray<InboxEntry>) =>
          pipe(
            links(entries.map(({ notification }) => notification)),
            TE.map((views) => views.map((view, at) => ({ ...view, seenAt: entries[at]?.seenAt ?? O.none }))),
          )
        return pipe(
          ports.inbox.list(inboxOf(subject, ports, policy), pageRequest(page), count === 'true'),
          TE.map((found) => mapListing(found, viewsOf)),
        )
      }),
    )

/** Marks a notification in a person's inbox as seen; the first moment stays (F7). What was not meant for the person is not found. */
export const makeMarkSeen =
  (ports: Pick<DeliveryPorts, 'clock' | 'inbox'>, policy: Pick<DeliveryPolicy, 'deliveryDays'>) =>
  (caller: Caller, { email, id }: MarkSeen): TE.TaskEither<InboxFailure | NotificationNotFound, SeenMark> =>
    permitted(
      'readInbox',
      caller,
    )(() =>
      withActingUser(caller, email, (subject) => {
        const mark: SeenMark = { notificationId: id, seenAt: ports.clock.now() }
        const binding = caller.roles.has('user-manager') ? {} : boundToOwnUser(caller)
        return pipe(
          ports.inbox.markSeen(inboxOf(subject, ports, policy), mark, { actor: caller.actor, ...binding }),
          TE.map((seenAt) => ({ ...mark, seenAt })),
        )
      }),
    )
