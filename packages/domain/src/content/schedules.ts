import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Act } from '../access/acts.ts'
import type { Actor } from '../access/caller.ts'
import type { FieldChange } from '../history/model.ts'
import type { ItemId } from '../values/ids.ts'
import { type FieldError, type FieldErrors, fieldError } from '../values/parameters.ts'
import type { Instant } from '../values/time.ts'
import {
  type FeedItem,
  type ItemCore,
  type LibraryItem,
  nextRevision,
  publishableContent,
  publishableImages,
  type Status,
  transition,
} from './model.ts'

/** The moments of a schedule, in the order in which they come. */
export const SCHEDULE_PARTS = ['publishAt', 'archiveAt'] as const
/** One of {@link SCHEDULE_PARTS}. */
export type SchedulePart = (typeof SCHEDULE_PARTS)[number]

/** When an item is published and archived by itself (C15). */
export type ItemSchedule = Pick<ItemCore, SchedulePart>

/** The moments that an update sends: one that is absent stays, and none clears. */
export type SentSchedule = { readonly [P in SchedulePart]?: ItemSchedule[P] | undefined }

/** The move that each moment makes (C15). */
const MOVES: Readonly<Record<SchedulePart, { readonly from: Status; readonly to: Status }>> = {
  publishAt: { from: 'Draft', to: 'Live' },
  archiveAt: { from: 'Live', to: 'Archived' },
}

/** The moments that an item in a state may have (C15). The others are cleared when it enters the state. */
export const SCHEDULABLE: Readonly<Record<Status, ReadonlyArray<SchedulePart>>> = {
  Draft: SCHEDULE_PARTS,
  Live: ['archiveAt'],
  Archived: [],
}

/** The item cannot be published at a moment, because it lacks what a Live item needs (C15). */
export interface NotPublishable {
  readonly _tag: 'NotPublishable'
  readonly errors: FieldErrors
}

/** The moments do not fit the state of the item, or one another (C15). */
export interface ScheduleConflict {
  readonly _tag: 'ScheduleConflict'
  readonly errors: FieldErrors
}

/** A moment of an item's schedule. */
export interface ScheduledMoment {
  readonly itemId: ItemId
  readonly at: Instant
}

/** What a moment of a schedule does to an item, as it is written (C15). */
export interface ScheduledChange<Item> {
  readonly item: Item
  readonly act: Act
  readonly part: SchedulePart
  /** The moment, which may be long past. */
  readonly at: Instant
  /** The conditions that did not hold; then the item stays as it is, and its schedule is cleared. */
  readonly missing: ReadonlyArray<FieldError>
}

/** Returns the moments of an item in the order of time. */
export const momentsOf = ({ id, publishAt, archiveAt }: ItemCore): ReadonlyArray<ScheduledMoment> =>
  [publishAt, archiveAt].flatMap((moment) => (O.isSome(moment) ? [{ itemId: id, at: moment.value }] : []))

/** The field of an audit record that names the conditions that did not hold at a moment (C15, K1). */
export const MISSING_FIELD = 'missing'

/** Returns the change of a record that says what an item lacked at its moment; none where nothing was missing (C15). */
export const missingChanges = (missing: ReadonlyArray<FieldError>): ReadonlyArray<FieldChange> =>
  missing.length === 0
    ? []
    : [{ field: MISSING_FIELD, before: null, after: missing.map(({ field }) => field).join(',') }]

/** Enters a state that an item may have: the conditions of the state are checked. */
type Enter<Item> = (item: Item, status: 'Live' | 'Archived') => E.Either<FieldErrors, Item>

const enterLibrary: Enter<LibraryItem> = (item, status) =>
  status === 'Archived'
    ? E.right({ ...item, status })
    : E.map(
        (images: Parameters<typeof publishableImages>[0]) => ({ ...item, status, images }) as LibraryItem,
      )(publishableImages(item.images))

const enterFeed: Enter<FeedItem> = (item, status) =>
  status === 'Archived'
    ? E.right({ ...item, status })
    : E.map((content: FeedItem['content']) => ({ ...item, status, content, reason: O.none }) as FeedItem)(
        publishableContent(item.content),
      )

/** The actor of changes at the moments of schedules. The record of the update that set the schedule names the person or client (K1). */
const SCHEDULE_ACTOR: Actor = { kind: 'schedule', id: '' }

/** What the moments do is recorded as an update by hand (K1). */
const CARRIED_OUT: Act = { actor: SCHEDULE_ACTOR, action: 'update' }
const FAILED: Act = { actor: SCHEDULE_ACTOR, action: 'fail-schedule' }

/**
 * Makes the function that carries out the moments of an item which have come, in their order (C15): the move and the conditions are those of an
 * update, and only the state changes.
 */
const makeCarryOut = <Item extends LibraryItem | FeedItem>(enter: Enter<Item>) => {
  const move = (item: Item, { from, to }: (typeof MOVES)[SchedulePart]): E.Either<FieldErrors, Item> => {
    const isPossible = item.status === from && E.isRight(transition(item.status, to))
    return isPossible
      ? enter(item, to === 'Live' ? 'Live' : 'Archived')
      : E.left([fieldError('status', `must be ${from}`)])
  }
  return (now: Instant) => {
    const carryOut = (item: Item): ReadonlyArray<ScheduledChange<Item>> => {
      for (const part of SCHEDULE_PARTS) {
        const moment = item[part]
        if (O.isNone(moment) || moment.value > now) continue
        const at = moment.value
        const moved = move(nextRevision(item, now), MOVES[part])
        const change: ScheduledChange<Item> = E.isRight(moved)
          ? { item: { ...moved.right, [part]: O.none }, act: CARRIED_OUT, part, at, missing: [] }
          : {
              ...{ act: FAILED, part, at, missing: moved.left },
              item: { ...nextRevision(item, now), publishAt: O.none, archiveAt: O.none },
            }
        return [change, ...carryOut(change.item)]
      }
      return []
    }
    return carryOut
  }
}

/** Carries out the moments of a publication that have come by now, in their order; none without any (C15). */
export const carryOutLibrary = makeCarryOut<LibraryItem>(enterLibrary)

/** Carries out the moments of a post that have come by now, in their order; none without any (C15). */
export const carryOutFeed = makeCarryOut<FeedItem>(enterFeed)
