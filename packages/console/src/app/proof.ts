let waiting: ReadonlyArray<(isProved: boolean) => void> = []
const listeners = new Set<() => void>()

const setWaiting = (next: typeof waiting): void => {
  waiting = next
  for (const listener of listeners) listener()
}

/** The proof of presence. Requests that the server refused for want of one wait here until the person has signed in again (M10). */
export const proof = {
  isAsked: (): boolean => waiting.length > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Resolves to whether the person has proved presence. */
  wait: (): Promise<boolean> => new Promise((resolve) => setWaiting([...waiting, resolve])),
  /** Lets the waiting requests go on, or fail with the server's refusal. */
  settle: (isProved: boolean): void => {
    const settled = waiting
    setWaiting([])
    for (const resolve of settled) resolve(isProved)
  },
}

/** Returns whether a response asks for a proof of presence. */
export const asksForProof = (status: number, body: unknown): boolean =>
  status === 403 && (body as { readonly code?: unknown } | undefined)?.code === 'presence_required'
