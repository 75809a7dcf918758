import type { ItemCore, Status } from '@almoner/domain'
import { flag } from '../../schema/columns.ts'
import type { ItemRow } from '../../schema/item.table.ts'

/** Returns an item's part of the columns that both content types share. */
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

/** Returns the part of an item that the shared columns hold. */
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
