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
