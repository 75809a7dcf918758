import { ApiError } from '@almoner/client'
import { useEffect, useMemo, useState } from 'react'
import { consoleApi, keptApi } from '../../session/api.ts'
import type { ContentType } from '../items.ts'
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

/** A line of the list of the person's working copies. */
export interface CopySummary {
  /** The id of the item, or `new-` with a UUID. */
  readonly key: string
  readonly contentType: ContentType
  readonly updatedAt: string
  readonly title: string
}

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

type Texts = Readonly<Record<string, string>>

/** Returns the labels and images of a new item in the stored fields of a copy, whose images have these URLs. */
const choicesIn = (
  stored: Texts,
  urls: Texts,
): { readonly labels: ReadonlyArray<string>; readonly images: ChosenImages } => {
  const named: Texts = JSON.parse(stored[IMAGES] ?? '{}')
  const images = Object.entries(named).map(([place, name]) => [place, { name, url: urls[name] ?? '' }])
  return { labels: JSON.parse(stored[LABELS] ?? '[]'), images: Object.fromEntries(images) }
}

const onTheirWay = new Set<Promise<unknown>>()

/** Lists the working copies of the signed-in person, with the one that the page before has just sent. */
export const listCopies = async (signal?: AbortSignal): Promise<ReadonlyArray<CopySummary>> => {
  await Promise.allSettled(onTheirWay)
  const { data } = await consoleApi.get('/copies', { ...(signal && { signal }) })
  return data.copies.map(({ copy }) => copy)
}

/** Reads a working copy of a content type. */
export const readCopy = async (contentType: ContentType, key: string): Promise<WorkingCopy> => {
  const { copy } = (await consoleApi.get('/copies/{key}', { path: { key } })).data
  const stored: Texts = JSON.parse(copy.fields)
  return {
    fields: fieldsIn(contentType, stored),
    base: fieldsIn(contentType, JSON.parse(stored[BASE] ?? '{}')),
    ...choicesIn(stored, copy.images),
    updatedAt: copy.updatedAt,
  }
}

/** The content of a working copy. */
interface CopyContent {
  readonly contentType: ContentType
  readonly baseETag: string
  /** The typed fields and the version that they began from, as JSON. */
  readonly fields: string
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
  return { contentType, baseETag: saved?.etag ?? '', fields: JSON.stringify({ ...fields, ...more }) }
}

const textsIn = (fields: string): string => JSON.stringify(Object.entries(JSON.parse(fields)).sort())

/** Whether two contents are the same. */
const isSameContent = (one: CopyContent | undefined, other: CopyContent | undefined): boolean =>
  one?.fields === other?.fields && one?.baseETag === other?.baseETag

/**
 * Stores a working copy, or deletes it if there is no content. With the version that the page knows it replaces only that one (M12). Returns the
 * version that the server has now.
 */
export const writeCopy = async (
  key: string,
  content: CopyContent | undefined,
  version?: string,
): Promise<string> => {
  const path = { key }
  const known = version === undefined ? {} : { version }
  if (content !== undefined)
    return (await keptApi.put('/copies/{key}', { path, body: { ...content, ...known } })).data.copy.updatedAt
  await keptApi.delete('/copies/{key}', { path, query: known })
  return ''
}

/** A copy that the person has typed in another tab or on another device since this page has read its own. */
export interface NewerCopy {
  /** The fields, as JSON. */
  readonly fields: string
  /** The URLs of the images that they name. */
  readonly images: Texts
  readonly updatedAt: string
}

/** Returns the copy that another tab has stored; undefined if it has deleted it. */
const readNewer = async (key: string): Promise<NewerCopy | undefined> => {
  if ((await listCopies()).every((copy) => copy.key !== key)) return undefined
  const { fields, images, updatedAt } = (await consoleApi.get('/copies/{key}', { path: { key } })).data.copy
  return { fields, images, updatedAt }
}

/** Returns the fields, labels and images of the copy of another tab. */
export const contentOfNewer = (contentType: ContentType, { fields, images }: NewerCopy) => {
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

/** Whether the typed text is on the server: nothing to store, not yet, stored, not possible, or the server has that of another tab. */
export type CopyState = 'none' | 'waiting' | 'stored' | 'failed' | 'newer'

/** Milliseconds after the last key until the text is stored. */
const PAUSE = 1000

/** Milliseconds until a failed attempt is repeated, doubled after each failure in a row up to the most. */
const RETRY = 5000
const LONGEST_RETRY = 320_000

/** The status of a body that came too slowly. */
const TIMED_OUT = 408

/** The status where another tab has stored a copy. */
const IS_NEWER = 412

/** Whether the server refuses this text: a repeat of it would be refused too. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== TIMED_OUT &&
  error.retryAfter === undefined

/** Writes the working copy of one key, one request at a time, always the latest text. */
interface CopyWriter {
  /** Sets the text to store; undefined deletes the copy. */
  readonly want: (content: CopyContent | undefined) => void
  /** Stores the text now. */
  readonly flush: () => void
  /** Goes on after another tab has stored its text, which the person has seen. */
  readonly resolve: (version: string) => void
}

/**
 * Returns the writer of a key. `start` is the version of the server's copy, if it has one. `onState` is called with each new state, `onNewer` with the
 * copy of another tab; nothing is written then until the person has chosen.
 */
const copyWriter = (
  key: string,
  start: string | undefined,
  onState: (state: CopyState) => void,
  onNewer: (newer: NewerCopy) => void,
): CopyWriter => {
  let version = start ?? ''
  let isHeld = false
  let wanted: CopyContent | undefined
  let written: CopyContent | undefined
  let isKnown = start === undefined
  let isWriting = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let retry = RETRY

  const writeLater = (pause: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void write(), pause)
  }
  const isStored = () => isKnown && isSameContent(wanted, written)
  /** Reports the stored copy, or writes again if the person has typed meanwhile. */
  const onWritten = (content: CopyContent | undefined, next: string) => {
    version = next
    written = content
    isKnown = true
    retry = RETRY
    if (!isStored()) return writeLater(wanted === undefined ? 0 : PAUSE)
    onState(content === undefined ? 'none' : 'stored')
  }
  const resolve = (next: string) => {
    version = next
    isHeld = false
    isKnown = false
    writeLater(0)
  }
  /** Whether the person has seen a text here: a tab that opens a copy stores it again as it is. */
  const isFromHere = ({ fields }: NewerCopy) =>
    [wanted, written].some((one) => one !== undefined && textsIn(one.fields) === textsIn(fields))
  /** A copy that the other tab has deleted, because it has saved it, hinders no one. */
  const lookAtNewer = async () => {
    isHeld = true
    const newer = await readNewer(key)
    if (newer === undefined) return resolve('')
    if (isFromHere(newer)) return resolve(newer.updatedAt)
    onState('newer')
    onNewer(newer)
  }
  const onFailed = (error: unknown) => {
    if (error instanceof ApiError && error.status === IS_NEWER)
      return void lookAtNewer().catch(() => {
        isHeld = false
        writeLater(retry)
      })
    onState('failed')
    if (isRefused(error)) return
    writeLater(retry)
    retry = Math.min(2 * retry, LONGEST_RETRY)
  }
  const write = async (): Promise<void> => {
    clearTimeout(timer)
    if (isWriting || isHeld || isStored()) return
    isWriting = true
    const content = wanted
    const sent = writeCopy(key, content, version)
    onTheirWay.add(sent)
    const settle = await sent.then(
      (next) => () => onWritten(content, next),
      (error: unknown) => () => onFailed(error),
    )
    onTheirWay.delete(sent)
    isWriting = false
    settle()
  }
  return {
    want: (content) => {
      wanted = content
      if (isHeld) return
      if (isStored()) return onState(wanted === undefined ? 'none' : 'stored')
      onState('waiting')
      writeLater(content === undefined ? 0 : PAUSE)
    },
    flush: () => void write(),
    resolve,
  }
}

/** The working copy of a page: its state, and the text of another tab that the person must look at. */
export interface KeptCopy {
  readonly state: CopyState
  readonly newer: NewerCopy | undefined
  /** Goes on with the text of the page, whichever of the two it has now. */
  readonly goOn: () => void
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
  const [newer, setNewer] = useState<NewerCopy>()
  // What the server has of a restored copy may differ from its merged text, so it is written again.
  const writer = useMemo(
    () => (key === undefined ? undefined : copyWriter(key, restoredAt, setState, setNewer)),
    [key, restoredAt],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is the same if these members are
  useEffect(() => writer?.want(content), [writer, content?.fields, content?.baseETag])
  useEffect(() => {
    if (writer === undefined) return
    addEventListener('pagehide', writer.flush)
    return () => {
      removeEventListener('pagehide', writer.flush)
      writer.flush()
    }
  }, [writer])
  const goOn = () => {
    setNewer(undefined)
    setState('waiting')
    if (newer !== undefined) writer?.resolve(newer.updatedAt)
  }
  return { state, newer, goOn }
}
