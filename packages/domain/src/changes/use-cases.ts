import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import {
  feedImagesOf,
  libraryImagesOf,
  type ReadMember,
  readImagesMember,
  readLabelMember,
  withIncluded,
} from '../content/include.ts'
import { type FeedItem, type LibraryItem, libraryCursor } from '../content/model.ts'
import { isVisible, todayFor, type Visibility, type VisibilityPolicy } from '../content/rules.ts'
import { collect, listingOf } from '../values/page.ts'
import { type Unavailable, unavailable } from '../values/ports.ts'
import { dayAfter, type LocalDate } from '../values/time.ts'
import {
  type ChangeCursor,
  type ChangesView,
  type DueWalk,
  encodeChangeCursor,
  heldBy,
  viewText,
} from './cursor.ts'
import {
  isTooOld,
  type ListChanges,
  type ListPolicy,
  type ListPorts,
  type Looking,
  makeLooking,
} from './looking.ts'
import {
  type Change,
  type ChangesTip,
  CURSOR_EXPIRED,
  type CursorExpired,
  type StoredChange,
  type StoredItemChange,
  take,
  wasShown,
} from './model.ts'
import type { ChangesPorts } from './ports.ts'

/** Places that are read at a time, at least. */
const BATCH = 100

/** One answer (N1). */
export interface ChangesAnswer {
  readonly changes: ReadonlyArray<Change>
  /** For the next request. */
  readonly cursor: string
  /** Whether more is waiting: then this is full. */
  readonly hasMore: boolean
}

type Walk = ChangeCursor & { readonly changes: Map<string, Change> }
type Walked = E.Either<Unavailable, { readonly walk: Walk; readonly hasMore: boolean }>

const putOf = (kind: 'library' | 'feed', item: LibraryItem | FeedItem): Change =>
  ({ kind, operation: 'put', id: item.id, item }) as Change

/** Returns what the change of an item is to this caller: a put, a removal, or nothing (N2). */
const itemChangeFor = (
  { view: { audience, lang }, visibility, largestLead: largest }: Looking,
  { kind, id, aspect, state, leads }: StoredItemChange,
): Change | undefined => {
  const item = O.toUndefined<LibraryItem | FeedItem>(state)
  const isSeen = item !== undefined && isVisible(visibility)(item)
  if (isSeen && (O.isNone(lang) || lang.value === item.lang)) return putOf(kind, item)
  const wasSeen = isSeen || wasShown(leads, audience, largest)
  return wasSeen && aspect === 'own' ? { kind, operation: 'remove', id } : undefined
}

/** Returns what a stored change is to this caller; undefined where it is nothing. */
const changeFor = (looking: Looking, stored: StoredChange): Change | undefined => {
  const { kind, id } = stored
  if (kind === 'portfolio') return { kind, operation: 'reload' }
  if (kind !== 'label') return itemChangeFor(looking, stored)
  return O.isSome(stored.state)
    ? { kind, operation: 'put', id, label: stored.state.value }
    : { kind, operation: 'remove', id }
}

const NO_FILTERS = {
  words: [],
  labelId: O.none,
  status: O.none,
  isDonorRestricted: O.none,
  isScheduled: O.none,
}

const visibilityOn = (visibility: Visibility, day: LocalDate): Visibility =>
  visibility.kind === 'everything' ? visibility : { ...visibility, until: O.some(day) }

/** Reads some of the publications whose day lies between that of a cursor and another one; earlier after a step of the clock. */
const readDue = (
  { libraryItems }: ListPorts,
  { view, visibility }: Looking,
  day: LocalDate,
  { until, after }: DueWalk,
  most: number,
): TE.TaskEither<Unavailable, ReadonlyArray<LibraryItem>> => {
  const [before, last] = until > day ? [day, until] : [until, day]
  const filters = { ...NO_FILTERS, from: O.some(dayAfter(before)), until: O.some(last) }
  return pipe(
    libraryItems.list(
      { visibility: visibilityOn(visibility, last), lang: view.lang, filters },
      { lim: O.some(most), offset: 0, after },
    ),
    TE.flatMap((page) => TE.rightTask(() => collect(page))),
  )
}

/** Takes one step along the publications that a day brought or took (C9). */
const stepDue = async (ports: ListPorts, looking: Looking, walk: Walk): Promise<Walked> => {
  const { day, changes } = walk
  const due = O.getOrElse((): DueWalk => ({ until: looking.today, after: O.none }))(walk.due)
  const room = looking.most - changes.size
  const found = await readDue(ports, looking, day, due, room + 1)()
  if (E.isLeft(found)) return found
  const taken = found.right.slice(0, room)
  for (const item of taken) {
    const removal: Change = { kind: 'library', operation: 'remove', id: item.id }
    take(changes, due.until > day ? putOf('library', item) : removal, looking.most)
  }
  if (found.right.length <= room)
    return E.right({ walk: { ...walk, day: due.until, due: O.none }, hasMore: false })
  const last = taken.at(-1)
  const after = last === undefined ? due.after : O.some(libraryCursor(last))
  return E.right({ walk: { ...walk, due: O.some({ ...due, after }) }, hasMore: true })
}

/** Walks along the publications whose day came after that of the cursor, or is not over any more after a step of the clock (C9). */
const walkDue = async (ports: ListPorts, looking: Looking, begun: Walk): Promise<Walked> => {
  const { today, isEmbargoed } = looking
  let walk: Walk = isEmbargoed ? begun : { ...begun, day: today, due: O.none }
  while (O.isSome(walk.due) || walk.day !== today) {
    const step = await stepDue(ports, looking, walk)
    if (E.isLeft(step) || step.right.hasMore) return step
    walk = step.right.walk
  }
  return E.right({ walk, hasMore: false })
}

/** Takes stored changes into an answer. Returns how far that came; `hasMore` if the answer is full. */
const takeStored = (looking: Looking, begun: Walk, stored: ReadonlyArray<StoredChange>) => {
  let walk = begun
  for (const one of stored) {
    const isFirst = O.isSome(walk.first) && one.position <= walk.first.value
    const change = changeFor(looking, one)
    const isMeant = change !== undefined && (!isFirst || change.operation === 'put')
    if (isMeant && !take(walk.changes, change, looking.most)) return { walk, hasMore: true }
    walk = { ...walk, position: one.position, place: O.some(one) }
  }
  return { walk, hasMore: false }
}

/** Walks along stored changes until the answer is full or there are no more. */
const walkStored = async (ports: ListPorts, looking: Looking, begun: Walk): Promise<Walked> => {
  const { view, aspects } = looking
  let walk = begun
  for (;;) {
    const most = Math.max(BATCH, looking.most - walk.changes.size + 1)
    const { position, place } = walk
    const read = await ports.changes.after({ position, place, kinds: view.kinds, aspects, most })()
    if (E.isLeft(read)) return read
    const { tip, changes } = read.right
    if (tip.epoch !== walk.epoch) return E.left(unavailable('the epoch of changes has just ended'))
    const taken = takeStored(looking, walk, changes)
    if (taken.hasMore) return E.right(taken)
    walk = taken.walk
    if (changes.length < most) {
      const settled = Math.max(tip.position, begun.position)
      return E.right({ walk: { ...walk, position: settled, place: O.none, first: O.none }, hasMore: false })
    }
  }
}

/** Returns the members that `include` adds, read for the items of one kind. */
const addMembers = <Item extends LibraryItem | FeedItem>(
  members: ReadonlyArray<ReadMember<Item>>,
  items: ReadonlyArray<Item>,
) =>
  pipe(
    withIncluded<Item>(members)<never>(listingOf(items, O.none)),
    TE.map(({ loaded = [] }) => new Map(loaded.map((item) => [item.id, item]))),
  )

/** Adds what `include` asks for to the items of an answer, with one statement for each member and kind (J4). */
const withMembers = (
  ports: ListPorts,
  { include }: ChangesView,
  changes: ReadonlyArray<Change>,
): TE.TaskEither<Unavailable, ReadonlyArray<Change>> => {
  if (include.length === 0) return TE.right(changes)
  const itemsOf = <Item>(kind: 'library' | 'feed') =>
    changes.flatMap((change) => (change.kind === kind && 'item' in change ? [change.item as Item] : []))
  const library = {
    labels: readLabelMember(ports, 'library'),
    images: readImagesMember<LibraryItem>(ports, libraryImagesOf),
  }
  const feed = {
    labels: readLabelMember(ports, 'feed'),
    images: readImagesMember<FeedItem>(ports, feedImagesOf(ports.mediaAddresses)),
  }
  return pipe(
    TE.Do,
    TE.bind('library', () =>
      addMembers(
        include.map((name) => library[name]),
        itemsOf<LibraryItem>('library'),
      ),
    ),
    TE.bind('feed', () =>
      addMembers(
        include.map((name) => feed[name]),
        itemsOf<FeedItem>('feed'),
      ),
    ),
    TE.map((read) =>
      changes.map((change) =>
        'item' in change
          ? ({ ...change, item: read[change.kind].get(change.item.id) ?? change.item } as Change)
          : change,
      ),
    ),
  )
}

/** Rejects a cursor of another epoch that holds more than that had when it ended, and one of changes that are not here (N3). */
const checkEpoch = (
  { changes }: Pick<ChangesPorts, 'changes'>,
  cursor: ChangeCursor,
  tip: ChangesTip,
): TE.TaskEither<CursorExpired | Unavailable, void> => {
  const { position: holds } = heldBy(cursor)
  if (cursor.epoch === tip.epoch) return holds > tip.latest ? TE.left(CURSOR_EXPIRED) : TE.right(undefined)
  return pipe(
    changes.endOf(cursor.epoch),
    TE.flatMap(
      (end): TE.TaskEither<CursorExpired, void> =>
        O.isSome(end) && holds <= end.value ? TE.right(undefined) : TE.left(CURSOR_EXPIRED),
    ),
  )
}

/** Returns whether parts of an answer are read after its changes, and so perhaps of later writes. */
const readsLater = ({ view, isEmbargoed }: Looking): boolean => view.include.length > 0 || isEmbargoed

const reloadFor = ({ kinds }: ChangesView): Map<string, Change> =>
  new Map(kinds.includes('portfolio') ? [['portfolio ', { kind: 'portfolio', operation: 'reload' }]] : [])

/** Returns the walk of a request without a cursor: everything, the portfolio first. */
const beginning = ({ view, today }: Looking, tip: ChangesTip): Walk => ({
  epoch: tip.epoch,
  view: viewText(view),
  day: today,
  due: O.none,
  first: O.some(tip.position),
  seen: -1,
  position: -1,
  place: O.none,
  changes: reloadFor(view),
})

/** Returns the walk of a request with a cursor. In another epoch the portfolio is loaded again: what was read of it may be lost (N3). */
const continuing = ({ view }: Looking, since: ChangeCursor, { epoch }: ChangesTip): Walk => ({
  ...since,
  epoch,
  changes: since.epoch === epoch ? new Map() : reloadFor(view),
})

/** Returns whether a copy lacks nothing that can be read. */
const isCurrent = (walk: Walk, { today, isEmbargoed }: Looking, tip: ChangesTip): boolean =>
  walk.position >= tip.position &&
  walk.changes.size === 0 &&
  O.isNone(walk.place) &&
  O.isNone(walk.due) &&
  (!isEmbargoed || walk.day === today)

/**
 * Lists what changed for this caller since a cursor, in order (N1, N2, N3). Applying all answers in order gives what the collections show,
 * regardless of writes meanwhile.
 */
export const makeListChanges = (ports: ListPorts, policy: ListPolicy) => {
  const lookingOf = makeLooking(ports, policy)
  return (
    caller: Caller,
    asked: ListChanges,
  ): TE.TaskEither<CursorExpired | InsufficientScope | Unavailable, ChangesAnswer> =>
    permitted(
      'listChanges',
      caller,
    )(() => {
      const looking = lookingOf(caller, asked)
      const { since } = asked
      if (since !== undefined && since.view !== viewText(looking.view)) return TE.left(CURSOR_EXPIRED)
      if (since !== undefined && isTooOld(since, looking.today, policy)) return TE.left(CURSOR_EXPIRED)
      const walkOn = (walk: Walk) => async () => {
        const due = await walkDue(ports, looking, walk)
        return E.isLeft(due) || due.right.hasMore ? due : walkStored(ports, looking, due.right.walk)
      }
      const answer = ({ walk, hasMore }: { readonly walk: Walk; readonly hasMore: boolean }) =>
        pipe(
          TE.Do,
          TE.bind('changes', () => withMembers(ports, looking.view, [...walk.changes.values()])),
          TE.bind('tip', () =>
            walk.changes.size > 0 && readsLater(looking)
              ? ports.changes.tip()
              : TE.right({ latest: walk.seen }),
          ),
          TE.map(({ changes, tip: { latest } }) => {
            const seen = Math.max(walk.seen, latest)
            return { changes, cursor: encodeChangeCursor({ ...walk, seen }), hasMore }
          }),
        )
      return pipe(
        TE.Do,
        TE.bind('tip', () => ports.changes.tip(since && heldBy(since))),
        TE.tap(({ tip }) => (since === undefined ? TE.right(undefined) : checkEpoch(ports, since, tip))),
        TE.flatMap(({ tip }): TE.TaskEither<Unavailable, ChangesAnswer> => {
          const walk = since === undefined ? beginning(looking, tip) : continuing(looking, since, tip)
          if (!isCurrent(walk, looking, tip)) return pipe(walkOn(walk), TE.flatMap(answer))
          const cursor = encodeChangeCursor({ ...walk, day: looking.today, first: O.none })
          return TE.right({ changes: [], cursor, hasMore: false })
        }),
      )
    })
}

/** Makes a question whose answer differs whenever that of {@link makeListChanges} may: one statement, for all that wait (N4). */
export const makeWatchChanges =
  (ports: Pick<ListPorts, 'changes' | 'clock'>, policy: VisibilityPolicy) =>
  (): TE.TaskEither<Unavailable, string> =>
    pipe(
      ports.changes.tip(),
      TE.map(({ epoch, position }) => {
        const day = policy.embargo ? todayFor(policy, ports.clock) : ''
        return `${epoch} ${position} ${day}`
      }),
    )
