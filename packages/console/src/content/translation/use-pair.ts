import { useState } from 'react'
import { changes } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { hideToast, showToast } from '../../ui/overlays.tsx'
import { isNoticed } from '../editor/copy-notices.tsx'
import { type FieldName, type Fields, fieldNames, fieldsOf, isTranslated } from '../editor/fields.ts'
import { type AfterCreate, type Editor, useEditor } from '../editor/use-editor.ts'
import { useLeaveGuard, usePublished } from '../editor/use-save.ts'
import { copyContent, type KeptCopy, useWorkingCopy } from '../editor/working-copies.ts'
import { imagesOf, slotsOf, useImages } from '../images/use-images.ts'
import type { Status } from '../items.ts'
import { attachLabel, readLabels, undoChange } from '../items-api.ts'
import {
  linkTranslation,
  otherOf,
  type Pair,
  type Side,
  type SideStart,
  shareImages,
  unlinkTranslation,
} from './pair-api.ts'

/** The editor of one language, with the state of its working copy. */
interface SideEditor {
  readonly editor: Editor
  readonly copy: KeptCopy
}

/** Returns the editor of one language of a publication, whose text is kept on the server. */
const useSide = (
  { start, created, newKey }: SideStart,
  afterCreate: AfterCreate,
  sharedImages: () => ReadonlyArray<string>,
  leave: string,
): SideEditor => {
  const editor = useEditor('library', start, created, afterCreate, sharedImages)
  const itemId = editor.state.saved?.item.itemId
  const content = editor.isDirty ? copyContent('library', editor.state) : undefined
  const { restoredAt } = start
  const newCopy = useWorkingCopy(newKey, itemId === undefined ? content : undefined, restoredAt)
  const itemCopy = useWorkingCopy(itemId, content, newKey === undefined ? restoredAt : undefined)
  const copy = itemId === undefined ? newCopy : itemCopy
  useLeaveGuard(copy.state, false, leave)
  return { editor, copy }
}

/** The fields that both languages have in common, with the images. */
export const SHARED = fieldNames('library').filter((name) => !isTranslated(name) && name !== 'lang')

/** Returns the editors of both languages of a publication as one, with its acts. */
export const usePair = (pair: Pair) => {
  const { editor: words, translation, queue } = useMessages()
  const published = usePublished()
  const [isLinked, setLinked] = useState(pair.sides[otherOf(pair.original)].newKey === undefined)
  const missing = otherOf(pair.original)
  const afterCreate = async (itemId: string) => {
    const original = editors[pair.original].latest().saved
    if (original === undefined) return
    await linkTranslation(original.item.itemId, itemId)
    for (const labelId of await readLabels('library', original.item.itemId))
      await attachLabel('library', itemId, labelId)
    setLinked(true)
    const { saved } = editors[missing].latest()
    if (saved !== undefined) await shareImages(original, saved)
  }
  /** The images that a missing language will have: those of the original. */
  const sharedImages = () => {
    const { saved } = editors[pair.original].latest()
    return saved === undefined ? [] : imagesOf(saved.item, slotsOf('library'))
  }
  const sides = {
    en: useSide(pair.sides.en, afterCreate, sharedImages, words.leave),
    fr: useSide(pair.sides.fr, afterCreate, sharedImages, words.leave),
  }
  const editors = { en: sides.en.editor, fr: sides.fr.editor }
  const original = editors[pair.original]
  const other = editors[missing]

  const savedOriginal = () => original.latest().saved
  const images = useImages('library', slotsOf('library'), savedOriginal, async () => {
    await original.refresh()
    const [from, to] = [original.latest().saved, other.latest().saved]
    if (from === undefined || to === undefined || !(await shareImages(from, to))) return undefined
    await other.refresh()
    const shared = other.latest().saved
    return async () => {
      if (shared !== undefined) await undoChange('library', shared.item.itemId, shared.etag)
      await Promise.all([original.refresh(), other.refresh()])
    }
  })

  const shared: Fields = Object.fromEntries(SHARED.map((name) => [name, original.state.fields[name] ?? '']))
  const setShared = (name: FieldName, value: string) => {
    for (const editor of [original, other]) editor.setField(name, value)
  }

  /** Whether saving a language would change nothing: its text is saved, and its shared fields are those of the original. */
  const isSaved = (side: Side): boolean => {
    const { state, isDirty } = editors[side]
    if (state.saved === undefined) return !isDirty
    const fields = fieldsOf(state.saved.item)
    return !isDirty && SHARED.every((name) => fields[name] === shared[name])
  }
  const save = async (side: Side, status: Status): Promise<boolean> => {
    const isDone = await editors[side].save(status, shared)
    if (!isDone) document.getElementById(`${side}-clashes`)?.focus()
    return isDone
  }
  const saveOne = async (side: Side, act: 'save' | 'publish'): Promise<boolean> => {
    if (act === 'publish') return save(side, 'Live')
    return isSaved(side) || save(side, editors[side].latest().saved?.item.status ?? 'Draft')
  }
  /** Takes back what an act has changed for readers, the translation first (M12). */
  const undoAct = async (acted: ReadonlyArray<Side>) => {
    for (const side of acted.toReversed()) {
      const { saved } = editors[side].latest()
      if (saved === undefined) continue
      await undoChange('library', saved.item.itemId, saved.etag).then(
        editors[side].refresh,
        editors[side].fail,
      )
    }
  }
  /** Saves one language. Returns whether the server accepted it, and the language if readers notice a change. */
  const step = async (side: Side, act: 'save' | 'publish') => {
    const before = editors[side].latest().saved
    const isDone = await saveOne(side, act)
    const after = editors[side].latest().saved
    const hasChanged = isDone && after !== undefined && after.etag !== before?.etag
    const isSeen = hasChanged && isNoticed(before?.item.status, after.item.status)
    return { isDone, acted: isSeen ? [side] : [] }
  }
  /** Saves the original first: a translation that follows its words is in step then (J8). */
  const saveBoth = async (act: 'save' | 'publish') => {
    hideToast()
    const first = await step(pair.original, act)
    if (!first.isDone) return
    const second = await step(missing, act)
    const acted = [...first.acted, ...second.acted]
    const undo = acted.length > 0 && {
      action: { label: queue.undo, run: () => void undoAct(acted) },
    }
    const both = act === 'publish' ? published(shared, translation.published) : translation.saved
    if (second.isDone) showToast({ text: both, ...undo })
    else if (undo) showToast({ text: translation.only[act][pair.original], ...undo })
  }

  const unlink = async () => {
    const [here, there] = [original.latest().saved?.item.itemId, other.latest().saved?.item.itemId]
    if (here === undefined || there === undefined) return
    await unlinkTranslation(here)
    setLinked(false)
    changes.report()
    const undo = () => void linkTranslation(here, there).then(() => setLinked(true), original.fail)
    showToast({ text: translation.unlinked, action: { label: queue.undo, run: undo } })
  }
  return {
    sides,
    original: pair.original,
    isLinked,
    isBusy: original.state.busy !== undefined || other.state.busy !== undefined,
    images,
    shared,
    setShared,
    saveBoth,
    unlink: () => void unlink().catch(original.fail),
  }
}

/** A publication in both languages, as one. */
export type PairEditor = ReturnType<typeof usePair>
