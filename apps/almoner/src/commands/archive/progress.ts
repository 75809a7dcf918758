import type { Measure } from '../../composition/archives.ts'
import type { ShowProgress } from '../../terminal.ts'

/** Milliseconds between two updates. */
const INTERVAL = 200

const rounded = (n: number): string => Math.round(n).toLocaleString('en')

/** Describes a step some milliseconds after its start: in per cent, units a second, and the seconds left. */
export const progressText = (step: string, { done, total, units }: Measure, after: number): string => {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const rate = (done / Math.max(after, 1)) * 1000
  const left = rate === 0 ? '' : `, ${rounded((total - done) / rate)} s left`
  return `${step}: ${percent} %, ${rounded(rate)} ${units} a second${left}`
}

/** Makes a function that shows each step of an archive, and its rate and remaining time where they can be measured. */
export const archiveProgress = (show: ShowProgress): ((step: string, measure?: Measure) => void) => {
  let current = ''
  let [start, shown] = [0, 0]
  return (step, measure) => {
    if (measure === undefined) return show(step)
    const now = performance.now()
    if (step !== current) {
      show(step)
      ;[current, start, shown] = [step, now, now]
    }
    if (now - shown < INTERVAL) return
    shown = now
    show(progressText(step, measure, now - start))
  }
}
