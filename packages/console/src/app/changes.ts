import { API } from './api.ts'

let count = 0
const listeners = new Set<() => void>()

/** The number of changes on the server that this page has heard of. Questions are asked again when it grows. */
export const changes = {
  version: (): number => count,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Reports a change, also one that this page has made itself. */
  report: (): void => {
    count += 1
    for (const listener of listeners) listener()
  },
}

/** Listens to the server's events until the page is left. The browser connects again by itself. */
export const listenForChanges = (): void => {
  const events = new EventSource(`${API}/events`)
  events.addEventListener('change', changes.report)
}
