import type { FieldChange } from '../history/model.ts'
import type { LabelId } from '../values/ids.ts'
import type { LabelName } from '../values/text.ts'

/** A word in both languages that items carry; the set is fixed by the operator (E1). */
export interface Label {
  readonly labelId: LabelId
  readonly en: LabelName
  readonly fr: LabelName
}

/** There is no such label, or the item does not carry it (E2). */
export interface LabelNotFound {
  readonly _tag: 'LabelNotFound'
}

/** The one {@link LabelNotFound}. */
export const LABEL_NOT_FOUND: LabelNotFound = { _tag: 'LabelNotFound' }

/** These labels are missing from the new set and still attached (E1). */
export interface LabelsInUse {
  readonly _tag: 'LabelsInUse'
  readonly labelIds: ReadonlyArray<LabelId>
}

/** Returns the change of attaching or detaching a label, for the audit record of an item (K1). */
export const labelChange = (before: LabelId | null, after: LabelId | null): FieldChange => ({
  field: 'label',
  before,
  after,
})

/** Returns whether two sets of labels are the same, in the same order. */
export const areSameLabels = (some: ReadonlyArray<Label>, others: ReadonlyArray<Label>): boolean =>
  some.length === others.length &&
  some.every(({ labelId, en, fr }, at) => {
    const other = others[at]
    return other?.labelId === labelId && other.en === en && other.fr === fr
  })
