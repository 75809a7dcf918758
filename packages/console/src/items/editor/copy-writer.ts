import { ApiError } from '@almoner/client'
import { type CopyContent, isSameContent, writeCopy } from './copies.ts'

/** Whether the typed text is on the server: nothing to store, not yet, stored, or it could not be stored. */
export type CopyState = 'none' | 'waiting' | 'stored' | 'failed'

/** Milliseconds after the last key until the text is stored. */
const PAUSE = 1000

/** Milliseconds until a failed attempt is repeated, doubled after each failure in a row up to the most. */
const RETRY = 5000
const LONGEST_RETRY = 320_000

/** The status of a body that came too slowly. */
const TIMED_OUT = 408

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
}

/** Returns the writer of a key. `hasCopy` says whether the server has a copy. `onState` is called with each new state. */
export const copyWriter = (
  key: string,
  hasCopy: boolean,
  onState: (state: CopyState) => void,
): CopyWriter => {
  let wanted: CopyContent | undefined
  let written: CopyContent | undefined
  let isKnown = !hasCopy
  let isWriting = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let retry = RETRY

  const writeLater = (pause: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void write(), pause)
  }
  const isStored = () => isKnown && isSameContent(wanted, written)
  /** Reports the stored copy, or writes again if the person has typed meanwhile. */
  const onWritten = (content: CopyContent | undefined) => {
    written = content
    isKnown = true
    retry = RETRY
    if (!isStored()) return writeLater(wanted === undefined ? 0 : PAUSE)
    onState(content === undefined ? 'none' : 'stored')
  }
  const onFailed = (error: unknown) => {
    onState('failed')
    if (isRefused(error)) return
    writeLater(retry)
    retry = Math.min(2 * retry, LONGEST_RETRY)
  }
  const write = async (): Promise<void> => {
    clearTimeout(timer)
    if (isWriting || isStored()) return
    isWriting = true
    const content = wanted
    const settle = await writeCopy(key, content).then(
      () => () => onWritten(content),
      (error: unknown) => () => onFailed(error),
    )
    isWriting = false
    settle()
  }
  return {
    want: (content) => {
      wanted = content
      if (isStored()) return onState(wanted === undefined ? 'none' : 'stored')
      onState('waiting')
      writeLater(content === undefined ? 0 : PAUSE)
    },
    flush: () => void write(),
  }
}
