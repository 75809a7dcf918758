import { progressOn, type Terminal } from '../../terminal.ts'

/** Milliseconds between two signs of progress. */
const STEP = 200

/** What is done: its name, what is counted, in the plural, and how many of these there are. */
export interface Measured {
  readonly what: string
  readonly units: string
  readonly total: number
}

const whole = (n: number): string => Math.round(n).toLocaleString('en')

/** How far something has come after some milliseconds: in per cent, how much a second, and how long it may yet take. */
export const progressText = ({ what, units, total }: Measured, done: number, after: number): string => {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const rate = (done / Math.max(after, 1)) * 1000
  const left = rate === 0 ? '' : `, ${whole((total - done) / rate)} s left`
  return `${what}: ${percent} %, ${whole(rate)} ${units} a second${left}`
}

/** Shows how far something has come. */
export interface Meter {
  /** Hears how much is done; from time to time it shows it. */
  readonly at: (done: number) => void
  /** Takes what it showed away. */
  readonly end: () => void
}

/** A meter for a screen, silent where nobody watches. */
export const makeMeter = (terminal: Pick<Terminal, 'isTerminal' | 'err'>, measured: Measured): Meter => {
  const show = progressOn(terminal)
  const start = performance.now()
  let shown = start
  return {
    at: (done) => {
      const now = performance.now()
      if (now - shown < STEP) return
      shown = now
      show(progressText(measured, done, now - start))
    },
    end: () => show(''),
  }
}
