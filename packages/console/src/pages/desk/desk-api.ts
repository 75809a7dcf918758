import { callConsole } from '../../app/api.ts'
import { type CopySummary, listCopies } from '../../items/editor/copies.ts'

/** A notification that goes out today. */
export interface DueNotification {
  readonly notificationId: string
  readonly lang: 'en' | 'fr'
  readonly title: string
  readonly sendAt: string
  readonly state: 'unscheduled' | 'scheduled' | 'sending' | 'sent' | 'partial' | 'failed'
}

/** A notification that could not be delivered, and why. */
export interface FailedNotification {
  readonly notificationId: string
  readonly title: string
  /** No device was reached, or not all. */
  readonly reason: 'failed' | 'partial'
}

/** What waits for a content manager. */
export interface Desk {
  readonly waiting: number
  readonly oldestWaiting: string | null
  /** By language, the Live publications of the other language that have no Live counterpart in it. */
  readonly lacking: Readonly<Record<'en' | 'fr', number>>
  /** Translations whose original has changed later. */
  readonly older: number
  readonly today: ReadonlyArray<DueNotification>
  readonly failed: ReadonlyArray<FailedNotification>
}

/** Reads the desk, with the person's working copies. */
export const readDesk = async (signal: AbortSignal) => {
  const [{ data, ...rest }, copies] = await Promise.all([
    callConsole<{ readonly desk: Desk }>('GET', '/desk', { signal }),
    listCopies(signal),
  ])
  const shown: { readonly desk: Desk; readonly copies: ReadonlyArray<CopySummary> } = { ...data, copies }
  return { ...rest, data: shown }
}
