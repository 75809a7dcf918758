import { changes } from '../../session/answers.ts'
import { newId } from '../../session/api.ts'
import { type BulkEntry, type BulkRun, type EntryState, undoOf, withEntry } from './bulk.ts'
import { carryOut } from './bulk-steps.ts'
import { forgetRun, holdRun, storeRun, takeInterrupted } from './bulk-storage.ts'

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
