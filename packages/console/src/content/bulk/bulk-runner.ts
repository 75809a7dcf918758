import { ApiError } from '@almoner/client'
import { changes } from '../../session/answers.ts'
import { newId } from '../../session/api.ts'
import { fieldsOf } from '../editor/fields.ts'
import type { ContentType, Status } from '../items.ts'
import { attachLabel, detachLabel, readItem, readLabels, undoChange, updateItem } from '../items-api.ts'
import {
  type BulkEntry,
  type BulkRun,
  type EntryState,
  isAsSeen,
  type SentUpdate,
  undoOf,
  withEntry,
} from './bulk.ts'
import { forgetRun, holdRun, storeRun, takeInterrupted } from './bulk-storage.ts'

/** Notes how far an entry is, before and after each request. Returns the entry with the change. */
type Note = (change: Partial<BulkEntry>) => BulkEntry

/** What an entry needs no longer once its outcome is known. */
const KNOWN = { sent: undefined, seen: undefined } as const

/** Answers that say nothing of the outcome: the server failed, or is still at the first request with the same key (I4, I5). */
const saysNothing = ({ status, code }: ApiError): boolean =>
  status >= 500 || code === 'idempotency_key_in_use'

/** Returns what a failed request says of an entry. A request that may have been done has an unknown outcome, never a failure. */
const outcomeOf = (error: unknown, wasWrite: boolean): Partial<BulkEntry> => {
  if (!(error instanceof ApiError) || saysNothing(error)) return { state: wasWrite ? 'unknown' : 'waiting' }
  if (error.status === 429) return { state: 'waiting', sent: undefined }
  if (error.status === 412) return { ...KNOWN, state: 'changed' }
  const { status, code, errors } = error
  return { ...KNOWN, state: 'refused', reason: { status, code, errors } }
}

/** Prepares the update that sets the status; returns how the entry ends if there is none to send. */
const prepare = async (
  contentType: ContentType,
  { itemId, seen }: BulkEntry,
  status: Status,
): Promise<SentUpdate | Partial<BulkEntry>> => {
  const { data, etag } = await readItem(contentType, itemId)
  if (data === undefined || etag === undefined || seen === undefined || !isAsSeen(seen, data))
    return { ...KNOWN, state: 'changed' }
  if (data.status === status) return { ...KNOWN, state: 'same' }
  return { key: newId(), etag, body: { ...fieldsOf(data), status } }
}

/** Sets the status of an entry, or takes its change back. Sends again what was sent before without an answer. */
const setStatus = async (
  { contentType, isUndo }: BulkRun,
  status: Status,
  entry: BulkEntry,
  note: Note,
): Promise<BulkEntry> => {
  const { itemId } = entry
  let sent = entry.sent
  try {
    if (sent === undefined) {
      const prepared = isUndo
        ? { key: newId(), etag: entry.etag ?? '', body: {} }
        : await prepare(contentType, entry, status)
      if (!('key' in prepared)) return note(prepared)
      sent = prepared
      note({ sent })
    }
    const { body, etag: ifMatch, key } = sent
    const { etag } = await (isUndo
      ? undoChange(contentType, itemId, ifMatch, key)
      : updateItem(contentType, itemId, body, ifMatch, key))
    return note({ ...KNOWN, etag, state: 'done' })
  } catch (error) {
    return note(outcomeOf(error, sent !== undefined))
  }
}

/** Attaches or detaches a label. Labels have no versions (C10), so the item's own changes do not matter. */
const setLabel = async (
  { contentType, act }: BulkRun,
  { itemId, isLabelSent }: BulkEntry,
  note: Note,
): Promise<BulkEntry> => {
  if (act.kind !== 'label') return note({})
  let isSent = isLabelSent ?? false
  try {
    const labels = await readLabels(contentType, itemId)
    if (labels.includes(act.labelId) === act.isAttached) return note({ state: isSent ? 'done' : 'same' })
    isSent = true
    note({ isLabelSent: true })
    await (act.isAttached ? attachLabel : detachLabel)(contentType, itemId, act.labelId)
    return note({ state: 'done' })
  } catch (error) {
    return note(outcomeOf(error, isSent))
  }
}

/** Carries an act out on an entry. Never rejects: what happened is noted. */
const carryOut = async (run: BulkRun, note: Note): Promise<void> => {
  const current = note({ state: 'running', reason: undefined })
  await (run.act.kind === 'label'
    ? setLabel(run, current, note)
    : setStatus(run, run.act.status, current, note))
}

/** Items that are changed at the same time. */
const CONCURRENCY = 4

/** The act that this page shows, and whether it is under way. */
export interface BulkState {
  readonly run: BulkRun
  readonly isRunning: boolean
}

let state: BulkState | undefined
let release: () => void = () => {}
let isStopped = false
const listeners = new Set<() => void>()

const show = (next: BulkState | undefined): void => {
  state = next
  for (const listener of listeners) listener()
}

const warnBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Changes an entry of the act, stores the act, and returns the entry. */
const noteOn =
  (entry: BulkEntry) =>
  (change: Partial<BulkEntry>): BulkEntry => {
    if (state !== undefined) {
      const run = withEntry(state.run, entry.itemId, change)
      storeRun(run)
      show({ ...state, run })
    }
    return state?.run.entries.find(({ itemId }) => itemId === entry.itemId) ?? { ...entry, ...change }
  }

/** Carries an act out for all entries in one of some states, a few at a time, until it is stopped. */
const work = async (run: BulkRun, states: ReadonlyArray<EntryState>): Promise<void> => {
  const open = run.entries.filter((entry) => states.includes(entry.state))
  isStopped = false
  addEventListener('beforeunload', warnBeforeLeaving)
  show({ run, isRunning: true })
  const worker = async () => {
    for (let entry = open.shift(); entry !== undefined && !isStopped; entry = open.shift())
      await carryOut(run, noteOn(entry))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  removeEventListener('beforeunload', warnBeforeLeaving)
  if (state !== undefined) show({ ...state, isRunning: false })
  changes.report()
}

/** Shows an act in the place of the one before, stores it, and carries it out once this page holds it. */
const begin = async (run: BulkRun): Promise<void> => {
  bulk.dismiss()
  storeRun(run)
  show({ run, isRunning: true })
  release = (await holdRun(run.id)) ?? (() => {})
  await work(run, ['waiting'])
}

/** The bulk act of this page. It goes on while the person looks at other pages of the console. */
export const bulk = {
  state: (): BulkState | undefined => state,
  isRunning: (): boolean => state?.isRunning ?? false,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Begins an act. Its predecessor must have ended. */
  begin: (run: BulkRun): void => void begin(run),
  /** Begins no further items; those under way are finished. */
  stop: (): void => {
    isStopped = true
  },
  /** Does the rest of the act, and asks again about unknown outcomes. */
  goOn: (): void => {
    if (state?.isRunning === false) void work(state.run, ['waiting', 'unknown'])
  },
  /** Takes back what the act has changed. Items that have changed since are refused by name. */
  undo: (): void => {
    const undo = state && undoOf(state.run, { id: newId(), at: Date.now() })
    if (undo !== undefined) bulk.begin(undo)
  },
  /** Removes the report. */
  dismiss: (): void => {
    if (state === undefined || state.isRunning) return
    forgetRun(state.run.id)
    release()
    show(undefined)
  },
  /** Shows the act of this person that the end of a page has interrupted, and asks about its unknown outcomes. */
  resume: async (email: string): Promise<void> => {
    if (state !== undefined) return
    const held = await takeInterrupted(email, Date.now())
    if (held === undefined) return
    if (state !== undefined) return held.release()
    release = held.release
    storeRun(held.run)
    await work(held.run, ['unknown'])
  },
}
