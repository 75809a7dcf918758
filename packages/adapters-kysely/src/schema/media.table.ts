import type { Instant, ItemId } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import type { ImageType, MediaName } from '@almoner/domain/media'

/** A stored image that the service knows of (D5). */
export interface MediaRow {
  readonly name: MediaName
  readonly type: ImageType
  readonly bytes: number
  /** Pixels; null where they were never read, 0 where they cannot be (D9). */
  readonly width: number | null
  readonly height: number | null
  /** When an act that can be undone released it (M12); without meaning while an item shows it. */
  readonly released_at: Instant | null
}

/** An item's reference to a stored image. */
interface MediaReferenceRow {
  readonly content_type: ContentType
  readonly item_id: ItemId
  readonly name: MediaName
}

/** A reference to a stored image by something else than an item: a deletion that can be taken back (C18), or a proposal (C16, D5). */
interface MediaHoldRow {
  readonly holder: string
  readonly name: MediaName
}

/** The tables of stored images. */
export interface MediaTables {
  readonly media: MediaRow
  readonly media_reference: MediaReferenceRow
  readonly media_hold: MediaHoldRow
}
