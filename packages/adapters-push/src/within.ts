/**
 * Does some work, for so many milliseconds at most. When they are over, its signal says so, and the answer is `late`; what the work
 * comes to then does not matter.
 */
export const within = <A>(
  milliseconds: number,
  late: A,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<A> =>
  new Promise((resolve, reject) => {
    const end = new AbortController()
    const timer = setTimeout(() => {
      end.abort()
      resolve(late)
    }, milliseconds)
    work(end.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
