import type { ItemCore, Status } from '@almoner/domain'
import { flag, type ItemRow } from '../../schema/schema.ts'

/** Columns that both shelves have, in the order of {@link ItemRow}. */
export const ITEM_COLUMNS = [
  'id',
  'status',
  'restricted',
  'lang',
  'title',
  'description',
  'created_at',
  'updated_at',
  'revision',
] as const satisfies ReadonlyArray<keyof ItemRow>

/** An item's part of the row that both shelves share. */
export const itemRow = (item: ItemCore & { readonly status: Status }): ItemRow => ({
  id: item.id,
  status: item.status,
  restricted: flag(item.isDonorRestricted),
  lang: item.lang,
  title: item.title,
  description: item.description,
  created_at: item.createdAt,
  updated_at: item.updatedAt,
  revision: item.revision,
})

/** The part of an item that the shared columns hold. */
export const itemCore = (row: ItemRow): ItemCore => ({
  id: row.id,
  isDonorRestricted: row.restricted === 1,
  lang: row.lang,
  title: row.title,
  description: row.description,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
