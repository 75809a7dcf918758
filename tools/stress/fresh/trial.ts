import { setTimeout as pause } from 'node:timers/promises'

/** What an answer shows: what was before the change, what is after it, or neither, as a 503 does. */
export type Verdict = 'old' | 'new' | 'neither'

/** Something that is changed on one node while another is asked about it again and again. */
export interface Trial {
  /** Questions to the other node. */
  readonly asks: ReadonlyArray<() => Promise<Verdict>>
  /** So many answers in a row from each question show that the other node has it. */
  readonly enough: number
  /** Makes the change; resolves when it is acknowledged. */
  readonly change: () => Promise<void>
  /** What else must hold once the other node has it; gives what does not. */
  readonly afterwards?: () => Promise<string | undefined>
}

/** What a trial showed. */
export interface Seen {
  /** Old answers to questions that were asked after the acknowledgement. */
  readonly late: number
  /** Milliseconds from the acknowledgement to the last question that got one; 0 when none did. */
  readonly worst: number
  /** Answers before the acknowledgement: how warm a cache was. */
  readonly before: number
  /** Whether all questions got the new answer in the end. */
  readonly isOver: boolean
}

/** Old answers from each question before the change. */
const WARM = 5

/** Milliseconds before the change, at most, and after it, at least. */
const BEFORE = 300
const AFTER = 300

/** Milliseconds after which nobody waits for the new answer any more. */
const GIVEN_UP = 15_000

/** Asks a question again and again, and counts. */
const makeAsker = (ask: () => Promise<Verdict>) => {
  const asked = { old: 0, row: 0, late: 0, worst: 0 }
  let acknowledged = Number.POSITIVE_INFINITY
  const noteOld = (at: number): void => {
    asked.old += 1
    asked.row = 0
    if (at <= acknowledged) return
    asked.late += 1
    asked.worst = at - acknowledged
  }
  return {
    asked,
    acknowledge: (at: number): void => {
      acknowledged = at
    },
    run: async (isOver: () => boolean): Promise<void> => {
      while (!isOver()) {
        const at = performance.now()
        const verdict = await ask()
        if (verdict === 'old') noteOld(at)
        if (verdict === 'new') asked.row += 1
        // Others have to have their turn.
        await pause(Math.random() * 4)
      }
    },
  }
}

const until = async (isSo: () => boolean, milliseconds: number): Promise<boolean> => {
  for (const end = performance.now() + milliseconds; !isSo(); await pause(2))
    if (performance.now() > end) return false
  return true
}

/** Asks until the other node is warm, makes the change, and asks on until it has it. `disturb` is done just before the change. */
export const runTrial = async (trial: Trial, disturb: () => Promise<void>): Promise<Seen> => {
  const askers = trial.asks.map(makeAsker)
  let over = false
  const asking = Promise.all(askers.map(({ run }) => run(() => over)))
  const isWarm = await until(() => askers.every(({ asked }) => asked.old >= WARM), GIVEN_UP)
  await pause(Math.random() * BEFORE)
  await disturb()
  const before = askers.reduce((sum, { asked }) => sum + asked.old, 0)
  await trial.change()
  const at = performance.now()
  for (const { acknowledge } of askers) acknowledge(at)
  const isKnown = await until(
    () => performance.now() - at > AFTER && askers.every(({ asked }) => asked.row >= trial.enough),
    GIVEN_UP,
  )
  over = true
  await asking
  return {
    late: askers.reduce((sum, { asked }) => sum + asked.late, 0),
    worst: Math.round(Math.max(...askers.map(({ asked }) => asked.worst))),
    before,
    isOver: isWarm && isKnown,
  }
}
