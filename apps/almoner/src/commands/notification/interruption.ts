const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Whether the process has been told to end while it does what should not be cut off. */
export interface Interruption {
  readonly isStopping: () => boolean
  /** Lets the signals end the process at once again. */
  readonly release: () => void
}

/** Notes the first signal instead of ending at it; a second one ends the process. */
export const watchInterruption = (): Interruption => {
  let told = false
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, tell)
  }
  const tell = () => {
    told = true
    release()
  }
  for (const signal of SIGNALS) process.on(signal, tell)
  return { isStopping: () => told, release }
}
