import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { CONTENT_TYPES, type ContentType } from '../history/model.ts'
import type { ItemId } from '../values/ids.ts'
import { NEVER_STOPPED, type StopSignal, type Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, MINUTE } from '../values/time.ts'
import type { FeedItem, LibraryItem } from './model.ts'
import type { ContentPorts, ItemStore } from './ports.ts'
import {
  carryOutFeed,
  carryOutLibrary,
  MISSING_FIELD,
  SCHEDULE_PARTS,
  type ScheduledChange,
  type ScheduledMoment,
  type SchedulePart,
} from './schedules.ts'

/** Items that one transaction changes: enough for thousands a second, few enough for a turn of the event loop (I6). */
const BATCH = 100

/** A moment of an item of a content type. */
interface DueMoment extends ScheduledMoment {
  readonly contentType: ContentType
}

/** What a moment did to an item. */
export interface CarriedOut extends DueMoment {
  readonly part: SchedulePart
  /** The names of the fields that did not hold what the move needs; none if it was made. */
  readonly missing: ReadonlyArray<string>
}

/** An item whose moments cannot be carried out because of an error in the program or its row. This process leaves it out from then on. */
interface SetAside extends DueMoment {
  readonly cause: unknown
}

/** What a run of the schedules did. */
export interface SchedulesRun {
  readonly carriedOut: ReadonlyArray<CarriedOut>
  readonly setAside: ReadonlyArray<SetAside>
}

type Needs = Pick<ContentPorts, 'libraryItems' | 'feedItems' | 'clock'>

const inOrder = (one: DueMoment, other: DueMoment): number =>
  one.at - other.at || Number(one.itemId > other.itemId) - Number(one.itemId < other.itemId)

/** Returns the earliest moments of both content types, in the order of time. */
const upcoming = (
  { libraryItems, feedItems }: Pick<Needs, 'libraryItems' | 'feedItems'>,
  most: number,
): TE.TaskEither<Unavailable, ReadonlyArray<DueMoment>> => {
  const of = (contentType: ContentType, store: Pick<ItemStore<never, never, never, never>, 'upcoming'>) =>
    pipe(
      store.upcoming(most),
      TE.map((moments) => moments.map((moment): DueMoment => ({ ...moment, contentType }))),
    )
  return pipe(
    TE.sequenceArray([of('library', libraryItems), of('feed', feedItems)]),
    TE.map((found) => found.flat().toSorted(inOrder).slice(0, most)),
  )
}

const reportOf =
  (contentType: ContentType) =>
  ({ item, part, at, missing }: ScheduledChange<LibraryItem | FeedItem>): CarriedOut => ({
    ...{ contentType, itemId: item.id, at, part },
    missing: missing.map(({ field }) => field),
  })

/** The items that a process has set aside. */
export type ItemsSetAside = Set<ItemId>

/** Returns the earliest moments without those of items that were set aside. */
const open = (ports: Needs, setAside: ItemsSetAside, most: number) =>
  pipe(
    upcoming(ports, most + setAside.size),
    TE.map((moments) => moments.filter(({ itemId }) => !setAside.has(itemId)).slice(0, most)),
  )

/** Returns the next moment of a schedule, which may have passed, so that the job can wake in time (C15, G9); none without schedules. */
export const nextSchedule =
  (ports: Needs, setAside: ItemsSetAside): TE.TaskEither<Unavailable, O.Option<ScheduledMoment>> =>
  async () => {
    const found = await open(ports, setAside, 1)()
    return E.map(([first]: ReadonlyArray<ScheduledMoment>) => O.fromNullable(first))(found)
  }

/**
 * Publishes and archives the items whose moments have come, in their order, and many in one transaction (C15). If that throws, each item has a
 * transaction, so that a broken one holds up no others. Any number of processes may do so at once.
 * @param setAside gets the items that cannot be written, which are left out from then on
 */
export const makeRunSchedules = (ports: Needs, setAside: ItemsSetAside = new Set()) => {
  const carryOut = (
    contentType: ContentType,
    ids: ReadonlyArray<ItemId>,
    now: Instant,
  ): TE.TaskEither<Unavailable, ReadonlyArray<CarriedOut>> => {
    const report = reportOf(contentType)
    return contentType === 'library'
      ? TE.map((done: ReadonlyArray<ScheduledChange<LibraryItem>>) => done.map(report))(
          ports.libraryItems.carryOut(ids, carryOutLibrary(now)),
        )
      : TE.map((done: ReadonlyArray<ScheduledChange<FeedItem>>) => done.map(report))(
          ports.feedItems.carryOut(ids, carryOutFeed(now)),
        )
  }

  /** Carries out moments of one content type. Items that fail alone are set aside. */
  const carryOutEach = async (
    moments: ReadonlyArray<DueMoment>,
    contentType: ContentType,
    now: Instant,
  ): Promise<E.Either<Unavailable, SchedulesRun>> => {
    const ids = [...new Set(moments.map(({ itemId }) => itemId))]
    if (ids.length === 0) return E.right({ carriedOut: [], setAside: [] })
    try {
      return E.map((carriedOut: ReadonlyArray<CarriedOut>) => ({ carriedOut, setAside: [] }))(
        await carryOut(contentType, ids, now)(),
      )
    } catch (cause) {
      const [first] = moments
      if (ids.length > 1 || first === undefined) return oneByOne(moments, contentType, now)
      setAside.add(first.itemId)
      return E.right({ carriedOut: [], setAside: [{ ...first, cause }] })
    }
  }

  const oneByOne = async (
    moments: ReadonlyArray<DueMoment>,
    contentType: ContentType,
    now: Instant,
  ): Promise<E.Either<Unavailable, SchedulesRun>> => {
    let done: SchedulesRun = { carriedOut: [], setAside: [] }
    for (const id of new Set(moments.map(({ itemId }) => itemId))) {
      const one = await carryOutEach(
        moments.filter(({ itemId }) => itemId === id),
        contentType,
        now,
      )
      if (E.isLeft(one)) return one
      done = joined(done, one.right)
    }
    return E.right(done)
  }

  /** Carries out the first moments that have come; nothing if none has, or if other processes are doing so. */
  const carryOutFirst = async (): Promise<E.Either<Unavailable, SchedulesRun>> => {
    const now = ports.clock.now()
    const found = await open(ports, setAside, BATCH)()
    if (E.isLeft(found)) return found
    let done: SchedulesRun = { carriedOut: [], setAside: [] }
    for (const contentType of CONTENT_TYPES) {
      const moments = found.right.filter((moment) => moment.contentType === contentType && moment.at <= now)
      const some = await carryOutEach(moments, contentType, now)
      if (E.isLeft(some)) return some
      done = joined(done, some.right)
    }
    return E.right(done)
  }

  const run = async (signal: StopSignal): Promise<E.Either<Unavailable, SchedulesRun>> => {
    let done: SchedulesRun = { carriedOut: [], setAside: [] }
    while (!signal.aborted) {
      const some = await carryOutFirst()
      if (E.isLeft(some)) return some
      if (some.right.carriedOut.length + some.right.setAside.length === 0) break
      done = joined(done, some.right)
    }
    return E.right(done)
  }

  return (signal: StopSignal = NEVER_STOPPED): TE.TaskEither<Unavailable, SchedulesRun> =>
    () =>
      run(signal)
}

const joined = (one: SchedulesRun, other: SchedulesRun): SchedulesRun => ({
  carriedOut: [...one.carriedOut, ...other.carriedOut],
  setAside: [...one.setAside, ...other.setAside],
})

/** Days for which a failed schedule is shown, and how many records are looked at. */
const FAILED_DAYS = 14
const MOST_FAILED = 100

/** A schedule that failed, about which nothing has been done yet (C15). */
export interface FailedSchedule extends Omit<CarriedOut, 'at'> {
  readonly item: LibraryItem | FeedItem
  /** When it failed. */
  readonly at: Instant
}

/**
 * Lists the schedules that failed within two weeks, the latest first, from their audit records (C15). An item that has got another state or
 * schedule since is not among them.
 */
export const failedSchedules = ({
  history,
  libraryItems,
  feedItems,
  clock,
}: Needs & Pick<ContentPorts, 'history'>): TE.TaskEither<Unavailable, ReadonlyArray<FailedSchedule>> => {
  const query = () => ({
    since: O.some(addMillis(clock.now(), -FAILED_DAYS * 24 * 60 * MINUTE)),
    until: O.none,
    actor: O.none,
    action: O.some('fail-schedule' as const),
    subject: O.none,
  })
  const page = { lim: O.some(MOST_FAILED), offset: 0, after: O.none }
  return pipe(
    TE.fromIO<ReturnType<typeof query>, Unavailable>(query),
    TE.flatMap((asked) => history.audit(asked, page)),
    TE.bindTo('found'),
    TE.bind('items', ({ found: { loaded = [] } }) => {
      const idsOf = (contentType: ContentType) =>
        loaded.flatMap(({ subject }) => (subject.kind === contentType ? [subject.id as ItemId] : []))
      return pipe(
        TE.Do,
        TE.bind('library', () => libraryItems.findAll(idsOf('library'))),
        TE.bind('feed', () => feedItems.findAll(idsOf('feed'))),
      )
    }),
    TE.map(({ found: { loaded = [] }, items }) => {
      const all = new Map<string, LibraryItem | FeedItem>(
        [...items.library, ...items.feed].map((item) => [item.id, item]),
      )
      return loaded.flatMap(({ at, subject, changes }): ReadonlyArray<FailedSchedule> => {
        const item = all.get(subject.id)
        all.delete(subject.id)
        if (
          item === undefined ||
          item.status !== 'Draft' ||
          SCHEDULE_PARTS.some((part) => O.isSome(item[part]))
        )
          return []
        const part = changes.some(({ field }) => field === 'publishAt') ? 'publishAt' : 'archiveAt'
        const missing = changes.find(({ field }) => field === MISSING_FIELD)?.after ?? ''
        const contentType = subject.kind === 'library' ? 'library' : 'feed'
        return [{ contentType, itemId: item.id, item, part, at, missing: missing.split(',') }]
      })
    }),
  )
}
