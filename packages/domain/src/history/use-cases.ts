import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { ACTIONS } from '../access/acts.ts'
import { type Caller, type InsufficientRole, type InsufficientScope, permitted } from '../access/caller.ts'
import { ItemId } from '../values/ids.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf, refined } from '../values/refined.ts'
import { endOfDay, LocalDate, startOfDay } from '../values/time.ts'
import { AuditCursor, type AuditRecord, type ContentType, type Revision, RevisionCursor } from './model.ts'
import type { HistoryPolicy, HistoryPorts } from './ports.ts'

/** Parameters of GET /library/<itemId>/history and GET /feed/<itemId>/history. */
export const ListRevisions = parameters({
  name: 'ListRevisions',
  required: { itemId: ItemId },
  optional: { lim: Lim, offset: Offset, after: RevisionCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListRevisions = typeof ListRevisions._A

/** Lists the revisions of an item, newest first; none for an unknown item (K2). */
export const makeListRevisions =
  (ports: Pick<HistoryPorts, 'history'>, contentType: ContentType) =>
  (
    caller: Caller,
    asked: ListRevisions,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<Revision, number>> =>
    permitted(
      'listRevisions',
      caller,
    )(() => ports.history.revisions({ contentType, itemId: asked.itemId }, pageRequest(asked)))

const ActorId = refined<string>('ActorId', E.right, {
  type: 'string',
  description: 'A client, the number of a person, or the words of a command.',
})

const SubjectId = refined<string>('SubjectId', E.right, {
  type: 'string',
  description: 'The id of an item or of another subject.',
})

const ActionName = oneOf('ActionName', ACTIONS, 'What was done.')

/** Parameters of GET /audit. */
export const ListAudit = parameters({
  name: 'ListAudit',
  required: {},
  optional: {
    actor: ActorId,
    action: ActionName,
    subject: SubjectId,
    from: LocalDate,
    to: LocalDate,
    lim: Lim,
    after: AuditCursor,
  },
})
export type ListAudit = typeof ListAudit._A

/** Lists the records of changes, the latest first, for operators; days are those of the service's time zone (B8, K1, K4). */
export const makeListAudit =
  (ports: Pick<HistoryPorts, 'history'>, { timeZone }: Pick<HistoryPolicy, 'timeZone'>) =>
  (
    caller: Caller,
    { actor, action, subject, from, to, lim, after }: ListAudit,
  ): TE.TaskEither<InsufficientScope | InsufficientRole | Unavailable, ResultSet<AuditRecord, AuditCursor>> =>
    permitted(
      'operate',
      caller,
    )(() => {
      const query = {
        since: O.map((day: LocalDate) => startOfDay(day, timeZone))(O.fromNullable(from)),
        until: O.chain((day: LocalDate) => endOfDay(day, timeZone))(O.fromNullable(to)),
        actor: O.fromNullable(actor),
        action: O.fromNullable(action),
        subject: O.fromNullable(subject),
      }
      return ports.history.audit(query, pageRequest({ lim, after }))
    })
