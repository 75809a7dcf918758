import { FIELD_FACTS, fieldsOf } from '../editor/fields.ts'
import { type ContentType, type Item, type Row, rowOf } from '../items.ts'
import { attachLabel, createItem, readItem, readLabels } from '../items-api.ts'
import { linkTranslation, shareImages } from '../translation/pair-api.ts'

/** Makes a Draft with the fields, images and labels of an item, under another title. */
const duplicateItem = async (
  contentType: ContentType,
  itemId: string,
  titled: (title: string) => string,
): Promise<Item> => {
  const { data: item, etag } = await readItem(contentType, itemId)
  if (item === undefined) throw new RangeError('The entry is gone.')
  const { maxLength } = FIELD_FACTS.itemTitle
  const itemTitle = [...titled(item.itemTitle)].slice(0, maxLength).join('')
  const created = await createItem(contentType, { ...fieldsOf(item), itemTitle })
  if (created.data === undefined) throw new RangeError('The answer has no entry.')
  await shareImages({ item, etag }, { item: created.data, etag: created.etag })
  for (const labelId of await readLabels(contentType, itemId))
    await attachLabel(contentType, created.data.itemId, labelId)
  return created.data
}

/** Makes Drafts like the items of a row, which belong together as those do. A post gets no image: its file is that of one post. */
export const duplicateRow = async (
  contentType: ContentType,
  { sides: [first, ...others] }: Row,
  titled: (title: string) => string,
): Promise<Row> => {
  const created = await duplicateItem(contentType, first.itemId, titled)
  const copies: Array<Item> = []
  for (const { itemId } of others) {
    const copy = await duplicateItem(contentType, itemId, titled)
    await linkTranslation(created.itemId, copy.itemId)
    copies.push(copy)
  }
  return rowOf(created, ...copies)
}
