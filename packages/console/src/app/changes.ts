let count = 0
const listeners = new Set<() => void>()

/** The number of changes that this page has made or that the server has reported. Questions are asked again when it grows. */
export const changes = {
  version: (): number => count,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Reports a change. */
  report: (): void => {
    count += 1
    for (const listener of listeners) listener()
  },
}
