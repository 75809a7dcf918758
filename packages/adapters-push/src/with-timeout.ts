/** The end of the time that some work is given. */
export interface Deadline {
  /** Does this when the time is over, at once if it is already; what was to be done before is forgotten. */
  onTimeout(stop: () => void): void
}

const nothing = (): void => {}

/**
 * Runs work for at most this number of milliseconds. After that the deadline is set and the result is `late`; the later result of the work is
 * ignored. An AbortSignal would cost a tenth of a push.
 */
export const withTimeout = <A>(
  milliseconds: number,
  late: A,
  work: (deadline: Deadline) => Promise<A>,
): Promise<A> =>
  new Promise((resolve, reject) => {
    let isOver = false
    let stop = nothing
    const timer = setTimeout(() => {
      isOver = true
      stop()
      resolve(late)
    }, milliseconds)
    const onTimeout = (next: () => void): void => {
      stop = next
      if (isOver) stop()
    }
    work({ onTimeout: onTimeout })
      .then(resolve, reject)
      .then(() => clearTimeout(timer))
  })
