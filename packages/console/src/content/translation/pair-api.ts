import { type LibraryItem, toUpdate } from '@almoner/client'
import { api } from '../../session/api.ts'
import {
  type EditorStart,
  FIELD_FACTS,
  type Fields,
  fieldNames,
  fieldsOf,
  type Saved,
} from '../editor/fields.ts'
import { loadItem, loadNew } from '../editor/use-editor.ts'
import { isPost } from '../items.ts'

/** The two languages of a publication, in the order of the page. */
export const LANGUAGES = ['en', 'fr'] as const
export type Side = (typeof LANGUAGES)[number]

/** Returns the other language. */
export const otherOf = (side: Side): Side => (side === 'en' ? 'fr' : 'en')

/** How the editor of one language begins. */
export interface SideStart {
  readonly start: EditorStart
  /** The fields that a missing publication begins with. */
  readonly created: Fields
  /** The key of the working copy of a missing publication. */
  readonly newKey?: string
}

/** A publication in both languages, one of which may be missing. */
export interface Pair {
  readonly sides: Readonly<Record<Side, SideStart>>
  /** The language that was written first. */
  readonly original: Side
}

/** Returns the publication's counterpart, if it has one. */
const counterpartOf = async (itemId: string) => {
  const { data } = await api.get('/library/', { query: { itemId, include: 'translation' } })
  return data.items[0]?.item.translation ?? undefined
}

/** Loads a publication and its counterpart, with the person's working copies. Undefined if there is no such publication. */
export const loadPair = async (itemId: string): Promise<Pair | undefined> => {
  const [start, counterpart] = await Promise.all([loadItem('library', itemId, {}), counterpartOf(itemId)])
  if (start?.saved === undefined) return undefined
  const { lang, ...shared } = fieldsOf(start.saved.item)
  const side: Side = lang === 'fr' ? 'fr' : 'en'
  const other = otherOf(side)
  const here: SideStart = { start, created: {} }
  const there = counterpart && (await loadItem('library', counterpart.itemId, {}))
  if (there !== undefined) {
    const sides = { [side]: here, [other]: { start: there, created: {} } } as Pair['sides']
    return { sides, original: itemId < (counterpart?.itemId ?? '') ? side : other }
  }
  // The link may lead to the same page in both languages.
  const empty = fieldNames('library')
    .filter((name) => FIELD_FACTS[name].kind === 'text')
    .map((name) => [name, ''])
  const created: Fields = { ...shared, ...Object.fromEntries(empty), lang: other }
  const newKey = `new-${itemId}`
  const { start: missing } = await loadNew('library', newKey, created)
  const sides = { [side]: here, [other]: { start: missing, created, newKey } } as Pair['sides']
  return { sides, original: side }
}

/** Makes two publications one in two languages. */
export const linkTranslation = async (itemId: string, counterpartId: string): Promise<void> => {
  await api.put('/library/{itemId}/translation', { path: { itemId }, body: { counterpartId } })
}

/** Says that a publication and its counterpart say the same (J8). */
export const confirmTranslation = async (itemId: string): Promise<void> => {
  await api.put('/library/{itemId}/translation', { path: { itemId }, body: { upToDate: 'true' } })
}

/** Separates a publication from its counterpart. */
export const unlinkTranslation = async (itemId: string): Promise<void> => {
  await api.delete('/library/{itemId}/translation', { path: { itemId } })
}

/** Gives a publication the images of another one. The service keeps one file for both (D5). */
export const shareImages = async (from: Saved, to: Saved): Promise<boolean> => {
  const [source, target] = [from.item, to.item]
  if (isPost(source) || isPost(target)) return false
  const { coverImgUrl, notificationImgUrl } = source
  if (target.coverImgUrl === coverImgUrl && target.notificationImgUrl === notificationImgUrl) return false
  const body = toUpdate(target satisfies LibraryItem, {
    ...(coverImgUrl !== '' && { coverImgUrl }),
    ...(notificationImgUrl !== '' && { notificationImgUrl }),
  })
  await api.post('/library/{itemId}', { path: { itemId: target.itemId }, body, ifMatch: to.etag })
  return true
}
