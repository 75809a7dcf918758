import { type Act, receiptFrom, type TimedAct } from '@almoner/domain/access'
import {
  areSameLabels,
  type Base,
  baseAfter,
  CONFIRMED,
  COUNTERPART_NOT_FOUND,
  type Counterpart,
  type CounterpartNotFound,
  type Cursor,
  changedWords,
  compareCursors,
  counterpartOf,
  HAS_COUNTERPART,
  type HasCounterpart,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemNotFound,
  LABEL_NOT_FOUND,
  type Label,
  type LabelNotFound,
  type LibraryItem,
  type LinkedCounterpart,
  labelChange,
  type Matches,
  missingChanges,
  momentsOf,
  pairOf,
  translatedTexts,
  translationChange,
  type Visible,
} from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType, type FieldChange, type ItemFields } from '@almoner/domain/history'
import type { ItemStore, ItemWrite, ItemWritten, Labels, Translations } from '@almoner/domain/ports'
import type { ItemId, LabelId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStillBound, withReceipt } from './access.ts'
import { changeAspect, changeItem, changeLabels } from './changes.ts'
import { recordAct, recordRevision } from './history.ts'
import { leaveTopics } from './people.ts'
import { type CarriedProposal, closeProposal, isAsSeen } from './proposals.ts'
import { removals } from './removals.ts'
import { holdImages } from './results.ts'
import type { Tables } from './tables.ts'
import { paginate } from './values.ts'

interface Shelved<Item, Query, K extends string | number> {
  readonly items: Map<ItemId, Item>
  readonly attached: ReadonlyMap<ItemId, ReadonlySet<LabelId>>
  readonly matches: Matches<Item, Query>
  readonly cursor: (item: Item) => Cursor<K>
  readonly fields: ItemFields<Item>
  /** Whether an item's language must stay (J7). */
  readonly hasCounterpart?: (id: ItemId) => boolean
  /** Keeps the base of an item's pair through a write (J8). */
  readonly keepBase?: (before: Item, after: Item) => void
}

/** One content type of items in memory: an array sorted by {@link compareCursors} and filtered by the domain's own rule. */
export const memoryItems = <
  Item extends ItemCore & Visible,
  NewItem extends Item,
  Query,
  K extends string | number,
>(
  tables: Tables,
  { items, attached, matches, cursor, fields, hasCounterpart, keepBase }: Shelved<Item, Query, K>,
): ItemStore<Item, NewItem, Query, Cursor<K>> => {
  const matching = (query: Query): ReadonlyArray<Item> =>
    [...items.values()].filter(matches(query, (id) => attached.get(id) ?? new Set()))
  /** Returns the proposal that a write carries out, if it does (C16). */
  const carriedOut = ({ item: { id }, carriesOut }: ItemWrite<Item>): ReadonlyArray<CarriedProposal> =>
    carriesOut === undefined ? [] : [{ contentType: fields.contentType, itemId: id, ...carriesOut }]
  const closeCarriedOut = (write: ItemWrite<Item>): void => {
    for (const proposal of carriedOut(write)) closeProposal(tables, proposal, write.item.updatedAt)
  }
  /** Decides on a change. One of the language of an item with a counterpart is rejected (J7). */
  const decideOn = <L>(
    before: Item,
    decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
  ): E.Either<L | HasCounterpart | ItemNotFound, ItemWrite<Item>> =>
    pipe(
      decide(before),
      E.filterOrElseW(
        ({ item }) => item.lang === before.lang || hasCounterpart?.(item.id) !== true,
        () => HAS_COUNTERPART,
      ),
      E.filterOrElseW(
        (write) => carriedOut(write).every((proposal) => isAsSeen(tables, proposal)),
        () => ITEM_NOT_FOUND,
      ),
    )
  /** Records a write: its revision (K1), and its change for copies (N2). */
  const recordWrite = (
    before: Item | undefined,
    after: Item,
    act: Act | undefined,
    remarks?: ReadonlyArray<FieldChange>,
  ): void => {
    recordRevision(tables, fields, before, after, act, remarks)
    changeItem(tables, fields.contentType, before, after)
  }
  const noteLive = (...states: ReadonlyArray<Item>): void => {
    for (const { id, status } of states) if (status === 'Live') tables.wasLive.add(id)
  }
  return {
    ...removals(tables, items, fields),
    find: (id) => TE.fromIO(() => O.fromNullable(items.get(id))),
    findAll: (ids) => TE.fromIO(() => [...new Set(ids)].flatMap((id) => items.get(id) ?? [])),
    list: (query, window, isCounted = false) =>
      TE.fromIO(() => {
        const ordered = matching(query).toSorted((a, b) => compareCursors(cursor(a), cursor(b)))
        const page = paginate(ordered, window, cursor, compareCursors)
        return isCounted ? { ...page, total: ordered.length } : page
      }),
    add:
      ({ item, linksToImages, author, act }, receipt) =>
      async () => {
        const added = withReceipt(tables, receipt, (): E.Either<never, NewItem> => {
          holdImages(tables, { item, linksToImages, storesImages: [], displaysImages: [] })
          items.set(item.id, item)
          recordWrite(undefined, item, act)
          if (author !== undefined)
            tables.authors.set(item.id, isStillBound(tables, act) ? author : { ...author, email: O.none })
          return E.right(item)
        })
        return E.map(() => undefined)(added)
      },
    change: (id, decide, receipt) => async () => {
      const ofItem = receiptFrom(receipt, ({ item }: ItemWritten<Item>) => item)
      return withReceipt(tables, ofItem, () => {
        const current = items.get(id)
        if (current === undefined) return E.left(ITEM_NOT_FOUND)
        const write = decideOn(current, decide)
        if (E.isLeft(write)) return write
        const orphans = holdImages(tables, write.right)
        if (E.isLeft(orphans)) return orphans
        closeCarriedOut(write.right)
        items.set(id, write.right.item)
        noteLive(current, write.right.item)
        keepBase?.(current, write.right.item)
        recordWrite(current, write.right.item, write.right.act)
        return E.right({ item: write.right.item, orphans: orphans.right })
      })
    },
    upcoming: (most) =>
      TE.fromIO(() =>
        [...items.values()]
          .flatMap(momentsOf)
          .sort((a, b) => a.at - b.at || (a.itemId < b.itemId ? -1 : 1))
          .slice(0, most),
      ),
    carryOut: (ids, decide) =>
      TE.fromIO(() => {
        const changes = ids
          .flatMap((id) => {
            const item = items.get(id)
            return item === undefined ? [] : decide(item)
          })
          .sort((a, b) => a.at - b.at)
        for (const { item, act, missing } of changes) {
          noteLive(item)
          recordWrite(items.get(item.id), item, act, missingChanges(missing))
          items.set(item.id, item)
        }
        return changes
      }),
  }
}

/** Labels in memory. */
export const memoryLabels = (tables: Tables): Labels => {
  const attachedTo = (contentType: ContentType, id: ItemId): ReadonlySet<LabelId> =>
    tables.attached[contentType].get(id) ?? new Set()
  const carriedBy = (contentType: ContentType, id: ItemId): ReadonlyArray<Label> =>
    tables.labels.filter(({ labelId }) => attachedTo(contentType, id).has(labelId))
  const isUsed = (id: LabelId): boolean =>
    CONTENT_TYPES.some((contentType) => [...tables.attached[contentType].values()].some((ids) => ids.has(id)))
  return {
    all: () => TE.fromIO(() => tables.labels),
    ofItem: (contentType, itemId) => TE.fromIO(() => carriedBy(contentType, itemId)),
    ofItems: (contentType, itemIds) =>
      TE.fromIO(() => {
        const carrying = itemIds.map((id) => [id, carriedBy(contentType, id)] as const)
        return new Map(carrying.filter(([, labels]) => labels.length > 0))
      }),
    attach: (contentType, itemId, labelId, receipt, act) => async () =>
      withReceipt(tables, receipt, (): E.Either<ItemNotFound | LabelNotFound, Label> => {
        if (!tables[contentType].has(itemId)) return E.left(ITEM_NOT_FOUND)
        const label = tables.labels.find((candidate) => candidate.labelId === labelId)
        if (label === undefined) return E.left(LABEL_NOT_FOUND)
        const attached = attachedTo(contentType, itemId)
        tables.attached[contentType].set(itemId, new Set([...attached, labelId]))
        if (!attached.has(labelId)) {
          recordAct(tables, act, { kind: contentType, id: itemId }, [labelChange(null, labelId)])
          changeAspect(tables, contentType, 'labels', [itemId])
        }
        return E.right(label)
      }),
    detach: (contentType, itemId, labelId, act) => async () => {
      if (!tables[contentType].has(itemId)) return E.left(ITEM_NOT_FOUND)
      const attached = attachedTo(contentType, itemId)
      if (!attached.has(labelId)) return E.left(LABEL_NOT_FOUND)
      tables.attached[contentType].set(itemId, new Set([...attached].filter((id) => id !== labelId)))
      recordAct(tables, act, { kind: contentType, id: itemId }, [labelChange(labelId, null)])
      changeAspect(tables, contentType, 'labels', [itemId])
      return E.right(undefined)
    },
    replaceAll: (labels, act) => async () => {
      const kept = new Set(labels.map(({ labelId }) => labelId))
      const missing = tables.labels
        .map(({ labelId }) => labelId)
        .filter((id) => !kept.has(id) && (isUsed(id) || isAwaited(tables, id)))
      if (missing.length > 0) return E.left({ _tag: 'LabelsInUse', labelIds: missing })
      if (!areSameLabels(tables.labels, labels)) recordAct(tables, act, { kind: 'labels', id: '' })
      changeLabels(tables, tables.labels, labels, act?.at)
      tables.labels = labels
      return E.right(leaveTopics(tables, kept))
    },
  }
}

/** Whether a notification that no review has started has a label (G12). */
const isAwaited = ({ notifications, sendings }: Tables, label: LabelId): boolean =>
  [...notifications.values()].some(
    ({ id, labelId }) => !sendings.has(id) && O.isSome(labelId) && labelId.value === label,
  )

/** Returns the state of an item's latest revision, or of the one with this number. */
const revisionIn = ({ audit }: Tables, itemId: ItemId, number?: number) =>
  audit.findLast(
    (record) =>
      O.isSome(record.number) &&
      record.subject.kind === 'library' &&
      record.subject.id === itemId &&
      (number === undefined || record.number.value === number),
  )

/** Keeps the base of the pair of a publication through a write, before the write's revision is recorded (J8). */
export const keepBase = (tables: Tables, before: LibraryItem, after: LibraryItem): void => {
  const { bases, counterparts } = tables
  const { id } = after
  const other = counterparts.get(id)
  if (other === undefined) return
  const based = [id, other].find((side) => bases.has(side))
  const state = based === undefined ? undefined : revisionIn(tables, based, bases.get(based))?.state
  const base: O.Option<Base> =
    state === undefined ? O.none : O.some({ side: based === id ? 'item' : 'counterpart', state })
  const change = baseAfter(base, translatedTexts(before), translatedTexts(after))
  const number = O.toUndefined(revisionIn(tables, id)?.number ?? O.none)
  if (change === 'begins' && number !== undefined) bases.set(id, number)
  if (change === 'in step') for (const side of [id, other]) bases.delete(side)
}

/** Returns the counterpart of a publication, with the words that changed since the base. */
export const linkedCounterpart = (tables: Tables, id: ItemId): LinkedCounterpart | undefined => {
  const counterpart = tables.library.get(tables.counterparts.get(id) ?? id)
  if (counterpart === undefined || counterpart.id === id) return undefined
  const number = tables.bases.get(counterpart.id)
  const state = number === undefined ? undefined : revisionIn(tables, counterpart.id, number)?.state
  const changes = state === undefined ? [] : changedWords(state, translatedTexts(counterpart))
  return { ...counterpartOf(counterpart), changes }
}

/** Translations in memory. */
export const memoryTranslations = (tables: Tables): Omit<Translations, 'publications'> => {
  const { library, counterparts, bases } = tables
  const remove = (id: ItemId): void => {
    const other = counterparts.get(id)
    for (const side of other === undefined ? [id] : [id, other]) {
      counterparts.delete(side)
      bases.delete(side)
    }
  }
  const linkPair = (id: ItemId, counterpartId: ItemId, act: TimedAct | undefined): void => {
    const before = counterparts.get(id)
    remove(id)
    remove(counterpartId)
    counterparts.set(id, counterpartId).set(counterpartId, id)
    recordAct(tables, act, { kind: 'library', id }, [translationChange(before, counterpartId)])
  }
  const isLive = (id: ItemId | undefined): boolean => id !== undefined && library.get(id)?.status === 'Live'
  const confirm = (
    id: ItemId,
    act: TimedAct | undefined,
  ): E.Either<ItemNotFound | CounterpartNotFound, Counterpart> => {
    if (!library.has(id)) return E.left(ITEM_NOT_FOUND)
    const other = library.get(counterparts.get(id) ?? id)
    if (other === undefined || other.id === id) return E.left(COUNTERPART_NOT_FOUND)
    const [older] = [id, other.id].filter((side, at, sides) => bases.has(sides[1 - at] ?? side))
    if (older !== undefined) recordAct(tables, act, { kind: 'library', id: older }, [CONFIRMED])
    for (const side of [id, other.id]) bases.delete(side)
    return E.right(counterpartOf(other))
  }
  return {
    ofItems: (ids) =>
      TE.fromIO(
        () =>
          new Map(
            ids.flatMap((id): ReadonlyArray<readonly [ItemId, LinkedCounterpart]> => {
              const counterpart = linkedCounterpart(tables, id)
              return counterpart === undefined ? [] : [[id, counterpart]]
            }),
          ),
      ),
    older: (most) =>
      TE.fromIO(() =>
        [...bases.keys()]
          .filter((id) => isLive(id) && isLive(counterparts.get(id)))
          .flatMap((id) => counterparts.get(id) ?? [])
          .sort()
          .slice(0, most),
      ),
    confirm: (id, act) => async () => confirm(id, act),
    link: (id, counterpartId, act, confirming) => async () => {
      const found = pairOf(library.get(id), library.get(counterpartId))
      if (E.isLeft(found)) return found
      if (counterparts.get(id) !== counterpartId) linkPair(id, counterpartId, act)
      else if (confirming !== undefined) return confirm(id, confirming)
      return E.right(counterpartOf(found.right.counterpart))
    },
    unlink: (id, act) => async () => {
      if (!library.has(id)) return E.left(ITEM_NOT_FOUND)
      const before = counterparts.get(id)
      if (before === undefined) return E.left(COUNTERPART_NOT_FOUND)
      remove(id)
      recordAct(tables, act, { kind: 'library', id }, [translationChange(before, undefined)])
      return E.right(undefined)
    },
  }
}
