import { useEffect, useMemo, useState } from 'react'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { showToast } from '../../ui/overlays.tsx'
import type { ContentType } from '../items.ts'
import { type CopyContent, type CopyState, copyWriter, type StoredCopy, type Texts } from './copy-writer.ts'
import {
  baseOf,
  type ChosenImages,
  type EditorStart,
  type Fields,
  fieldNames,
  fieldsOf,
  mergeFields,
  type Saved,
} from './fields.ts'

/** Text that a person has typed and not saved, as the server keeps it. */
export interface WorkingCopy {
  readonly fields: Fields
  /** The fields of the version that the text began from. */
  readonly base: Fields
  /** The labels of a new item. */
  readonly labels: ReadonlyArray<string>
  /** The images of a new item. */
  readonly images: ChosenImages
  readonly updatedAt: string
}

/** The members of a copy's fields that hold the version that it began from, and the labels and images of a new item, as JSON. */
const BASE = 'base'
const LABELS = 'labels'
const IMAGES = 'images'

/** Returns the fields of a content type that an object has, as texts. */
const fieldsIn = (contentType: ContentType, stored: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    fieldNames(contentType).flatMap((name) => {
      const value = stored[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Returns the labels and images of a new item in the stored fields of a copy, whose images have these URLs. */
const choicesIn = (
  stored: Texts,
  urls: Texts,
): { readonly labels: ReadonlyArray<string>; readonly images: ChosenImages } => {
  const named: Texts = JSON.parse(stored[IMAGES] ?? '{}')
  const images = Object.entries(named).map(([place, name]) => [place, { name, url: urls[name] ?? '' }])
  return { labels: JSON.parse(stored[LABELS] ?? '[]'), images: Object.fromEntries(images) }
}

/** Reads the texts of a stored copy. */
export const readCopy = (contentType: ContentType, copy: StoredCopy): WorkingCopy => {
  const stored: Texts = JSON.parse(copy.fields)
  return {
    fields: fieldsIn(contentType, stored),
    base: fieldsIn(contentType, JSON.parse(stored[BASE] ?? '{}')),
    ...choicesIn(stored, copy.images),
    updatedAt: copy.updatedAt,
  }
}

/** Returns the working copy of an editor: the typed fields and the version that they began from, or the labels and images of a new item. */
export const copyContent = (
  contentType: ContentType,
  { saved, fields, clashes }: EditorStart,
  labels: ReadonlyArray<string> = [],
  images: ChosenImages = {},
): CopyContent => {
  const names = Object.entries(images).map(([place, { name }]) => [place, name])
  const more =
    saved === undefined
      ? { [LABELS]: JSON.stringify(labels), [IMAGES]: JSON.stringify(Object.fromEntries(names)) }
      : { [BASE]: JSON.stringify(baseOf(fieldsOf(saved.item), clashes)) }
  return {
    contentType,
    baseETag: saved?.etag ?? '',
    fields: JSON.stringify({ ...fields, ...more }),
    images: Object.fromEntries(Object.values(images).map(({ name, url }) => [name, url])),
  }
}

/** Returns the fields, labels and images of the copy of another tab. */
export const contentOfNewer = (contentType: ContentType, { fields, images }: StoredCopy) => {
  const stored: Texts = JSON.parse(fields)
  return { fields: fieldsIn(contentType, stored), ...choicesIn(stored, images) }
}

/** Returns how an editor begins: with the working copy merged into the saved version, if there is a copy. */
export const startOf = (
  saved: Saved | undefined,
  created: Fields,
  copy: WorkingCopy | undefined,
): EditorStart => {
  const fields = saved === undefined ? created : fieldsOf(saved.item)
  if (copy === undefined) return { saved, fields, clashes: [] }
  const mine = { ...fields, ...copy.fields }
  const merged =
    saved === undefined
      ? { fields: mine, clashes: [] }
      : mergeFields({ ...fields, ...copy.base }, fields, mine)
  const { labels, images, updatedAt } = copy
  return { saved, ...merged, labels, images, restoredAt: updatedAt }
}

/** The working copy of a page: its state, and the text of another tab that the person must look at. */
export interface KeptCopy {
  readonly state: CopyState
  readonly newer: StoredCopy | undefined
  /** Goes on with the text of the page, whichever of the two it has now. */
  readonly goOn: () => void
}

/** Returns the message of a page whose text could not be stored when it was left, which leads back to it. */
const useOnLeft = (): (() => void) => {
  const { copies } = useMessages()
  return useMemo(() => {
    const { href } = location
    return () => showToast({ text: copies.left, action: { label: copies.goBack, run: () => goTo(href) } })
  }, [copies])
}

/**
 * Keeps typed text on the server: a second after the last key, and when the page is left. `content` is undefined when nothing is unsaved;
 * a stored copy is then deleted. `restoredAt` is the version of the copy that the page began with.
 */
export const useWorkingCopy = (
  key: string | undefined,
  content: CopyContent | undefined,
  restoredAt: string | undefined,
): KeptCopy => {
  const [state, setState] = useState<CopyState>('none')
  const [newer, setNewer] = useState<StoredCopy>()
  const onLeft = useOnLeft()
  // What the server has of a restored copy may differ from its merged text, so it is written again.
  const writer = useMemo(
    () =>
      key === undefined
        ? undefined
        : copyWriter(key, restoredAt, { onState: setState, onNewer: setNewer, onLeft }),
    [key, restoredAt, onLeft],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is the same if these members are
  useEffect(() => writer?.want(content), [writer, content?.fields, content?.baseETag])
  useEffect(() => {
    if (writer === undefined) return
    addEventListener('pagehide', writer.flush)
    return () => {
      removeEventListener('pagehide', writer.flush)
      writer.close()
    }
  }, [writer])
  const goOn = () => {
    setNewer(undefined)
    setState('waiting')
    if (newer !== undefined) writer?.resolve(newer.updatedAt)
  }
  return { state, newer, goOn }
}
