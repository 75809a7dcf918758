/** The end of the time that some work is given. */
export interface Deadline {
  /** Does this when the time is over, at once if it is already; what was to be done before is forgotten. */
  onTimeout(stop: () => void): void
}

/** Calls a function after this number of milliseconds, unless the returned one is called before. */
export type StartTimer = (milliseconds: number, ring: () => void) => () => void

/** Timers of the machine. */
export const startSystemTimer: StartTimer = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds)
  return () => clearTimeout(timer)
}

const nothing = (): void => {}

/** Runs work with a deadline. After that the result is `late`; the later result of the work is ignored. */
export type WithTimeout = <A>(late: A, work: (deadline: Deadline) => Promise<A>) => Promise<A>

/**
 * Returns a function that gives each work at most this number of milliseconds. An AbortSignal would cost a tenth of a push.
 * @param startTimer the machine's timers when left out
 */
export const withTimeoutOf =
  (milliseconds: number, startTimer: StartTimer = startSystemTimer): WithTimeout =>
  (late, work) =>
    new Promise((resolve, reject) => {
      let isOver = false
      let stop = nothing
      const cancel = startTimer(milliseconds, () => {
        isOver = true
        stop()
        resolve(late)
      })
      const onTimeout = (next: () => void): void => {
        stop = next
        if (isOver) stop()
      }
      work({ onTimeout }).then(resolve, reject).then(cancel)
    })
