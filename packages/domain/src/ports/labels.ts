import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Receipt, TimedAct } from '../access/acts.ts'
import type { ContentType } from '../history/model.ts'
import type { ItemNotFound } from '../items/item.ts'
import type { Label, LabelNotFound, LabelsInUse } from '../labels/label.ts'
import type { ItemId, LabelId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'

/** The labels, and which items carry them. A write with an act leaves a record, unless it changes nothing (K1). */
export interface Labels {
  /** Every label, in the order of the file they were loaded from (E1). */
  all(): TaskEither<Unavailable, ReadonlyArray<Label>>
  /** The labels of an item, in that same order; none for an unknown item. */
  ofItem(contentType: ContentType, itemId: ItemId): TaskEither<Unavailable, ReadonlyArray<Label>>
  /** Returns the labels of each of these items that has any, in that same order. At most a few hundred ids. */
  ofItems(
    contentType: ContentType,
    itemIds: ReadonlyArray<ItemId>,
  ): TaskEither<Unavailable, ReadonlyMap<ItemId, ReadonlyArray<Label>>>
  /**
   * Attaches; doing it twice is the same as once (E2). An unknown item comes before an unknown label. The receipt is kept in the same
   * transaction.
   */
  attach(
    contentType: ContentType,
    itemId: ItemId,
    labelId: LabelId,
    receipt?: Receipt<Label>,
    act?: TimedAct,
  ): TaskEither<ItemNotFound | LabelNotFound | Unavailable, Label>
  /** Detaches. LabelNotFound when the item does not carry it (E2). */
  detach(
    contentType: ContentType,
    itemId: ItemId,
    labelId: LabelId,
    act?: TimedAct,
  ): TaskEither<ItemNotFound | LabelNotFound | Unavailable, void>
  /** Makes the set exactly this one, in this order. A missing label that is still attached stops it, and nothing changes. */
  replaceAll(labels: ReadonlyArray<Label>, act?: TimedAct): TaskEither<LabelsInUse | Unavailable, void>
}
