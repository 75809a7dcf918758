let isEnded = false
let waiting: ReadonlyArray<() => void> = []
const listeners = new Set<() => void>()

const set = (next: boolean): void => {
  isEnded = next
  for (const listener of listeners) listener()
}

/** The end of the session. Requests that were answered with 401 wait here until the person has signed in again. */
export const sessionEnd = {
  isEnded: (): boolean => isEnded,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Resolves when the person has signed in again. */
  wait: (): Promise<void> =>
    new Promise((resolve) => {
      waiting = [...waiting, resolve]
      set(true)
    }),
  /** Lets the waiting requests go on. */
  resume: (): void => {
    const resumed = waiting
    waiting = []
    set(false)
    for (const resolve of resumed) resolve()
  },
}
