import type { Answer } from '@almoner/client'
import { api } from '../../session/api.ts'
import { type CopySummary, fetchCopy, listCopies } from '../editor/copy-writer.ts'
import { FIELD_FACTS, type Fields, newFields } from '../editor/fields.ts'
import { readCopy, startOf } from '../editor/working-copies.ts'
import { type ContentType, type Item, isPost, type Label, type ShownImage, shownImage } from '../items.ts'
import { listLabels } from '../items-api.ts'
import { listProposals, readShown } from '../proposals/proposals-api.ts'

/** The versions of an entry, those that readers do not see yet first. */
export const TEXTS = ['copy', 'proposal', 'item'] as const

type Text = (typeof TEXTS)[number]

/** One language of an entry: as it is saved, as the person has typed it if there is a working copy, and as it is proposed. */
export interface Language {
  readonly lang: Item['lang']
  /** Undefined for an entry that was never saved. */
  readonly itemId: string | undefined
  readonly texts: Readonly<Partial<Record<Text, Item>>>
}

/** Returns an item as it is proposed, with the members of the live one that were asked for. A new image has no smaller versions yet. */
const withImages = (live: Item, proposed: Item): Item => {
  const name = isPost(live) ? 'image' : 'cover'
  const url = proposed.itemRelatedLink
  const shown = shownImage(live, name)
  const image = { url, alt: shown?.alt ?? '', renditions: url === shown?.url ? shown.renditions : [] }
  return { ...live, ...proposed, images: { ...live.images, [name]: url === '' ? null : image } } as Item
}

const readItems = async (
  contentType: ContentType,
  itemId: string,
  signal: AbortSignal,
): Promise<Answer<ReadonlyArray<Item>>> => {
  const one = async (id: string): Promise<Answer<ReadonlyArray<Item>>> => {
    const asked = { query: { itemId: id, include: 'images,labels' }, signal }
    const { data, ...rest } =
      contentType === 'library'
        ? await api.get('/library/', {
            query: { ...asked.query, include: 'images,labels,translation' },
            signal,
          })
        : await api.get('/feed/', asked)
    return { ...rest, data: data.items.map(({ item }) => item) }
  }
  const found = await one(itemId)
  const other = found.data[0]?.translation?.itemId
  if (other === undefined) return found
  return { ...found, data: [...found.data, ...(await one(other)).data] }
}

/** The images and labels that an entry will have once it is saved. */
interface Belongings {
  readonly images: Readonly<Record<string, Pick<ShownImage, 'url'> & Partial<ShownImage>>>
  readonly labels: ReadonlyArray<{ readonly label: Label }>
}

/** Returns an entry that was never saved as it will be once it is. */
const unsaved = (
  contentType: ContentType,
  typed: Fields,
  updatedAt: string,
  { images, labels }: Belongings,
): Language => {
  const fields = { ...newFields(contentType, 'en', ''), ...typed }
  const altOf = (place: string) =>
    Object.entries(fields).find(([name]) => FIELD_FACTS[name as keyof Fields].describes === place)?.[1]
  const shown = Object.entries(images).map(([place, image]) => [
    place,
    { renditions: [], ...image, alt: altOf(place) ?? '' },
  ])
  const more = { itemId: '', status: 'Draft', createdAt: updatedAt, labels }
  const copy = { ...fields, ...more, images: Object.fromEntries(shown) } as unknown as Item
  return { lang: copy.lang, itemId: undefined, texts: { copy } }
}

/** Reads the working copy of a new entry, with its images and labels. */
export const readUnsaved = async (
  contentType: ContentType,
  key: string,
  signal: AbortSignal,
): Promise<Answer<ReadonlyArray<Language>>> => {
  const [{ data: known, ...rest }, copies] = await Promise.all([listLabels(signal), listCopies(signal)])
  if (!copies.some((copy) => copy.key === key && copy.contentType === contentType))
    return { ...rest, data: [] }
  const { fields, images, labels, updatedAt } = readCopy(contentType, await fetchCopy(key))
  const chosen = known.filter(({ labelId }) => labels.includes(labelId)).map((label) => ({ label }))
  return { ...rest, data: [unsaved(contentType, fields, updatedAt, { images, labels: chosen })] }
}

/** Reads the language that a publication lacks, if the person has begun it beside the other one: both will have the same images and labels. */
const readMissing = async (
  { itemId, lang, translation, images, labels = [] }: Item,
  copies: ReadonlyArray<CopySummary>,
): Promise<ReadonlyArray<Language>> => {
  const key = `new-${itemId}`
  if (translation !== null || !copies.some((copy) => copy.key === key)) return []
  const { fields, updatedAt } = readCopy('library', await fetchCopy(key))
  const shared = Object.entries(images ?? {}).flatMap(([place, image]) => (image ? [[place, image]] : []))
  const typed = { ...fields, lang: lang === 'en' ? 'fr' : 'en' }
  return [unsaved('library', typed, updatedAt, { images: Object.fromEntries(shared), labels })]
}

/** Reads an item as apps get it, with images and labels; a publication with its other language, if it has one or the person has begun it. */
export const readLanguages = async (
  contentType: ContentType,
  itemId: string,
  signal: AbortSignal,
): Promise<Answer<ReadonlyArray<Language>>> => {
  const [{ data, ...rest }, copies, proposals] = await Promise.all([
    readItems(contentType, itemId, signal),
    listCopies(signal),
    listProposals(signal),
  ])
  const copyOf = async (item: Item): Promise<Item> => {
    const copy = readCopy(contentType, await fetchCopy(item.itemId))
    return { ...item, ...startOf({ item, etag: undefined }, {}, copy).fields } as Item
  }
  const languageOf = async (item: Item): Promise<Language> => {
    const isOfItem = (one: { readonly itemId: string }) => one.itemId === item.itemId
    const proposal = proposals.data.some(isOfItem)
      ? (await readShown(contentType, item.itemId, signal)).data?.proposed
      : undefined
    const texts = {
      item,
      ...(copies.some(({ key }) => key === item.itemId) && { copy: await copyOf(item) }),
      ...(proposal && { proposal: withImages(item, proposal) }),
    }
    return { lang: item.lang, itemId: item.itemId, texts }
  }
  const [own] = data
  const [saved, missing] = await Promise.all([
    Promise.all(data.map(languageOf)),
    own === undefined ? [] : readMissing(own, copies),
  ])
  return { ...rest, data: [...saved, ...missing] }
}
