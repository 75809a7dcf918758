import type { ContentType } from '../items.ts'
import { readItem } from '../items-api.ts'
import { type CopySummary, listCopies, readCopy, startOf, type WorkingCopy } from './copies.ts'
import type { EditorStart } from './editor-state.ts'
import type { Fields } from './fields.ts'

/** Reads the copy of a key if the list has one. Asking for a copy that is not there would be an error in the browser's console. */
const copyOf = async (
  contentType: ContentType,
  key: string,
  copies: ReadonlyArray<CopySummary>,
): Promise<WorkingCopy | undefined> =>
  copies.some((copy) => copy.key === key) ? readCopy(contentType, key) : undefined

/** Loads an item for its editor, with the person's working copy. Undefined if there is no such item. */
export const loadItem = async (
  contentType: ContentType,
  itemId: string,
  created: Fields,
): Promise<EditorStart | undefined> => {
  const [{ data, etag }, copies] = await Promise.all([readItem(contentType, itemId), listCopies()])
  if (data === undefined) return undefined
  return startOf({ item: data, etag }, created, await copyOf(contentType, itemId, copies))
}

/** How the editor of a new item begins, and the other new items that the person has begun. */
interface NewStart {
  readonly start: EditorStart
  readonly others: ReadonlyArray<CopySummary>
}

/** Loads the working copy of a new item, and the list of others of its type. */
export const loadNew = async (contentType: ContentType, key: string, created: Fields): Promise<NewStart> => {
  const copies = await listCopies()
  const copy = await copyOf(contentType, key, copies)
  return {
    start: startOf(undefined, created, copy),
    others: copies.filter(
      (other) => other.contentType === contentType && other.key.startsWith('new-') && other.key !== key,
    ),
  }
}
