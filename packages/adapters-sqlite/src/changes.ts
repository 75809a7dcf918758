/** Milliseconds from one look whether another process has written to the next. */
const LOOK = 500

/** Tells listeners that data may have changed: at once when told so, and within {@link LOOK} after another process has written. */
export interface Changes {
  /** As the engine's `onChange`. */
  onChange(listener: () => void): () => void
  /** Tells everybody. */
  tell(): void
  close(): void
}

/** @param version a value that another one takes the place of when another process has written; it may throw */
export const makeChanges = (version: () => unknown): Changes => {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let known: unknown

  const tell = () => {
    for (const listener of [...listeners]) listener()
  }

  /** A file that cannot be looked at may have changed. */
  const present = (): unknown => {
    try {
      return version()
    } catch {
      return Symbol('unknown')
    }
  }

  const look = () => {
    const found = present()
    if (found === known) return
    known = found
    tell()
  }

  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    onChange: (listener) => {
      const own = () => listener()
      listeners.add(own)
      if (timer === undefined) {
        known = present()
        timer = setInterval(look, LOOK).unref()
      }
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) stop()
      }
    },
    tell,
    close: () => {
      listeners.clear()
      stop()
    },
  }
}
