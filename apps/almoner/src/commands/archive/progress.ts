import { progressOn, type Terminal } from '../../cli/terminal.ts'

/** Milliseconds between two updates. */
const INTERVAL = 200

/** What is done: its name, what is counted, in the plural, and the total. */
export interface Measured {
  readonly what: string
  readonly units: string
  readonly total: number
}

const rounded = (n: number): string => Math.round(n).toLocaleString('en')

/** Describes the progress after some milliseconds: in per cent, units a second, and the seconds left. */
export const progressText = ({ what, units, total }: Measured, done: number, after: number): string => {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const rate = (done / Math.max(after, 1)) * 1000
  const left = rate === 0 ? '' : `, ${rounded((total - done) / rate)} s left`
  return `${what}: ${percent} %, ${rounded(rate)} ${units} a second${left}`
}

/** Makes a function that shows how much is done, on a terminal only. */
export const makeProgress = (
  terminal: Pick<Terminal, 'isTerminal' | 'err'>,
  what: string,
  units: string,
): ((done: number, total: number) => void) => {
  const show = progressOn(terminal)
  const start = performance.now()
  let shown = start
  return (done, total) => {
    const now = performance.now()
    if (now - shown < INTERVAL) return
    shown = now
    show(progressText({ what, units, total }, done, now - start))
  }
}
