import { ApiError } from '@almoner/client'
import { consoleApi, keptApi } from '../../session/api.ts'
import type { ContentType } from '../items.ts'

/** A line of the list of the person's working copies. */
export interface CopySummary {
  /** The id of the item, or `new-` with a UUID. */
  readonly key: string
  readonly contentType: ContentType
  readonly updatedAt: string
  readonly title: string
}

/** Texts by name. */
export type Texts = Readonly<Record<string, string>>

const onTheirWay = new Set<Promise<unknown>>()

/** Lists the working copies of the signed-in person, with the one that the page before has just sent. */
export const listCopies = async (signal?: AbortSignal): Promise<ReadonlyArray<CopySummary>> => {
  await Promise.allSettled(onTheirWay)
  const { data } = await consoleApi.get('/copies', { ...(signal && { signal }) })
  return data.copies.map(({ copy }) => copy)
}

/** The content of a working copy. */
export interface CopyContent {
  readonly contentType: ContentType
  readonly baseETag: string
  /** The typed fields and the version that they began from, as JSON. */
  readonly fields: string
  /** The URLs of the images that they name. */
  readonly images?: Texts
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
  if (content !== undefined) {
    const { images: _, ...rest } = content
    return (await keptApi.put('/copies/{key}', { path, body: { ...rest, ...known } })).data.copy.updatedAt
  }
  await keptApi.delete('/copies/{key}', { path, query: known })
  return ''
}

/** A working copy as it is stored. */
export interface StoredCopy {
  /** The fields, as JSON. */
  readonly fields: string
  /** The URLs of the images that they name. */
  readonly images: Texts
  readonly updatedAt: string
}

/** Reads a working copy from the server. */
export const fetchCopy = async (key: string): Promise<StoredCopy> =>
  (await consoleApi.get('/copies/{key}', { path: { key } })).data.copy

/** Returns the copy that another tab has stored; undefined if it has deleted it. */
const readNewer = async (key: string): Promise<StoredCopy | undefined> =>
  (await listCopies()).some((copy) => copy.key === key) ? fetchCopy(key) : undefined

/** What this tab could not store when its page was left, because another tab had stored a newer text. */
const left = new Map<string, StoredCopy>()

/** Returns the copy that a page begins with: the text that this tab could not store, or the server's copy if the list has one. */
export const openCopy = async (
  key: string,
  copies: ReadonlyArray<CopySummary>,
): Promise<StoredCopy | undefined> => {
  const own = left.get(key)
  left.delete(key)
  if (own !== undefined) return own
  // Asking for a copy that is not there would be an error in the browser's console.
  return copies.some((copy) => copy.key === key) ? fetchCopy(key) : undefined
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
export interface CopyWriter {
  /** Sets the text to store; undefined deletes the copy. */
  readonly want: (content: CopyContent | undefined) => void
  /** Stores the text now. */
  readonly flush: () => void
  /** Stores the text of a page that is left. If another tab has stored a newer one, both wait for the person to come back. */
  readonly close: () => void
  /** Goes on after another tab has stored its text, which the person has seen. */
  readonly resolve: (version: string) => void
}

/** What a page does with the news of its writer. */
interface CopyListener {
  readonly onState: (state: CopyState) => void
  /** Shows the copy of another tab. Nothing is written until the person has chosen. */
  readonly onNewer: (newer: StoredCopy) => void
  /** Says that the text of a page that was left could not be stored. */
  readonly onLeft: () => void
}

/** Returns the writer of a key. `start` is the version of the server's copy, if it has one. */
export const copyWriter = (
  key: string,
  start: string | undefined,
  { onState, onNewer, onLeft }: CopyListener,
): CopyWriter => {
  let version = start ?? ''
  let isHeld = false
  let isAsked = false
  let isClosed = false
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
    isAsked = false
    isHeld = false
    isKnown = false
    writeLater(0)
  }
  /** Keeps the text of a page that was left. No stored copy has its time, so that the two meet when the page is opened again. */
  const keepLeft = () => {
    if (wanted === undefined) return
    left.set(key, {
      fields: wanted.fields,
      images: wanted.images ?? {},
      updatedAt: new Date().toISOString(),
    })
    onLeft()
  }
  /** Whether the person has seen a text here: a tab that opens a copy stores it again as it is. */
  const isFromHere = ({ fields }: StoredCopy) =>
    [wanted, written].some((one) => one !== undefined && textsIn(one.fields) === textsIn(fields))
  /** A copy that the other tab has deleted, because it has saved it, hinders no one. */
  const lookAtNewer = async () => {
    isHeld = true
    const newer = await readNewer(key)
    if (newer === undefined) return resolve('')
    if (isFromHere(newer)) return resolve(newer.updatedAt)
    if (isClosed) return keepLeft()
    isAsked = true
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
    close: () => {
      isClosed = true
      if (isAsked) keepLeft()
      else void write()
    },
    resolve,
  }
}
