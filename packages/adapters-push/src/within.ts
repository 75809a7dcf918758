/** The end of the time that some work is given. */
export interface Deadline {
  /** Does this when the time is over, at once if it is already; what was to be done before is forgotten. */
  atEnd(stop: () => void): void
}

const nothing = (): void => {}

/**
 * Does some work, for so many milliseconds at most. When they are over, its deadline says so, and the answer is `late`; what the work
 * comes to then does not matter. An AbortSignal would say the same, and take as long as a tenth of a push.
 */
export const within = <A>(
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
    const atEnd = (next: () => void): void => {
      stop = next
      if (isOver) stop()
    }
    work({ atEnd })
      .then(resolve, reject)
      .then(() => clearTimeout(timer))
  })
