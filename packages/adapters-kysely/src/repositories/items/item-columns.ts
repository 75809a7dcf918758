import {
  type ImageRef,
  type ItemCore,
  linked,
  type MediaName,
  type Status,
  stored,
} from '@almoner/domain/library'
import type { WebUrl } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
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

/** The name of an image that is stored here; null for any other. */
export const nameColumn = (image: O.Option<ImageRef>): MediaName | null =>
  O.isSome(image) && image.value.kind === 'stored' ? image.value.name : null

/** The address of an image that lives elsewhere; null for any other. */
export const urlColumn = (image: O.Option<ImageRef>): WebUrl | null =>
  O.isSome(image) && image.value.kind === 'linked' ? image.value.url : null

/** The image that a pair of columns stands for. */
export const imageOf = (name: MediaName | null, url: WebUrl | null): O.Option<ImageRef> => {
  if (name !== null) return O.some(stored(name))
  return url === null ? O.none : O.some(linked(url))
}
