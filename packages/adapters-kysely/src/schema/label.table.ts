import type { ItemId } from '@almoner/domain'
import type { LabelId, LabelName } from '@almoner/domain/values'

/** `rank` is the position in the file that the labels were loaded from (E1). */
interface LabelRow {
  readonly label_id: LabelId
  readonly en: LabelName
  readonly fr: LabelName
  readonly rank: number
}

interface AttachmentRow {
  readonly item_id: ItemId
  readonly label_id: LabelId
}

/** The tables of labels and the items that carry them. */
export interface LabelTables {
  readonly label: LabelRow
  readonly library_label: AttachmentRow
  readonly feed_label: AttachmentRow
}
