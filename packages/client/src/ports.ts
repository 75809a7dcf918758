/** Sends a request, as `fetch` does. */
export type Send = (request: Request) => Promise<Response>

/** Time, as the client knows it. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after some milliseconds, or rejects with the signal's reason when that comes first. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The machine's own time. */
export const machineTime: Time = {
  now: () => Date.now(),
  wait: (milliseconds, signal) => {
    let timer: ReturnType<typeof setTimeout>
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
    // An unused timer would keep the process alive.
    return orAborted(over, signal).finally(() => clearTimeout(timer))
  },
}

/** Resolves like the promise, or rejects with the signal's reason if that comes first. The promise itself continues for its other users. */
export const orAborted = <A>(promise: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
