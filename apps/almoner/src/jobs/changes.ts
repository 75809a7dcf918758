/** Milliseconds from one look at the version to the next. Looking costs no more than a few microseconds. */
const EVERY = 250

/**
 * Calls back when the data's version has changed, by this process or another one.
 * @param version another number once data may have changed; of another process's changes it knows within two seconds at worst
 */
export const changesOf =
  (version: () => number) =>
  (changed: () => void): (() => void) => {
    let known = version()
    const timer = setInterval(() => {
      const present = version()
      if (present === known) return
      known = present
      changed()
    }, EVERY).unref()
    return () => clearInterval(timer)
  }
